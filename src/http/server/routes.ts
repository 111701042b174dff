import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import type { AnyOperation, Contracted } from '../../domain/operations.js';
import type { CallOptions } from '../../domain/call.js';
import type { Shop } from '../../domain/shop.js';
import { answerOf, marksOf } from './answers.js';
import type { Door } from './authenticate.js';
import { bringsBody, readJson, type BodyPatience } from './request-body.js';
import { scopeOf } from '../contract/scopes.js';
import { partsOf } from './request-head.js';
import {
  acceptPatch,
  bodyTypes,
  isOverwriting,
  parametersOf,
  pathId,
  queryValues,
  shortened,
  takesBody,
  type Described,
  type Parameters,
} from '../contract/parameters.js';
import { headerNames, headerText, versionsIn } from '../contract/headers.js';
import { jsonType } from '../contract/media-types.js';

/** What the routes of one server share. */
export interface Routing {
  readonly basePath: string;
  readonly requireIfMatch: boolean;
  readonly enforceSunset: boolean;
  readonly patience: BodyPatience;
  readonly clock: () => number;
  /** The shop as whoever asks works on it. */
  readonly shopFor: (request: FastifyRequest) => Shop;
  readonly once: Once;
  /** What a failure means to whoever asked; one that nobody expected is logged. */
  readonly refusalFor: (error: unknown, request: FastifyRequest) => StoreError;
  /** Who gets in; for what a route finds out only later. */
  readonly door: Door;
}

/** How one operation of the contract is served. */
export interface OperationRoute {
  readonly operation: Contracted;
  /** Answers a request; `input` has the ids of its path and the values of its query. */
  readonly handler: (request: FastifyRequest, reply: FastifyReply, input: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** `any` where the handler finds out itself what a token must allow; otherwise that follows from the operation. */
  readonly scope?: 'any';
}

/** The ids of the path and the values of the query, as the operation's schema takes them. */
function inputOf(parameters: Parameters, request: FastifyRequest): Record<string, unknown> {
  const input = queryValues(parameters, partsOf(request.url).query);
  const segments = request.params as Readonly<Record<string, string>>;
  for (const parameter of parameters.path) input[parameter.name] = pathId(parameter, segments[parameter.name] ?? '');
  return input;
}

const keyPattern = /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** The key of a request that must not take effect twice. */
function idempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers[headerNames.key];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && keyPattern.test(key)) return key;
  throw new StoreError('invalid_parameter', 'Idempotency-Key: must be 1 to 255 printable ASCII characters.');
}

const maximumHeader = 8192;

/** A text that a header brings percent-encoded. */
function textOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  try {
    if (typeof value === 'string' && value.length <= maximumHeader) return headerText.read(value);
  } catch {
    // Refused below, like a header given twice.
  }
  throw new StoreError('invalid_parameter', `${name}: must be percent-encoded UTF-8.`);
}

/** What a request says about itself beside its input: a key, a note for the ledger, and whether it only looks. */
export function saidOf(request: FastifyRequest, reply: FastifyReply): CallOptions {
  const dryRun = request.headers[headerNames.dryRun];
  if (dryRun !== undefined && dryRun !== 'true' && dryRun !== 'false') {
    throw new StoreError('invalid_parameter', `${headerNames.dryRun}: must be true or false.`);
  }
  return {
    key: idempotencyKey(request),
    note: textOf(request, headerNames.note),
    dryRun: dryRun === 'true',
    onReplay: () => void reply.header(headerNames.replayed, 'true'),
  };
}

/** The conditions of a change of a record (RFC 9110, 13.1); refuses one without If-Match where the server asks for it. */
export function conditionsOf({ headers }: FastifyRequest, isNeeded = false): Pick<CallOptions, 'ifMatch' | 'ifNoneMatch'> {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match === undefined && isNeeded) {
    throw new StoreError('precondition_required', 'This server takes changes only with If-Match: read the record first and send its ETag.');
  }
  const versions = match === undefined ? 'any' : versionsIn(match);
  return {
    ...(versions !== 'any' && { ifMatch: versions }),
    // Compared weakly, unlike If-Match.
    ...(noneMatch !== undefined && { ifNoneMatch: versionsIn(noneMatch.replaceAll('W/"', '"')) }),
  };
}

async function bodyOf(request: FastifyRequest, operation: Described, patience: BodyPatience): Promise<{ readonly body?: unknown }> {
  if (takesBody(operation)) return { body: await readJson(request.raw, bodyTypes(operation), patience) };
  if (bringsBody(request.raw)) throw new StoreError('invalid_request', 'This operation takes no body.');
  return {};
}

/** Runs work under a key that no other work of the same sender runs under meanwhile. */
export type Once = <T>(request: FastifyRequest, key: string | undefined, work: () => Promise<T>) => Promise<T>;

/** Runs one request at a time under a key of a sender; refuses another one meanwhile with `idempotency_in_progress`. */
export function onceAtATime(senderOf: (request: FastifyRequest) => string): Once {
  const running = new Set<string>();
  return async (request, key, work) => {
    if (key === undefined) return work();
    // Neither a sender nor a key holds a line break.
    const ownKey = `${senderOf(request)}\n${key}`;
    if (running.has(ownKey)) {
      throw new StoreError('idempotency_in_progress', `A request under the key "${shortened(key)}" is still running; ask again when it is done.`);
    }
    running.add(ownKey);
    try {
      return await work();
    } finally {
      running.delete(ownKey);
    }
  };
}

/** Says on the answer how settled the operation is; refuses one that ended with `operation_sunset`, if the server was told to. */
function marker(described: Described, { basePath, clock, enforceSunset }: Routing): (request: FastifyRequest, reply: FastifyReply) => void {
  const { deprecated, stability } = described;
  if (deprecated === undefined && stability === 'stable') return () => undefined;
  const marksFor = marksOf(described, basePath);
  return (request, reply) => {
    reply.headers(marksFor(request.params as Readonly<Record<string, unknown>>));
    if (deprecated && enforceSunset && clock() > deprecated.sunset) {
      throw new StoreError('operation_sunset', `This operation ended on ${new Date(deprecated.sunset).toISOString()}; ask ${deprecated.successor}.`);
    }
  };
}

/** A route of the contract as Fastify takes it. Whatever it answers says how settled its operation is. */
export function contractRoute({ operation, handler, scope }: OperationRoute, routing: Routing): RouteOptions {
  const { id, method, path, deprecated, answers } = operation;
  const parameters = parametersOf(operation);
  const mark = marker(operation, routing);
  return {
    method,
    url: `${routing.basePath}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    config: { scope: scope ?? scopeOf(operation), answers: answers ?? jsonType, ...(deprecated && { deprecated: id }) },
    handler: async (request, reply) => {
      if (method === 'PATCH') reply.header('accept-patch', acceptPatch);
      mark(request, reply);
      return handler(request, reply, inputOf(parameters, request));
    },
  };
}

/** The route of an operation that is one transaction. */
export function routeOf(operation: AnyOperation, routing: Routing): OperationRoute {
  const { basePath, patience, shopFor, once, requireIfMatch } = routing;
  const answer = answerOf(operation, basePath);
  const conditional = requireIfMatch && isOverwriting(operation);
  return {
    operation,
    handler: async (request, reply, input) => {
      const shop = shopFor(request);
      if (operation.kind === 'read') {
        answer(request, reply, await shop.call(operation, input));
        return reply;
      }
      const options: CallOptions = { ...saidOf(request, reply), ...conditionsOf(request, conditional) };
      const whole = { ...input, ...(await bodyOf(request, operation, patience)) };
      answer(request, reply, await once(request, options.key, () => shop.call(operation, whole, options)));
      return reply;
    },
  };
}
