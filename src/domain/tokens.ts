import * as v from 'valibot';
import { StoreError } from './errors.js';
import { idNumber } from './numbers.js';
import type { CallOptions } from './shop.js';
import { nameProblem, nameText, tidy } from './text.js';
import { dateTimeText, formatDateTime, parseInstant } from './time.js';

/** What a token may be allowed: pets and categories, the rest of the shop, to read or to change, or everything. */
export const scopes = ['pets:read', 'pets:write', 'store:read', 'store:write', 'admin'] as const;
/** One thing that a token may be allowed. */
export type Scope = (typeof scopes)[number];

/** An access token as people see it, without the secret; times are RFC 3339 instants in UTC. */
export const token = v.object({
  id: idNumber,
  name: nameText,
  scopes: v.pipe(v.array(v.picklist(scopes)), v.readonly()),
  createdAt: dateTimeText,
  lastUsedAt: v.optional(dateTimeText),
  expiresAt: v.optional(dateTimeText),
});
/** An access token as people see it, without the secret. */
export type Token = v.InferOutput<typeof token>;

/** What a new token is to be; `expiresAt` as `expiryOf` answers it, and never when it is missing. */
export interface TokenDraft {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: string | undefined;
}

/** A new token with the text that opens doors; nobody can be told that text again. */
export interface NewToken {
  readonly token: Token;
  readonly text: string;
}

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

/** Whether scopes are enough for what is needed: writing includes reading, and `admin` everything. */
export function allows(granted: readonly Scope[], needed: Scope): boolean {
  return granted.some((scope) => scope === 'admin' || scope === needed || scope.replace(':write', ':read') === needed);
}

/** The longest text a token has: an id of 16 digits and a secret of 43. */
const maximumText = 64;
// The secret is 32 bytes in base64url, without padding.
const textPattern = /^pst_([1-9][0-9]{0,15})_([\w-]{43})$/;

/** The text of a token, as it goes into an Authorization header. */
export function tokenText(id: number, secret: string): string {
  return `pst_${id}_${secret}`;
}

/** The id and the secret in the text of a token, or undefined when it is none. */
export function parseToken(text: string): { readonly id: number; readonly secret: string } | undefined {
  if (text.length > maximumText) return undefined;
  const [, id, secret] = textPattern.exec(text) ?? [];
  return secret !== undefined && Number.isSafeInteger(Number(id)) ? { id: Number(id), secret } : undefined;
}

const hour = 60 * 60 * 1000;
const spans: ReadonlyMap<string, number> = new Map([
  ['h', hour],
  ['d', 24 * hour],
  ['w', 7 * 24 * hour],
]);

function spanOf(text: string): number | undefined {
  const [, count, unit = ''] = /^([0-9]{1,5})([hdw])$/.exec(text) ?? [];
  const length = spans.get(unit);
  return length === undefined ? undefined : Number(count) * length;
}

/**
 * When a token expires that is said to last until a time, for a day of UTC (to its end) or for a span (`12h`, `90d`,
 * `8w`); undefined when the text is none of these. Refuses a time that is past with `validation_failed`.
 */
export function expiryOf(text: string, now: number): string | undefined {
  const span = spanOf(text);
  const instant = span === undefined ? parseInstant(text, 'end') : now + span;
  if (instant === undefined) return undefined;
  const expiry = formatDateTime(instant);
  if (instant <= now) throw new StoreError('validation_failed', `expires: must lie in the future, and ${expiry} does not.`);
  return expiry;
}

/** A draft with its name and its scopes as they are kept; refuses with `validation_failed`. */
export function checkedDraft({ name: given, scopes: asked, expiresAt }: TokenDraft): TokenDraft {
  const name = tidy(given);
  const problem = nameProblem(name);
  if (problem !== undefined) throw new StoreError('validation_failed', `name: ${problem}.`);
  if (asked.length === 0) throw new StoreError('validation_failed', 'scopes: must name at least one.');
  return { name, scopes: scopes.filter((scope) => asked.includes(scope)), expiresAt };
}
