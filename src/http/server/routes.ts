import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { withJsonRecords } from '../../domain/operation.js';
import type { AnyOperation, ContractOperation } from '../../domain/operations.js';
import type { CallOptions } from '../../domain/call.js';
import type { Shop } from '../../domain/shop.js';
import { answerOf, stabilityHeaders, wantsRows } from './answers.js';
import type { Authenticate } from './authenticate.js';
import { hasBody, readJson, type BodyTimeouts } from './request-body.js';
import { scopeOf } from '../contract/scopes.js';
import { splitTarget } from './request-head.js';
import {
  acceptPatch,
  bodyTypes,
  isOverwriting,
  parametersOf,
  pathId,
  queryValues,
  takesBody,
  type Described,
  type Parameters,
} from '../contract/parameters.js';
import { shortened } from '../../domain/values/text.js';
import { headerNames, headerText, versionsIn } from '../contract/headers.js';
import { jsonType } from '../contract/media-types.js';

/** What all routes of one server share. */
export interface Routing {
  readonly basePath: string;
  readonly requireIfMatch: boolean;
  readonly enforceSunset: boolean;
  readonly timeouts: BodyTimeouts;
  readonly clock: () => number;
  /** The shop for the sender of a request. */
  readonly shopFor: (request: FastifyRequest) => Shop;
  readonly runExclusively: RunExclusively;
  /** The refusal to answer for an error; logs an unexpected one. */
  readonly refusalFor: (error: unknown, request: FastifyRequest) => StoreError;
  /** For long answers that check their token again. */
  readonly authenticate: Authenticate;
}

/** How one operation of the contract is served. */
export interface OperationRoute {
  readonly operation: ContractOperation;
  /** Answers a request; `input` holds the parameters of path and query. */
  readonly handler: (request: FastifyRequest, reply: FastifyReply, input: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** `any` when the handler checks the scope, `none` for a public route; otherwise the scope of the operation. */
  readonly scope?: 'any' | 'none';
}

/** The parameters of path and query; refuses with `invalid_parameter` and `unknown_parameter`. */
function inputOf(parameters: Parameters, request: FastifyRequest): Record<string, unknown> {
  const input = queryValues(parameters, splitTarget(request.url).query);
  const segments = request.params as Readonly<Record<string, string>>;
  for (const parameter of parameters.path) input[parameter.name] = pathId(parameter, segments[parameter.name] ?? '');
  return input;
}

const keyPattern = /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** The Idempotency-Key of a request; refuses an invalid one with `invalid_parameter`. */
function idempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers[headerNames.key];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && keyPattern.test(key)) return key;
  throw new StoreError('invalid_parameter', 'Idempotency-Key: must be 1 to 255 printable ASCII characters.');
}

const maximumHeaderLength = 8192;

/** The decoded text of a percent-encoded header; refuses an invalid one with `invalid_parameter`. */
function headerValue({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  try {
    if (typeof value === 'string' && value.length <= maximumHeaderLength) return headerText.read(value);
  } catch {
    // Refused below, like a repeated header.
  }
  throw new StoreError('invalid_parameter', `${name}: must be percent-encoded UTF-8.`);
}

/** Key, note and dry run from the headers of a request; refuses invalid ones with `invalid_parameter`. */
export function callOptionsOf(request: FastifyRequest, reply: FastifyReply): CallOptions {
  const dryRun = request.headers[headerNames.dryRun];
  if (dryRun !== undefined && dryRun !== 'true' && dryRun !== 'false') {
    throw new StoreError('invalid_parameter', `${headerNames.dryRun}: must be true or false.`);
  }
  return {
    key: idempotencyKey(request),
    note: headerValue(request, headerNames.note),
    dryRun: dryRun === 'true',
    onReplay: () => void reply.header(headerNames.replayed, 'true'),
  };
}

/** The conditions of a change (RFC 9110, 13.1); refuses a missing If-Match with `precondition_required` when it is required. */
export function conditionsOf({ headers }: FastifyRequest, isRequired = false): Pick<CallOptions, 'ifMatch' | 'ifNoneMatch'> {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match === undefined && isRequired) {
    throw new StoreError('precondition_required', 'This server requires If-Match for changes: read the record first and send its ETag.');
  }
  const versions = match === undefined ? 'any' : versionsIn(match);
  return {
    ...(versions !== 'any' && { ifMatch: versions }),
    // If-None-Match compares weakly, If-Match strongly (RFC 9110, 13.1).
    ...(noneMatch !== undefined && { ifNoneMatch: versionsIn(noneMatch.replaceAll('W/"', '"')) }),
  };
}

/** Refuses a body with `invalid_request`. */
export function refuseBody({ raw }: Pick<FastifyRequest, 'raw'>): void {
  if (hasBody(raw)) throw new StoreError('invalid_request', 'This operation takes no body.');
}

async function bodyOf(request: FastifyRequest, operation: Described, timeouts: BodyTimeouts): Promise<{ readonly body?: unknown }> {
  if (takesBody(operation)) return { body: await readJson(request.raw, bodyTypes(operation), timeouts) };
  refuseBody(request);
  return {};
}

/** Runs work while no other work of the same sender runs under the same key. */
export type RunExclusively = <T>(request: FastifyRequest, key: string | undefined, work: () => Promise<T>) => Promise<T>;

/** Allows one running request per sender and key; refuses another with `idempotency_in_progress`. */
export function exclusiveRunner(senderOf: (request: FastifyRequest) => string): RunExclusively {
  const running = new Set<string>();
  return async (request, key, work) => {
    if (key === undefined) return work();
    // Neither sender nor key can contain a line break.
    const ownKey = `${senderOf(request)}\n${key}`;
    if (running.has(ownKey)) {
      throw new StoreError('idempotency_in_progress', `A request with the key "${shortened(key)}" is still running; try again when it is done.`);
    }
    running.add(ownKey);
    try {
      return await work();
    } finally {
      running.delete(ownKey);
    }
  };
}

/** Sets the stability headers of an answer. With `enforceSunset` refuses an operation after its sunset with `operation_sunset`. */
function stabilityMarker(described: Described, { basePath, clock, enforceSunset }: Routing): (request: FastifyRequest, reply: FastifyReply) => void {
  const { deprecated, stability } = described;
  if (deprecated === undefined && stability === 'stable') return () => undefined;
  const headersFor = stabilityHeaders(described, basePath);
  return (request, reply) => {
    reply.headers(headersFor(request.params as Readonly<Record<string, unknown>>));
    if (deprecated && enforceSunset && clock() > deprecated.sunset) {
      throw new StoreError('operation_sunset', `This operation was removed on ${new Date(deprecated.sunset).toISOString()}; use ${deprecated.successor}.`);
    }
  };
}

/** The Fastify route of an operation. Every answer, refusals included, has the stability headers. */
export function contractRoute({ operation, handler, scope }: OperationRoute, routing: Routing): RouteOptions {
  const { id, method, path, deprecated, answers } = operation;
  const parameters = parametersOf(operation);
  const setStability = stabilityMarker(operation, routing);
  const needed = scope === 'none' ? undefined : (scope ?? scopeOf(operation));
  return {
    method,
    url: `${routing.basePath}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    config: { ...(needed && { scope: needed }), answers: answers ?? jsonType, ...(deprecated && { deprecated: id }) },
    handler: (request, reply) => {
      if (method === 'PATCH') reply.header('accept-patch', acceptPatch);
      setStability(request, reply);
      return handler(request, reply, inputOf(parameters, request));
    },
  };
}

/** The route of an operation that is one transaction. */
export function routeOf(operation: AnyOperation, routing: Routing): OperationRoute {
  const { basePath, timeouts, shopFor, runExclusively, requireIfMatch } = routing;
  const answer = answerOf(operation, basePath);
  const answered = withJsonRecords(operation);
  const conditional = requireIfMatch && isOverwriting(operation);
  return {
    operation,
    handler: async (request, reply, input) => {
      const shop = shopFor(request);
      if (operation.kind === 'read') {
        answer(request, reply, await shop.call(wantsRows(request) ? operation : answered, input));
        return reply;
      }
      const options: CallOptions = { ...callOptionsOf(request, reply), ...conditionsOf(request, conditional) };
      const whole = { ...input, ...(await bodyOf(request, operation, timeouts)) };
      answer(request, reply, await runExclusively(request, options.key, () => shop.call(operation, whole, options)));
      return reply;
    },
  };
}
