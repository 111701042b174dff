import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { StoreError } from '../domain/errors.js';
import type { AnyOperation } from '../domain/operations.js';
import type { Operation } from '../domain/operation.js';
import type { CallOptions, Shop } from '../domain/shop.js';
import { answerOf, markHeaders } from './answers.js';
import type { Door } from './door.js';
import { bringsBody, readJson, type BodyPatience } from './body.js';
import { headerText, parametersOf, pathId, queryValues, shortened, versionsIn, type Described, type Parameters } from './wire.js';

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
  /** Who gets in; for what a route finds out only later. */
  readonly door: Door;
}

/** The query of an address, without its question mark. */
export function queryOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** The ids of the path and the values of the query, as the operation's schema takes them. */
export function inputOf(parameters: Parameters, request: FastifyRequest): Record<string, unknown> {
  const input = queryValues(parameters, queryOf(request));
  const segments = request.params as Readonly<Record<string, string>>;
  for (const parameter of parameters.path) input[parameter.name] = pathId(parameter, segments[parameter.name] ?? '');
  return input;
}

const keyPattern = /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** The key of a request that must not take effect twice. */
export function idempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key'];
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
  const dryRun = request.headers['petstore-dry-run'];
  if (dryRun !== undefined && dryRun !== 'true' && dryRun !== 'false') throw new StoreError('invalid_parameter', 'petstore-dry-run: must be true or false.');
  return {
    key: idempotencyKey(request),
    note: textOf(request, 'petstore-note'),
    dryRun: dryRun === 'true',
    onReplay: () => void reply.header('idempotency-replayed', 'true'),
  };
}

/** The versions a change of a record is meant for; refuses to go without where the server asks for them. */
function expectedVersions({ headers }: FastifyRequest, needed: boolean): readonly number[] | undefined {
  const header = headers['if-match'];
  if (header !== undefined) return versionsIn(header);
  if (!needed) return undefined;
  throw new StoreError('precondition_required', 'This server takes changes only with If-Match: read the record first and send its ETag.');
}

/** The media types of a JSON record. */
export const jsonTypes = ['application/json'];
const patchTypes = ['application/json', 'application/merge-patch+json'];

async function bodyOf(request: FastifyRequest, { method }: Described, { hasBody }: Parameters, patience: BodyPatience): Promise<{ readonly body?: unknown }> {
  if (hasBody) return { body: await readJson(request.raw, method === 'PATCH' ? patchTypes : jsonTypes, patience) };
  if (bringsBody(request.raw)) throw new StoreError('invalid_request', 'This operation takes no body.');
  return {};
}

/** Runs work under a key that no other work runs under meanwhile. */
export type Once = <T>(key: string | undefined, work: () => Promise<T>) => Promise<T>;

/** Lets one request at a time go under a key; another one under it meanwhile is refused with `idempotency_in_progress`. */
export function onceAtATime(): Once {
  const running = new Set<string>();
  return async (key, work) => {
    if (key === undefined) return work();
    if (running.has(key)) {
      throw new StoreError('idempotency_in_progress', `A request under the key "${shortened(key)}" is still running; ask again when it is done.`);
    }
    running.add(key);
    try {
      return await work();
    } finally {
      running.delete(key);
    }
  };
}

/** Whether a change of the record named by the path can be made conditional. */
function isVersioned({ method, path }: Described): boolean {
  return /\{(pet|order|category)Id\}/.test(path) && ['PUT', 'PATCH', 'DELETE'].includes(method);
}

/** The path of an operation as Fastify spells it. */
export function urlOf({ path }: Described, basePath: string): string {
  return `${basePath}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

/** Says on the answer how settled the operation is; refuses one that ended with `operation_sunset`, if the server was told to. */
export function mark(described: Described, { basePath, clock, enforceSunset }: Routing, request: FastifyRequest, reply: FastifyReply): void {
  const { deprecated, stability } = described;
  if (deprecated === undefined && stability === 'stable') return;
  reply.headers(markHeaders(described, request.params as Readonly<Record<string, unknown>>, basePath));
  if (deprecated && enforceSunset && clock() > deprecated.sunset) {
    throw new StoreError('operation_sunset', `This operation ended on ${new Date(deprecated.sunset).toISOString()}; ask ${deprecated.successor}.`);
  }
}

/** A route as Fastify takes it, for one operation. */
export function routeOf(declared: AnyOperation, routing: Routing): RouteOptions {
  const { basePath, patience, shopFor, once } = routing;
  const operation = declared as unknown as Operation<unknown, unknown, unknown>;
  const described = declared as unknown as Described;
  const parameters = parametersOf(described);
  const answer = answerOf(described, basePath);
  const conditional = routing.requireIfMatch && isVersioned(described);
  return {
    method: declared.method,
    url: urlOf(described, basePath),
    handler: async (request, reply) => {
      mark(described, routing, request, reply);
      const input = inputOf(parameters, request);
      const shop = shopFor(request);
      if (operation.kind === 'read') {
        answer(request, reply, await shop.call(operation, input));
        return reply;
      }
      const options: CallOptions = { ...saidOf(request, reply), ifMatch: expectedVersions(request, conditional) };
      const whole = { ...input, ...(await bodyOf(request, described, parameters, patience)) };
      answer(request, reply, await once(options.key, () => shop.call(operation, whole, options)));
      return reply;
    },
  };
}
