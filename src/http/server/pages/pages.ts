import type { FastifyReply, RouteHandlerMethod, RouteOptions } from 'fastify';
import { newestEvent } from '../../../domain/ledger/follow-ledger.js';
import type { Shop } from '../../../domain/shop.js';
import { docsFiles, docsPage, docsPolicy } from './docs-page.js';
import { StoreError } from '../../../domain/errors.js';
import { splitTarget } from '../request-head.js';
import type { Metrics } from '../metrics.js';
import { openApiDocument } from '../../openapi/document.js';
import { compressing, staticFile } from './static-files.js';
import { json } from '../../contract/media-types.js';

function record(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.type(json).send(JSON.stringify(value));
}

// Supervisors usually give up after a few seconds.
const readyWithinMs = 2000;

/** What the probes ask. */
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
  throw new StoreError('invalid_parameter', 'write is true or false.');
}

/** Refuses with `store_unreachable` when the shop fails or does not answer in time. The reason is only logged: probes need no token. */
async function checkReady(ready: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The shop has not responded for ${readyWithinMs / 1000} s.`)), readyWithinMs);
  });
  try {
    await Promise.race([ready, timeout]);
  } catch (error) {
    const code = error instanceof StoreError && error.code === 'store_read_only' ? error.code : 'store_unreachable';
    throw new StoreError(code, 'The server is not ready; see its log.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The health probes: whether the process is alive, and whether it can serve requests. */
export function probeRoutes(basePath: string, { shop, checkWritable, isStopping }: Probed): readonly RouteOptions[] {
  return [
    { method: 'GET', url: `${basePath}/livez`, config: { isProbe: true }, handler: async (_, reply) => record(reply, { status: 'ok' }) },
    {
      method: 'GET',
      url: `${basePath}/readyz`,
      config: { isProbe: true },
      handler: async (request, reply) => {
        if (isStopping()) throw new StoreError('shutting_down', 'The server is shutting down.');
        const writes = asksForWrites(request) ? checkWritable() : undefined;
        await checkReady(Promise.all([shop.call(newestEvent, {}), writes]));
        return record(reply, { status: 'ok' });
      },
    },
  ];
}

/** The metrics for Prometheus; requires the scope admin. */
export function metricsRoute(basePath: string, metrics: Metrics): RouteOptions {
  return {
    method: 'GET',
    url: `${basePath}/metrics`,
    config: { scope: 'admin' },
    handler: async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  };
}

/** The OpenAPI document, the documentation page, and the files of that page. */
export function documentRoutes(basePath: string, stableOnly: boolean, docsFolder: string): readonly RouteOptions[] {
  const route = (path: string, handler: RouteHandlerMethod): RouteOptions => ({ method: 'GET', url: `${basePath}${path}`, handler });
  const page = staticFile(
    'text/html; charset=utf-8',
    compressing(async () => Buffer.from(docsPage({ basePath }))),
    { 'content-security-policy': docsPolicy },
  );
  const files = docsFiles(docsFolder).map(({ name, type, read }) => route(`/docs/${name}`, staticFile(type, compressing(read))));
  const document = staticFile(
    json,
    compressing(async () => Buffer.from(JSON.stringify(openApiDocument({ basePath, stableOnly })))),
  );
  return [route('/openapi.json', document), route('/docs', page), route('/docs/', page), ...files];
}
