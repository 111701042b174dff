import type { FastifyReply, RouteHandlerMethod, RouteOptions } from 'fastify';
import { newestEvent } from '../../domain/ledger/follow-ledger.js';
import type { Shop } from '../../domain/shop.js';
import { docsFiles, docsPage, docsPolicy } from './docs-page.js';
import { StoreError } from '../../domain/errors.js';
import type { Metrics } from './metrics.js';
import { openApiDocument } from '../openapi/document.js';
import { staticFile } from './static-files.js';
import { json } from '../contract/media-types.js';

function record(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.type(json).send(JSON.stringify(value));
}

// Supervisors give up after a few seconds.
const readyWithinMs = 2000;

/** Refuses with `store_unreachable` when the shop fails or does not answer in time. Only the log says why: anybody may ask. */
async function checkReady(shop: Shop): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const waited = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`The shop has not answered for ${readyWithinMs / 1000} s.`)), readyWithinMs);
  });
  try {
    await Promise.race([shop.call(newestEvent, {}), waited]);
  } catch (error) {
    throw new StoreError('store_unreachable', 'This server is not ready; its log says why.', undefined, { cause: error });
  } finally {
    clearTimeout(late);
  }
}

/** What a supervisor asks: whether the process is alive, and whether it can serve. */
export function probeRoutes(basePath: string, shop: Shop, isStopping: () => boolean): readonly RouteOptions[] {
  return [
    { method: 'GET', url: `${basePath}/livez`, config: { isProbe: true }, handler: async (_, reply) => record(reply, { status: 'ok' }) },
    {
      method: 'GET',
      url: `${basePath}/readyz`,
      config: { isProbe: true },
      handler: async (_, reply) => {
        if (isStopping()) throw new StoreError('shutting_down', 'This server is about to end.');
        await checkReady(shop);
        return record(reply, { status: 'ok' });
      },
    },
  ];
}

/** The metrics, as Prometheus collects them; for tokens that allow everything. */
export function metricsRoute(basePath: string, metrics: Metrics): RouteOptions {
  return {
    method: 'GET',
    url: `${basePath}/metrics`,
    config: { scope: 'admin' },
    handler: async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  };
}

/** The document of the contract, the page that shows it, and the files of that page. */
export function documentRoutes(basePath: string, stableOnly: boolean, docsFolder: string): readonly RouteOptions[] {
  const route = (path: string, handler: RouteHandlerMethod): RouteOptions => ({ method: 'GET', url: `${basePath}${path}`, handler });
  const page = staticFile('text/html; charset=utf-8', async () => Buffer.from(docsPage({ basePath })), { 'content-security-policy': docsPolicy });
  const files = docsFiles(docsFolder).map(({ name, type, read }) => route(`/docs/${name}`, staticFile(type, read)));
  const document = staticFile(json, async () => Buffer.from(JSON.stringify(openApiDocument({ basePath, stableOnly }))));
  return [route('/openapi.json', document), route('/docs', page), route('/docs/', page), ...files];
}
