import * as v from 'valibot';
import { StoreError } from '../errors.js';
import { idNumber } from '../values/ids.js';
import { nameProblem, nameText, normalizeText } from '../values/text.js';
import { dateTimeText } from '../values/time.js';

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

/** Whether scopes are enough for what is needed: writing includes reading, and `admin` everything. */
export function allows(granted: readonly Scope[], needed: Scope): boolean {
  return granted.some((scope) => scope === 'admin' || scope === needed || scope.replace(':write', ':read') === needed);
}

/** A draft with its name and its scopes as they are kept; refuses with `validation_failed`. */
export function checkedDraft({ name: given, scopes: asked, expiresAt }: TokenDraft): TokenDraft {
  const name = normalizeText(given);
  const problem = nameProblem(name);
  if (problem !== undefined) throw new StoreError('validation_failed', `name: ${problem}.`);
  if (asked.length === 0) throw new StoreError('validation_failed', 'scopes: must name at least one.');
  return { name, scopes: scopes.filter((scope) => asked.includes(scope)), expiresAt };
}
