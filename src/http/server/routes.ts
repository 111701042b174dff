import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { checkNamesRecord } from '../../domain/conditions.js';
import { StoreError } from '../../domain/errors.js';
import type { AnyOperation, ContractOperation } from '../../domain/operations.js';
import type { CallOptions } from '../../domain/call.js';
import type { Shop } from '../../domain/shop.js';
import { answerOf, stabilityHeaders } from './answers.js';
import { authorize, type Authenticate } from './authenticate.js';
import { callOptionsOf, conditionsOf } from './call-options.js';
import type { RunExclusively } from './exclusive-runner.js';
import type { Metrics } from './metrics.js';
import { readJson, refuseBody, type BodyTimeouts } from './request-body.js';
import { scopeOf, acceptPatch, bodyTypes, changesRecords, isOverwriting, takesBody } from '../contract/operation-rules.js';
import { splitTarget } from './request-head.js';
import { parametersOf, pathValue, queryValues, type Parameters } from '../contract/parameters.js';
import { jsonType } from '../contract/media-types.js';

/** What all routes of one server share. */
export interface Routing {
  readonly basePath: string;
  readonly requireIfMatch: boolean;
  readonly timeouts: BodyTimeouts;
  /** The shop for the sender of a request. */
  readonly shopFor: (request: FastifyRequest) => Shop;
  readonly runExclusively: RunExclusively;
  readonly stored: Metrics['stored'];
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
  for (const parameter of parameters.path) input[parameter.name] = pathValue(parameter, segments[parameter.name] ?? '');
  return input;
}

/** The Fastify route of an operation. Every answer, refusals included, has the stability headers. */
export function contractRoute({ operation, handler, scope }: OperationRoute, routing: Routing): RouteOptions {
  const { id, method, path, tag, deprecated, answers } = operation;
  const parameters = parametersOf(operation);
  const headersFor = stabilityHeaders(operation, routing.basePath);
  const needed = scope === 'none' ? undefined : (scope ?? scopeOf(operation));
  return {
    method,
    url: `${routing.basePath}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    config: { ...(needed && { scope: needed }), answers: answers ?? jsonType, logged: parameters.query, ...(deprecated && { deprecated: id }) },
    handler: (request, reply) => {
      if (method === 'PATCH') reply.header('accept-patch', acceptPatch);
      reply.headers(headersFor(request.params as Readonly<Record<string, unknown>>));
      if (request.identity) authorize(request.identity, operation.alsoRequires);
      // The answer sets or names a session.
      if (tag === 'Session' && operation.kind === 'write') reply.header('cache-control', 'no-store');
      if (changesRecords(operation)) checkNamesRecord(operation, conditionsOf(request));
      return handler(request, reply, inputOf(parameters, request));
    },
  };
}

/** The route of an operation that is one transaction. */
export function routeOf(operation: AnyOperation, routing: Routing): OperationRoute {
  const { basePath, timeouts, shopFor, runExclusively, stored, requireIfMatch } = routing;
  const answer = answerOf(operation, basePath);
  const conditional = requireIfMatch && isOverwriting(operation);
  return {
    operation,
    handler: async (request, reply, input) => {
      const shop = shopFor(request);
      if (operation.kind === 'read') {
        answer(request, reply, await stored('read', () => shop.call(operation, input, { waitedMs: request.waitedMs })));
        return reply;
      }
      const options: CallOptions = { ...callOptionsOf(request, reply), ...conditionsOf(request, conditional) };
      let whole = input;
      if (takesBody(operation)) whole = { ...input, body: await readJson(request.raw, bodyTypes(operation), timeouts) };
      else await refuseBody(request.raw, timeouts);
      answer(request, reply, await runExclusively(request, options.key, () => stored('write', () => shop.call(operation, whole, options))));
      return reply;
    },
  };
}
