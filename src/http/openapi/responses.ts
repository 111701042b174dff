import { completeExample } from '../../domain/complete-records.js';
import type { ErrorCode } from '../../domain/errors.js';
import { exampleReport } from '../../domain/imports/import-report.js';
import { exampleRowError } from '../../domain/imports/row-error.js';
import type { ContractOperation } from '../../domain/operations.js';
import { completeType, jsonType } from '../contract/media-types.js';
import { changesRecords, hasLocation } from '../contract/operation-rules.js';
import { headerRefs, rateLimitHeaders } from './headers.js';
import { refusalsOf } from './refusals.js';
import { answerName, answersList, completeName, listOf, ref, rowName, type Part } from './schemas.js';

/** The response of all refusals with one status. */
interface RefusalResponse {
  readonly name: string;
  readonly description: string;
  readonly headers?: readonly string[];
}

/** The marks of what may still change. */
export const betaMarks = { 'x-stability-level': 'beta', 'x-beta': true };

const deprecationHeaderNames = ['Deprecation', 'Sunset', 'Successor'];

/** The refusals of each status: the name of their response, and what they mean. */
const refusalResponses: Readonly<Record<number, RefusalResponse>> = {
  400: { name: 'BadRequest', description: 'The request is malformed.', headers: deprecationHeaderNames },
  401: { name: 'Unauthorized', description: 'The request has no token, or an invalid one.', headers: ['WWW-Authenticate'] },
  403: { name: 'Forbidden', description: 'The token does not allow this, or the request is from a web page of another origin.', headers: ['WWW-Authenticate'] },
  404: { name: 'NotFound', description: 'There is no such record.', headers: deprecationHeaderNames },
  406: { name: 'NotAcceptable', description: 'The response is not available in a media type that the request accepts.' },
  408: { name: 'RequestTimeout', description: 'The request did not arrive in time.' },
  409: { name: 'Conflict', description: 'The state of the shop does not allow this.' },
  410: { name: 'Gone', description: 'The ledger no longer has the entry of an event id or of a cursor.' },
  412: { name: 'PreconditionFailed', description: 'The record does not meet the conditions of the request.' },
  413: { name: 'PayloadTooLarge', description: 'The body is too large.' },
  414: { name: 'UriTooLong', description: 'The address is too long.' },
  415: { name: 'UnsupportedMediaType', description: 'The media type of the body is not supported.', headers: ['Accept-Patch'] },
  421: { name: 'MisdirectedRequest', description: 'The server does not accept the host name of the request.' },
  422: { name: 'UnprocessableEntity', description: 'The body is well-formed but invalid; a refused import has a report.', headers: ['ImportReport'] },
  428: { name: 'PreconditionRequired', description: 'The server requires If-Match for changes.' },
  429: { name: 'TooManyRequests', description: 'Too many requests in a minute.', headers: ['Retry-After'] },
  431: { name: 'RequestHeaderFieldsTooLarge', description: 'The headers are too large.' },
  500: { name: 'InternalServerError', description: 'Internal server error.' },
  501: { name: 'NotImplemented', description: 'The body has a transfer coding other than chunked.' },
  503: { name: 'ServiceUnavailable', description: 'The shop is not available now; try again.', headers: ['Retry-After'] },
};

function refusalResponseOf(status: number): RefusalResponse {
  const response = refusalResponses[status];
  if (response === undefined) throw new Error(`The document has no response of status ${status}.`);
  return response;
}

/** The statuses of refusals that come before a request is counted. */
const uncounted: readonly number[] = [414, 421, 431, 501];

function refusalPart(status: number, codes: readonly ErrorCode[], stableOnly: boolean): Part {
  const { description, headers = [] } = refusalResponseOf(status);
  const example = { code: codes[0], message: description, status };
  return {
    description: `${description} Codes: ${codes.map((one) => `\`${one}\``).join(', ')}.`,
    headers: headerRefs(['X-Request-Id', 'API-Version', 'Petstore-Stability', ...(uncounted.includes(status) ? [] : rateLimitHeaders), ...headers]),
    content: {
      [jsonType]: { schema: ref('Error'), example },
      ...(!stableOnly && { [completeType]: { schema: ref('CompleteError'), example } }),
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

/** The example of a successful answer; 207 is that of an import of which some rows were refused. */
function exampleOf({ example }: ContractOperation, status: number): unknown {
  return status === 207 ? { ...exampleReport, mode: 'keep-going', applied: 1, rejected: 1, errors: [exampleRowError] } : example.answer;
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
