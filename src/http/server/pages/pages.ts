import type { FastifyReply, RouteHandlerMethod, RouteOptions } from 'fastify';
import { newestEvent } from '../../../domain/ledger/follow-ledger.js';
import type { Shop } from '../../../domain/shop.js';
import { docsFiles, docsPage, docsPolicy } from './docs-page.js';
import { StoreError } from '../../../domain/errors.js';
import type { Metrics } from '../metrics.js';
import { openApiDocument } from '../../openapi/document.js';
import { compressing, staticFile } from './static-files.js';
import { json } from '../../contract/media-types.js';

function record(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.type(json).send(JSON.stringify(value));
}

// Supervisors usually give up after a few seconds.
const readyWithinMs = 2000;

/** Refuses with `store_unreachable` when the shop fails or does not answer in time. The reason is only logged: probes need no token. */
async function checkReady(shop: Shop): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The shop has not responded for ${readyWithinMs / 1000} s.`)), readyWithinMs);
  });
  try {
    await Promise.race([shop.call(newestEvent, {}), timeout]);
  } catch (error) {
    throw new StoreError('store_unreachable', 'The server is not ready; see its log.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The health probes: whether the process is alive, and whether it can serve requests. */
export function probeRoutes(basePath: string, shop: Shop, isStopping: () => boolean): readonly RouteOptions[] {
  return [
    { method: 'GET', url: `${basePath}/livez`, config: { isProbe: true }, handler: async (_, reply) => record(reply, { status: 'ok' }) },
    {
      method: 'GET',
      url: `${basePath}/readyz`,
      config: { isProbe: true },
      handler: async (_, reply) => {
        if (isStopping()) throw new StoreError('shutting_down', 'The server is shutting down.');
        await checkReady(shop);
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
