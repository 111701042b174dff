import * as v from 'valibot';
import { allows, scopes, type Scope } from '../tokens/token.js';
import { field, optional, record, requestRecord, trueOrFalse } from '../values/schemas.js';
import { nameText } from '../values/text.js';
import { dateTimeText } from '../values/time.js';

const hourMs = 60 * 60 * 1000;

/** How long a session lasts, in ms: 12 hours; 90 days for one that may only read, such as of a screen on the wall. */
export function sessionMs(granted: readonly Scope[]): number {
  return (granted.every((scope) => scope.endsWith(':read')) ? 90 * 24 : 12) * hourMs;
}

/** The most sessions of one token, and of the owner of the machine; a new one beyond them ends the oldest. */
export const maximumSessions = 50;

/** What a server tells signed-in users about itself. */
export const serverInfo = record('ServerInfo', 'The server and its options.', {
  version: field(v.string(), 'The version of petstore.'),
  shop: field(v.string(), 'The name of the shop; without one its profile, or the name of its file or database.'),
  engine: field(v.picklist(['sqlite', 'postgres']), 'What the shop is stored in.'),
  stableOnly: field(trueOrFalse, 'Whether operations that are not stable are left out.'),
  requireIfMatch: field(trueOrFalse, 'Whether changes of single records require If-Match.'),
});

/** What a server tells signed-in users about itself. */
export type ServerInfo = v.InferOutput<typeof serverInfo>;

/** Who is signed in, and what the server offers. */
export const session = record('Session', 'Who is signed in, and what the server offers.', {
  name: field(nameText, 'The name recorded in the ledger: that of the token.'),
  scopes: field(v.array(v.picklist(scopes)), 'Every scope that is allowed: `…:write` comes with `…:read`, and `admin` with all others.'),
  expiresAt: optional(dateTimeText, 'When the session or the token ends; absent if it does not.'),
  signInRequired: field(trueOrFalse, 'False if the server allows everything to everybody who can reach it.'),
  server: field(serverInfo, 'The server and its options.'),
});

/** Who is signed in, and what the server offers. */
export type Session = v.InferOutput<typeof session>;

const secretText = v.pipe(v.string('must be a text'), v.maxLength(100, 'must be at most 100 characters'));

/** What a page signs in with: a token, or a one-time code. */
export const signIn = v.pipe(
  requestRecord('SignIn', 'What to sign in with: either a token or a one-time code.', {
    token: optional(secretText, 'An access token.'),
    code: optional(secretText, 'The one-time code in the address that the server opened in the browser when it started.'),
  }),
  v.check(({ token, code }) => (token === undefined) !== (code === undefined), 'must have either a token or a code'),
  v.metadata({ record: 'SignIn', jsonSchema: { minProperties: 1, maxProperties: 1 } }),
);

/** What a page signs in with: a token, or a one-time code. */
export type SignIn = v.InferOutput<typeof signIn>;

/** The example of a session for the OpenAPI document. */
export const exampleSession: Session = {
  name: 'till',
  scopes: ['pets:read', 'store:read', 'store:write'],
  expiresAt: '2026-11-20T21:00:00.000Z',
  signInRequired: true,
  server: { version: '1.0.0', shop: 'shop', engine: 'sqlite', stableOnly: false, requireIfMatch: false },
};

/** All scopes that scopes allow, in their order. */
export function allowedScopes(granted: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => allows(granted, scope));
}
