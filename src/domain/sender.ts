import { StoreError } from './errors.js';

/** The sender of a request. Idempotency keys of different senders are independent. */
export interface Sender {
  /** The name recorded in the ledger. */
  readonly actor: string;
  /** The id of the access token of the request, if it has one. */
  readonly tokenId?: number | undefined;
}

/** An idempotency key and its sender. */
export interface SenderKey {
  readonly key: string;
  readonly sender: Sender;
}

/** Identifies a sender in the table of keys: by the token if there is one, otherwise by the actor. Unique for each sender. */
export function senderId({ actor, tokenId }: Sender): string {
  return tokenId === undefined ? `actor ${actor}` : `token ${tokenId}`;
}

/** The refusal of a key that the same sender used for a different request. */
export function keyReused(key: string): StoreError {
  return new StoreError('idempotency_key_reused', `The key "${key}" was used for another request; use a new key.`);
}
