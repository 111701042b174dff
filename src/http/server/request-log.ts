import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoreError } from '../../domain/errors.js';
import { causeOf } from './errors.js';
import type { InstanceParts } from './fastify-instance.js';
import type { Metrics } from './metrics.js';
import type { Log, LogEntry } from './server-options.js';

// What nginx calls a request whose client closed the connection before it was answered.
const clientClosed = 499;

function refusalFields(refusal: StoreError | undefined): Omit<LogEntry, 'msg'> {
  if (refusal === undefined) return {};
  const { code, status, message } = refusal;
  return { code, ...(status >= 500 && { reason: message, cause: causeOf(refusal) }) };
}

/** Writes one line of the log and counts one answer for every request, also for those that were answered below the routes or not at all. */
export function requestLog(log: Log, counted: Metrics): Pick<InstanceParts, 'begun' | 'rawAnswered'> {
  const write = (request: FastifyRequest, reply: FastifyReply, elapsedMs: number): void => {
    const { method, url, id, visitor, routeOptions, refusal } = request;
    const { headersSent, statusCode } = reply.raw;
    // A refusal that is written below the routes sets its status, but is no answer of this response.
    const status = headersSent || statusCode !== 200 ? statusCode : clientClosed;
    const ms = Math.round(elapsedMs * 1000) / 1000;
    const { deprecated } = routeOptions.config;
    counted.answered(method, routeOptions.url ?? '', status, ms);
    if (deprecated !== undefined) counted.deprecated(deprecated);
    // Node emits `finish` for an answer whose connection was destroyed as well.
    const isCut = headersSent && request.socket?.destroyed;
    log.info({ msg: 'request', id, method, url: url.slice(0, 500), status, ...refusalFields(refusal), ms, actor: visitor?.actor, ...(isCut && { cut: true }) });
  };
  return {
    begun: (request, reply) => {
      // Fastify measures elapsedTime only for its own logger and onResponse hooks; this server has neither.
      const startedAt = performance.now();
      let isWritten = false;
      const once = (): void => {
        if (!isWritten) write(request, reply, performance.now() - startedAt);
        isWritten = true;
      };
      reply.raw.once('finish', once);
      reply.raw.once('close', once);
    },
    rawAnswered: (refusal, id) => {
      counted.answered('', '', refusal.status, 0);
      log.info({ msg: 'request', id, status: refusal.status, ...refusalFields(refusal) });
    },
  };
}
