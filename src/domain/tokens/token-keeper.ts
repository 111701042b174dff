import type { TokenDraft, NewToken, Token } from './token.js';
import type { CallOptions } from '../call.js';

/** Access to the tokens of a shop. */
export interface TokenKeeper {
  /** Creates a token. Refuses with `validation_failed`, also a name that is in use. The token of a dry run is not valid. The first one ends the sessions of the owner. */
  readonly create: (draft: TokenDraft, options?: Pick<CallOptions, 'dryRun'>) => Promise<NewToken>;
  /** Every token that is not revoked, also expired ones, oldest first. */
  readonly list: () => Promise<readonly Token[]>;
  /** Revokes a token for good, and ends the sessions of the owner. Refuses with `token_not_found`. */
  readonly revoke: (name: string, options?: Pick<CallOptions, 'dryRun'>) => Promise<Token>;
  /** The token with this text. Refuses with `invalid_token` an unknown, expired or revoked one. */
  readonly check: (text: string) => Promise<Token>;
  /** Whether a token was ever created, even if all are revoked now. */
  readonly everCreated: () => Promise<boolean>;
  /** Updates `lastUsedAt` of a token, at most once a minute; skipped while the shop cannot be written to. */
  readonly used: (id: number) => Promise<void>;
}
