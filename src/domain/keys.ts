import { StoreError } from './errors.js';

/** Who sends a request, as far as its idempotency key is concerned. */
export interface Sender {
  /** Who the ledger names. */
  readonly actor: string;
  /** The id of the token that came with the request, if one did. */
  readonly token?: number | undefined;
}

/** An idempotency key, and who chose it. */
export interface SenderKey {
  readonly key: string;
  readonly sender: Sender;
}

/** The text under which the keys of a sender are kept: the token where there is one, otherwise the actor. No two senders share one. */
export function senderId({ actor, token }: Sender): string {
  return token === undefined ? `actor ${actor}` : `token ${token}`;
}

/** The refusal of a key that its sender used for another request. */
export function keyReused(key: string): StoreError {
  return new StoreError('idempotency_key_reused', `The key "${key}" was used for another request; a new request takes a new key.`);
}
