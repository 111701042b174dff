import { contract } from '../../domain/operations.js';
import { acceptPatch } from '../contract/operation-rules.js';
import { apiVersion } from '../contract/media-types.js';
import { deprecationHeaders } from '../contract/headers.js';
import type { Part } from './schemas.js';

interface Header {
  /** The name on the wire, where it is not the name in the document. */
  readonly field?: string;
  readonly description: string;
  readonly type?: 'integer' | 'boolean';
  readonly values?: readonly string[];
  readonly example: string | number | boolean;
}

/** The headers of a deprecated operation, as examples. */
function deprecationExamples(): Record<string, string> {
  const deprecated = contract.find((operation) => operation.deprecated !== undefined)?.deprecated;
  return deprecated === undefined ? {} : deprecationHeaders(deprecated, '/pets/7/details', '');
}

const { deprecation = '', sunset = '', link = '' } = deprecationExamples();

/** The headers of answers, by their name in the document. */
const headers: Readonly<Record<string, Header>> = {
  'X-Request-Id': { description: 'Identifier of the request, as in the log of the server; the one from the request, if that is valid.', example: 'req-4711' },
  'API-Version': { description: 'The version of this interface.', example: apiVersion },
  ETag: { description: 'The version of the record, for If-Match and If-None-Match.', example: '"1208"' },
  Location: { description: 'The address of the new record.', example: '/pets/7' },
  Link: {
    description: 'The addresses of the first, the next and the previous page (RFC 8288); the last page has no next one.',
    example: '</pets?limit=50>; rel="first", </pets?limit=50&cursor=WyIxa3Y>; rel="next"',
  },
  'X-Total-Count': { description: 'Number of matching records; only with `count=true`.', type: 'integer', example: 137 },
  'Idempotency-Replayed': {
    description: 'True if this is the response to an earlier request with the same Idempotency-Key.',
    type: 'boolean',
    example: true,
  },
  'Petstore-Stability': {
    description: 'Stability of the operation; absent if it is stable.',
    values: ['beta', 'experimental', 'deprecated'],
    example: 'beta',
  },
  Deprecation: { description: 'Since when the operation is deprecated (RFC 9745); only on deprecated operations.', example: deprecation },
  Sunset: { description: 'When the operation may be removed (RFC 8594); only on deprecated operations.', example: sunset },
  Successor: { field: 'Link', description: 'The operation to use instead, and the deprecation policy; only on deprecated operations.', example: link },
  ImportReport: { field: 'Link', description: 'The address of the report of a refused import.', example: '</store/imports/41>; rel="describedby"' },
  'RateLimit-Limit': {
    description: 'Requests per minute allowed for a token or an address; only from a server that limits requests.',
    type: 'integer',
    example: 600,
  },
  'RateLimit-Remaining': { description: 'Remaining requests in this minute; only from a server that limits requests.', type: 'integer', example: 598 },
  'RateLimit-Reset': { description: 'Seconds until the count restarts; only from a server that limits requests.', type: 'integer', example: 42 },
  'Accept-Patch': {
    description: 'The media types accepted for a change of the record (RFC 5789); only on responses to PATCH.',
    example: acceptPatch,
  },
  'Set-Cookie': {
    description: 'The cookie of the session; its name depends on the address of the server.',
    example: 'petstore_session_8080=…; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200',
  },
  'Retry-After': { description: 'Seconds to wait before trying again.', type: 'integer', example: 1 },
  'WWW-Authenticate': { description: 'How to authenticate (RFC 6750).', example: 'Bearer realm="petstore"' },
};

/** The headers with which a server that limits requests says how many are left. */
export const rateLimitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

/** References to headers of the document, by their field names on the wire. */
export function headerRefs(names: readonly string[]): Part {
  return Object.fromEntries(names.map((name) => [headers[name]?.field ?? name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers that answers share. */
export function sharedHeaders(): Part {
  const all = Object.entries(headers).map(([name, { description, type = 'string', values, example }]) => {
    return [name, { description, schema: { type, ...(values && { enum: values }) }, example }] as const;
  });
  return Object.fromEntries(all);
}
