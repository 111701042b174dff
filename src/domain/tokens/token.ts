import * as v from 'valibot';
import { invalidField, StoreError } from '../errors.js';
import { idNumber } from '../values/ids.js';
import { nameProblem, nameText, normalizeText } from '../values/text.js';
import { dateTimeText } from '../values/time.js';

/** The scopes of a token: pets and categories (`pets`) or the rest of the shop (`store`), to read or to change; or everything (`admin`). */
export const scopes = ['pets:read', 'pets:write', 'store:read', 'store:write', 'admin'] as const;

/** One scope of a token. */
export type Scope = (typeof scopes)[number];

/** An access token without its secret; times are RFC 3339 in UTC. */
export const token = v.object({
  id: idNumber,
  name: nameText,
  scopes: v.pipe(v.array(v.picklist(scopes)), v.readonly()),
  createdAt: dateTimeText,
  lastUsedAt: v.optional(dateTimeText),
  expiresAt: v.optional(dateTimeText),
});

/** An access token without its secret. */
export type Token = v.InferOutput<typeof token>;

/** A token to create; `expiresAt` as returned by `expiryOf`; without it the token does not expire. */
export interface TokenDraft {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: string | undefined;
}

/** A new token and its text, which contains the secret and cannot be shown again. */
export interface NewToken {
  readonly token: Token;
  readonly text: string;
}

/** Whether scopes include the one that is needed: `…:write` includes `…:read`, `admin` includes all. */
export function allows(granted: readonly Scope[], needed: Scope): boolean {
  return granted.some((scope) => scope === 'admin' || scope === needed || scope.replace(':write', ':read') === needed);
}

/** Whether a caller may read pets, and so their names; without a token everything is allowed. */
export function mayReadPets(granted: readonly Scope[] | undefined): boolean {
  return granted === undefined || allows(granted, 'pets:read');
}

/** Refuses with `insufficient_scope` an input for which a token must be allowed to read pets. */
export function checkMayReadPets(granted: readonly Scope[] | undefined, parameter: string): void {
  if (mayReadPets(granted)) return;
  throw new StoreError('insufficient_scope', `${parameter}: requires pets:read; the token has the scopes ${(granted ?? []).join(', ')}.`);
}

/** Checks and normalizes the name and the scopes of a token. Refuses with `validation_failed`. */
export function checkedDraft({ name: typedName, scopes: typedScopes, expiresAt }: TokenDraft): TokenDraft {
  const name = normalizeText(typedName);
  const problem = nameProblem(name);
  if (problem !== undefined) throw invalidField('name', problem);
  if (typedScopes.length === 0) throw invalidField('scopes', 'must name at least one');
  return { name, scopes: scopes.filter((scope) => typedScopes.includes(scope)), expiresAt };
}
