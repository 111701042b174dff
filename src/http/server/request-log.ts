import type { FastifyReply, FastifyRequest } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { withoutTokens } from '../../domain/tokens/token-text.js';
import { causeOf, failureEntry, refusalOf } from './errors.js';
import type { FastifyHooks } from './fastify-instance.js';
import type { Metrics } from './metrics.js';
import type { Log, LogEntry } from './server-options.js';

// The status that nginx logs when the client closed the connection before the answer.
const clientClosed = 499;

function refusalFields(refusal: StoreError | undefined): Omit<LogEntry, 'msg'> {
  if (refusal === undefined) return {};
  const { code, status, message } = refusal;
  return { code, ...(status >= 500 && { reason: message, cause: causeOf(refusal) }) };
}

const shortName = /^[\w%-]{1,30}$/;

/** The target of a request for the log: the value of a parameter that the route does not take is masked, because it may be a token or another secret. */
function loggedTarget(url: string, known: ReadonlyMap<string, unknown> | undefined): string {
  const [path = '', ...query] = url.split('?');
  if (query.length === 0) return path;
  const masked = (pair: string): string => {
    const [name = ''] = pair.split('=', 1);
    if (known?.has(name)) return pair;
    return name !== pair && shortName.test(name) ? `${name}=***` : '***';
  };
  return `${path}?${query.join('?').split('&').map(masked).join('&')}`;
}

/** Logs and counts every request once, including those refused below the routes and those without an answer; logs unexpected errors, which are answered with `internal_error`. */
export function requestLog(log: Log, metrics: Metrics): Pick<FastifyHooks, 'onBegin' | 'onRawRefusal' | 'refusalFor'> {
  const write = (request: FastifyRequest, reply: FastifyReply, elapsedMs: number): void => {
    const { method, url, id, identity, routeOptions, refusal } = request;
    const { headersSent, statusCode } = reply.raw;
    // A refusal below the routes sets the status of this response without sending it.
    const status = headersSent || statusCode !== 200 ? statusCode : clientClosed;
    const ms = Math.round(elapsedMs * 1000) / 1000;
    const { deprecated, logged } = routeOptions.config;
    metrics.answered(method, routeOptions.url ?? '', status, ms);
    if (deprecated !== undefined) metrics.deprecated(deprecated);
    const isCut = headersSent && request.socket?.destroyed;
    log.info({
      msg: 'request',
      id,
      method,
      url: withoutTokens(loggedTarget(url, logged)).slice(0, 500),
      status,
      ...refusalFields(refusal),
      ms,
      actor: identity?.actor,
      ...(isCut && { cut: true }),
    });
  };
  return {
    onBegin: (request, reply) => {
      // Fastify measures elapsedTime only for its own logger and onResponse hooks; this server has neither.
      const startedAt = performance.now();
      // Before the listener of the connection, which begins the next request.
      reply.raw.prependOnceListener('close', () => write(request, reply, performance.now() - startedAt));
    },
    onRawRefusal: (refusal, id) => {
      metrics.answered('', '', refusal.status, 0);
      log.info({ msg: 'request', id, status: refusal.status, ...refusalFields(refusal) });
    },
    refusalFor: (error, { id }) => {
      const refusal = refusalOf(error);
      if (refusal !== undefined) return refusal;
      log.error({ ...failureEntry(error), id });
      return new StoreError('internal_error', `Internal error; see request ${id} in the log of the server.`);
    },
  };
}
