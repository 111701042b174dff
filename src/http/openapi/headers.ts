import { exampleEntry } from '../../domain/ledger/ledger-entry.js';
import { eventIdOf, eventIdPattern, positionAfter } from '../../domain/ledger/ledger-position.js';
import { contract } from '../../domain/operations.js';
import { acceptPatch } from '../contract/operation-rules.js';
import { apiVersion } from '../contract/media-types.js';
import { deprecationHeaders } from '../contract/headers.js';
import type { Part } from './schemas.js';

interface Header {
  /** The name on the wire, where it is not the name in the document. */
  readonly field?: string;
  readonly description: string;
  /** A string unless it says otherwise. */
  readonly schema?: Part;
  readonly example: string | number | boolean;
}

/** The headers of a deprecated operation, as examples. */
const [deprecated] = contract.flatMap((operation) => (operation.deprecated ? [deprecationHeaders(operation.deprecated, '/pets/7/details', '')] : []));
const { deprecation = '', sunset = '', link = '' } = deprecated ?? {};

/** The headers of answers, by their name in the document. */
const answerHeaders: Readonly<Record<string, Header>> = {
  'X-Request-Id': { description: 'Identifier of the request, as in the log of the server; the one from the request, if that is valid.', example: 'req-4711' },
  'API-Version': { description: 'The version of this interface.', example: apiVersion },
  ETag: { description: 'The version of the record, for If-Match and If-None-Match.', example: '"1208"' },
  Location: { description: 'The address of the new record.', example: '/pets/7' },
  Link: {
    description: 'The addresses of the first, the next and the previous page (RFC 8288); the last page has no next one.',
    example: '</pets?limit=50>; rel="first", </pets?limit=50&cursor=WyIxa3Y>; rel="next"',
  },
  'X-Total-Count': { description: 'Number of matching records; only with `count=true`.', schema: { type: 'integer' }, example: 137 },
  'Idempotency-Replayed': {
    description: 'True if this is the response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'boolean' },
    example: true,
  },
  'Petstore-Stability': {
    description: 'Stability of the operation; absent if it is stable.',
    schema: { type: 'string', enum: ['beta', 'experimental', 'deprecated'] },
    example: 'beta',
  },
  Deprecation: { description: 'Since when the operation is deprecated (RFC 9745); only on deprecated operations.', example: deprecation },
  Sunset: { description: 'When the operation may be removed (RFC 8594); only on deprecated operations.', example: sunset },
  Successor: { field: 'Link', description: 'The operation to use instead, and the deprecation policy; only on deprecated operations.', example: link },
  ImportReport: { field: 'Link', description: 'The address of the report of a refused import.', example: '</store/imports/41>; rel="describedby"' },
  'RateLimit-Limit': {
    description: 'Requests per minute allowed for a token or an address; only from a server that limits requests.',
    schema: { type: 'integer' },
    example: 600,
  },
  'RateLimit-Remaining': {
    description: 'Remaining requests in this minute; only from a server that limits requests.',
    schema: { type: 'integer' },
    example: 598,
  },
  'RateLimit-Reset': { description: 'Seconds until the count restarts; only from a server that limits requests.', schema: { type: 'integer' }, example: 42 },
  'Accept-Patch': {
    description: 'The media types accepted for a change of the record (RFC 5789); only on responses to PATCH.',
    example: acceptPatch,
  },
  'Set-Cookie': {
    description: 'The cookie of the session; its name depends on the address of the server.',
    example: 'petstore_session_8080=…; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200',
  },
  'Retry-After': { description: 'Seconds to wait before trying again.', schema: { type: 'integer' }, example: 1 },
  'WWW-Authenticate': { description: 'How to authenticate (RFC 6750).', example: 'Bearer realm="petstore"' },
};

/** The headers with which a server that limits requests says how many are left. */
export const rateLimitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

/** References to headers of the document, by their field names on the wire. */
export function headerRefs(names: readonly string[]): Part {
  return Object.fromEntries(names.map((name) => [answerHeaders[name]?.field ?? name, { $ref: `#/components/headers/${name}` }]));
}

const keySchema: Part = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' };

/** The headers of requests, by their name in the document. */
const requestHeaders: Readonly<Record<string, Header>> = {
  'Idempotency-Key': {
    description:
      'A key of your choice for this change, 1 to 255 printable ASCII characters. Repeating the request with the same key within 24 hours returns the first response and changes nothing. Keys of different tokens (or actors, without a token) are independent. Using a key for a different request is refused.',
    schema: keySchema,
    example: 'web-order-4711',
  },
  'Import-Key': {
    field: 'Idempotency-Key',
    description:
      'A key of your choice for this file, 1 to 255 printable ASCII characters; it never expires. Sending the same file with the same key again applies nothing and returns 200 with a report: `alreadyApplied` counts its rows, and `earlier` shows who applied it and when. After an import that refused some rows, only those are tried again. Another file with the same key is refused with `idempotency_key_reused`. Keys of different tokens (or actors, without a token) are independent.',
    schema: keySchema,
    example: 'invoice 4711',
  },
  'Petstore-Actor': {
    description:
      'The name recorded in the ledger, as percent-encoded UTF-8, 1 to 100 characters. Ignored in a request with a token, which records the name of the token.',
    example: 'ana',
  },
  'Petstore-Note': {
    description: 'A note for the ledger entries of the change, as percent-encoded UTF-8.',
    example: 'by%20phone',
  },
  'Petstore-Dry-Run': { description: 'Checks everything and changes nothing; the response is what it would be.', schema: { type: 'boolean' }, example: true },
  'If-Match': {
    description: 'The ETag of the record as you last read it; the request is refused if the record has changed since. Some servers require it for changes.',
    example: '"1208"',
  },
  'If-None-Match': {
    description:
      'The ETag of the record as you last read it: if it has not changed, a GET returns 304, and a change is refused. `*` means any existing record.',
    example: '"1208"',
  },
  'Last-Event-ID': {
    description:
      'The id of the last event received; browsers send it when they reconnect. The id of a ledger entry alone is accepted as well, but does not show whether the ledger still has that entry.',
    schema: { type: 'string', pattern: eventIdPattern.source },
    example: eventIdOf(positionAfter(exampleEntry)),
  },
};

/** What the document says of a header. */
function headerPart({ description, schema = { type: 'string' }, example }: Header): Part {
  return { description, schema, example };
}

/** The headers that answers share. */
export function sharedHeaders(): Part {
  return Object.fromEntries(Object.entries(answerHeaders).map(([name, header]) => [name, headerPart(header)]));
}

/** The header parameters that operations share. */
export function sharedParameters(): Part {
  const parameters = Object.entries(requestHeaders).map(([name, header]) => {
    return [name, { name: header.field ?? name, in: 'header', required: false, ...headerPart(header) }];
  });
  return Object.fromEntries(parameters) as Part;
}
