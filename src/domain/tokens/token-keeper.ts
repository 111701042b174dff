import type { TokenDraft, NewToken, Token } from './token.js';
import type { CallOptions } from '../call.js';

/** The tokens of a shop. */
export interface TokenKeeper {
  /** Makes a token; refuses with `validation_failed`, also a name that another token has. The text of a dry run opens nothing. */
  readonly create: (draft: TokenDraft, options?: Pick<CallOptions, 'dryRun'>) => Promise<NewToken>;
  /** Every token that was not revoked, oldest first; expired ones too. */
  readonly list: () => Promise<readonly Token[]>;
  /** Makes a token worthless for ever; refuses with `token_not_found`. */
  readonly revoke: (name: string, options?: Pick<CallOptions, 'dryRun'>) => Promise<Token>;
  /** The token of a text; refuses with `invalid_token` what opens nothing, or no longer. */
  readonly check: (text: string) => Promise<Token>;
  /** Whether a token was ever made; revoking the last one does not take that back. */
  readonly everCreated: () => Promise<boolean>;
  /** Notes that a token was used, once a minute at most; passed over where the shop cannot be written to just now. */
  readonly used: (id: number) => Promise<void>;
}
