import type { IncomingMessage } from 'node:http';
import type { FastifyReply, RouteOptions } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { newestEvent } from '../../domain/ledger/follow-ledger.js';
import type { Shop } from '../../domain/shop.js';
import { jsonContentType } from '../contract/media-types.js';
import { splitTarget } from './request-head.js';
import { withTimeout } from './with-timeout.js';

function sendOk(reply: FastifyReply): FastifyReply {
  return reply.type(jsonContentType).send('{"status":"ok"}');
}

// Supervisors usually give up after a few seconds.
const readyWithinMs = 2000;

/** What the probes read. */
export interface Probed {
  readonly shop: Shop;
  /** Refuses when the shop cannot be written to. */
  readonly checkWritable: () => Promise<void>;
  readonly isStopping: () => boolean;
}

/** Whether `?write=true` asks for a shop that can be written to; refuses other values with `invalid_parameter`. */
function asksForWrites({ url }: { readonly url: string }): boolean {
  const value = new URLSearchParams(splitTarget(url).query).get('write');
  if (value === null || value === 'false') return false;
  if (value === 'true') return true;
  throw new StoreError('invalid_parameter', 'write: must be true or false.', { details: { field: 'write' } });
}

/** Refuses with `store_unreachable` when the shop fails or does not answer in time. The reason is only logged: probes need no token. */
async function checkReady(ready: Promise<unknown>): Promise<void> {
  try {
    await withTimeout(ready, readyWithinMs, () => new Error(`The shop has not responded for ${readyWithinMs / 1000} s.`));
  } catch (error) {
    const code = error instanceof StoreError && error.code === 'store_read_only' ? error.code : 'store_unreachable';
    throw new StoreError(code, 'The server is not ready; see its log.', { cause: error });
  }
}

const probePaths = { live: '/livez', ready: '/readyz' } as const;

/** Tells whether a request is for one of the health probes. */
export function probeMatcher(basePath: string): (request: Pick<IncomingMessage, 'url'>) => boolean {
  const paths = Object.values(probePaths).map((path) => `${basePath}${path}`);
  return ({ url = '' }) => paths.includes(splitTarget(url).path);
}

/** The health probes: whether the process is alive, and whether it can serve requests. */
export function probeRoutes(basePath: string, { shop, checkWritable, isStopping }: Probed): readonly RouteOptions[] {
  return [
    { method: 'GET', url: `${basePath}${probePaths.live}`, config: { isProbe: true }, handler: async (_, reply) => sendOk(reply) },
    {
      method: 'GET',
      url: `${basePath}${probePaths.ready}`,
      config: { isProbe: true },
      handler: async (request, reply) => {
        if (isStopping()) throw new StoreError('shutting_down', 'The server is shutting down.');
        const writes = asksForWrites(request) ? checkWritable() : undefined;
        await checkReady(Promise.all([shop.call(newestEvent, {}), writes]));
        return sendOk(reply);
      },
    },
  ];
}
