import { completeExample } from '../../domain/complete-records.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { ContractOperation } from '../../domain/operations.js';
import { completeType, jsonType } from '../contract/media-types.js';
import { hasLocation } from '../contract/location.js';
import { changesRecords } from '../contract/operation-rules.js';
import { exampleOf } from './examples.js';
import { headerRefs, rateLimitHeaders } from './headers.js';
import { refusalsOf } from './refusals.js';
import { answerName, answersList, completeName, listOf, ref, rowName, type Part } from './schemas.js';

/** The response of all refusals with one status. */
interface RefusalResponse {
  readonly name: string;
  readonly description: string;
  readonly headers?: readonly string[];
  readonly example: readonly [code: ErrorCode, message: string];
}

/** The marks of what may still change. */
export const betaMarks = { 'x-stability-level': 'beta', 'x-beta': true };

const deprecationHeaderNames = ['Deprecation', 'Sunset', 'Successor'];

/** The refusals of each status: the name of its response, what it means, and one of them. */
const refusalResponses: Readonly<Record<number, RefusalResponse>> = {
  400: {
    name: 'BadRequest',
    description: 'The request is malformed.',
    headers: deprecationHeaderNames,
    example: ['invalid_parameter', 'limit: must be at most 500.'],
  },
  401: {
    name: 'Unauthorized',
    description: 'The request has no token, or an invalid one.',
    headers: ['WWW-Authenticate'],
    example: ['unauthenticated', 'This shop requires a token: send Authorization: Bearer <token>.'],
  },
  403: {
    name: 'Forbidden',
    description: 'The token does not allow this, or the request is from a web page of another origin.',
    headers: ['WWW-Authenticate'],
    example: ['insufficient_scope', 'The token "shelf" has the scopes pets:read; this requires pets:write.'],
  },
  404: { name: 'NotFound', description: 'There is no such record.', headers: deprecationHeaderNames, example: ['pet_not_found', 'Pet 99 was not found.'] },
  406: {
    name: 'NotAcceptable',
    description: 'The response is not available in a media type that the request accepts.',
    example: ['not_acceptable', 'The response has the type application/json, which Accept excludes.'],
  },
  408: { name: 'RequestTimeout', description: 'The request did not arrive in time.', example: ['request_timeout', 'The request did not arrive in time.'] },
  409: {
    name: 'Conflict',
    description: 'The state of the shop does not allow this.',
    example: ['insufficient_stock', 'Only 1 × Rex available (3 on hand, 2 reserved for orders 12 and 15); 2 requested.'],
  },
  410: {
    name: 'Gone',
    description: 'The ledger no longer has the entry of an event id or of a cursor.',
    example: [
      'cursor_expired',
      'The ledger no longer has entry 1208 as you received it: the shop went back to an earlier state. Start again from the newest entry.',
    ],
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The record does not meet the conditions of the request.',
    example: ['precondition_failed', 'Pet 7 is at version 1208, not 1190; read it again.'],
  },
  413: { name: 'PayloadTooLarge', description: 'The body is too large.', example: ['payload_too_large', 'The body is larger than 1 MiB.'] },
  414: { name: 'UriTooLong', description: 'The address is too long.', example: ['uri_too_long', 'The address has 9000 characters; the maximum is 8192.'] },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The media type of the body is not supported.',
    headers: ['Accept-Patch'],
    example: ['unsupported_media_type', 'The body must be sent as application/json.'],
  },
  421: {
    name: 'MisdirectedRequest',
    description: 'The server does not accept the host name of the request.',
    example: ['misdirected_request', 'This server does not accept that host name; allow it with --allowed-host.'],
  },
  422: {
    name: 'UnprocessableEntity',
    description: 'The body is well-formed but invalid; a refused import has a report.',
    headers: ['ImportReport'],
    example: ['validation_failed', 'name: is required; categoryId: must be an integer.'],
  },
  428: {
    name: 'PreconditionRequired',
    description: 'The server requires If-Match for changes.',
    example: ['precondition_required', 'This server requires If-Match for changes: read the record first and send its ETag.'],
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests in a minute.',
    headers: ['Retry-After'],
    example: ['rate_limited', 'More than 600 requests a minute; try again in 12 s.'],
  },
  431: {
    name: 'RequestHeaderFieldsTooLarge',
    description: 'The headers are too large.',
    example: ['headers_too_large', 'The headers are larger than 16 KiB.'],
  },
  500: {
    name: 'InternalServerError',
    description: 'Internal server error.',
    example: ['internal_error', 'Something went wrong inside petstore.'],
  },
  501: {
    name: 'NotImplemented',
    description: 'The body has a transfer coding other than chunked.',
    example: ['not_implemented', 'Transfer-Encoding: only chunked is supported.'],
  },
  503: {
    name: 'ServiceUnavailable',
    description: 'The shop is not available now; try again.',
    headers: ['Retry-After'],
    example: ['store_busy', 'The shop is locked by another process; waited 9 s.'],
  },
};

function refusalResponseOf(status: number): RefusalResponse {
  const response = refusalResponses[status];
  if (response === undefined) throw new Error(`The document has no response of status ${status}.`);
  return response;
}

/** The statuses of refusals that come before a request is counted. */
const uncounted: readonly number[] = [414, 421, 431, 501];

function refusalPart(status: number, codes: readonly ErrorCode[], stableOnly: boolean): Part {
  const { description, headers = [], example } = refusalResponseOf(status);
  const [code, message] = example;
  return {
    description: `${description} Codes: ${codes.map((one) => `\`${one}\``).join(', ')}.`,
    headers: headerRefs(['X-Request-Id', 'API-Version', 'Petstore-Stability', ...(uncounted.includes(status) ? [] : rateLimitHeaders), ...headers]),
    content: {
      [jsonType]: { schema: ref('Error'), example: { code, message, status } },
      ...(!stableOnly && { [completeType]: { schema: ref('CompleteError'), example: { code, message, status } } }),
    },
  };
}

/** The responses that operations share: one for each status of a refusal, and the answer about a record that has not changed. */
export function sharedResponses(operations: readonly ContractOperation[], stableOnly: boolean): Part {
  const codes = new Map<number, Set<ErrorCode>>();
  for (const [status, some] of operations.flatMap((operation) => [...refusalsOf(operation)])) {
    codes.set(status, new Set([...(codes.get(status) ?? []), ...some]));
  }
  const refused = [...codes].map(([status, some]) => [refusalResponseOf(status).name, refusalPart(status, [...some], stableOnly)] as const);
  const notModified = {
    description: 'The record has not changed.',
    headers: headerRefs(['X-Request-Id', 'API-Version', 'Petstore-Stability', ...rateLimitHeaders, 'ETag', ...deprecationHeaderNames]),
  };
  return { NotModified: notModified, ...Object.fromEntries(refused) };
}

const responseRef = (name: string): Part => ({ $ref: `#/components/responses/${name}` });

/** The records that come with their version, as an ETag. */
const versioned = ['Pet', 'PetDetails', 'Category', 'Order', 'InventoryItem'];

/** Whether an operation answers one record that comes with an ETag. */
export function answersVersioned(operation: ContractOperation): boolean {
  return !answersList(operation) && operation.status !== 204 && versioned.includes(answerName(operation));
}

function successHeaders(operation: ContractOperation): readonly string[] {
  const { kind, tag, method, paged, stability, deprecated } = operation;
  const tagged = answersVersioned(operation);
  return [
    'X-Request-Id',
    'API-Version',
    ...rateLimitHeaders,
    ...(paged ? ['Link', 'X-Total-Count'] : []),
    ...(tagged ? ['ETag'] : []),
    ...(hasLocation(operation) ? ['Location'] : []),
    ...(changesRecords(operation) ? ['Idempotency-Replayed'] : []),
    ...(tag === 'Session' && kind === 'write' ? ['Set-Cookie'] : []),
    ...(method === 'PATCH' ? ['Accept-Patch'] : []),
    ...(stability === 'stable' && !deprecated ? [] : ['Petstore-Stability']),
    ...(deprecated ? deprecationHeaderNames : []),
  ];
}

function contentOf(operation: ContractOperation, status: number, stableOnly: boolean): Part {
  if (operation.answers !== undefined) return { [operation.answers]: { schema: { type: 'string' }, example: exampleOf(operation, status) } };
  const isList = answersList(operation);
  const name = answerName(operation);
  const complete = completeName(operation);
  return {
    ...(operation.status !== 204 && { [jsonType]: { schema: isList ? listOf(name) : ref(name), example: exampleOf(operation, status) } }),
    ...(!stableOnly &&
      complete !== undefined && { [completeType]: { ...betaMarks, schema: isList ? listOf(complete) : ref(complete), example: completeExample(operation) } }),
  };
}

const successWords: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  204: 'Done, without content.',
  207: 'Some rows were applied and others refused.',
};

function success(operation: ContractOperation, status: number, stableOnly: boolean): Part {
  return {
    description: operation.kind === 'read' ? 'Found.' : successWords[status],
    headers: headerRefs(successHeaders(operation)),
    ...(status !== 204 && { content: contentOf(operation, status, stableOnly) }),
  };
}

/** The responses of an operation by status. */
export function responsesOf(operation: ContractOperation, stableOnly: boolean): Part {
  const { kind, status } = operation;
  // Complete records are also answered where there is no content otherwise.
  const successes =
    rowName(operation) !== undefined ? [200, 207] : status === 204 && !stableOnly && completeName(operation) !== undefined ? [200, 204] : [status];
  return {
    ...Object.fromEntries(successes.map((one) => [one, success(operation, one, stableOnly)])),
    ...(kind === 'read' && answersVersioned(operation) && { 304: responseRef('NotModified') }),
    ...Object.fromEntries([...refusalsOf(operation).keys()].map((one) => [one, responseRef(refusalResponseOf(one).name)])),
  };
}
