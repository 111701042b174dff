import type { RouteOptions } from 'fastify';
import { checkInput } from '../domain/check.js';
import { StoreError } from '../domain/errors.js';
import type { ImportFile, ImportReport } from '../domain/imports.js';
import { importPets } from '../domain/pet-imports.js';
import type { Shop } from '../domain/shop.js';
import { importInventory } from '../domain/stock-imports.js';
import { undoBatch } from '../domain/undo.js';
import { answerOf } from './answers.js';
import { bringsBody, checkMediaType, importBytes, mediaTypeOf } from './body.js';
import { idempotencyKey, inputOf, mark, urlOf, type Routing } from './routes.js';
import { writerOf } from './shape.js';
import { json, parametersOf, type Described } from './wire.js';

const formats: Readonly<Record<string, NonNullable<ImportFile['format']>>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/x-ndjson': 'ndjson',
  'application/json': 'json',
};

type Import = (shop: Shop, file: ImportFile, input: unknown, key: string | undefined) => Promise<ImportReport>;

/** 422 where nothing could be applied, 207 where some of it was. */
function statusOf({ dryRun, applied, unchanged, alreadyApplied, rejected }: ImportReport): 200 | 207 | 422 {
  if (dryRun || rejected === 0) return 200;
  return applied + unchanged + alreadyApplied > 0 ? 207 : 422;
}

function refused({ rejected, total, errors, batch }: ImportReport): StoreError {
  const [first] = errors;
  const example = first === undefined ? '' : ` The first is line ${first.line}: ${first.code} ${first.message}`;
  return new StoreError('import_refused', `${rejected} of ${total} rows were refused and nothing was changed; batch ${batch} has the report.${example}`);
}

/** The route of a streamed import: the body goes into the shop as it arrives. */
function importRoute(described: Described, routing: Routing, perform: Import): RouteOptions {
  const { basePath, patience, once, shopFor } = routing;
  const parameters = parametersOf(described);
  const write = writerOf(described.output);
  return {
    method: 'POST',
    url: urlOf(described, basePath),
    handler: async (request, reply) => {
      mark(described, routing, request, reply);
      const input = checkInput(described, inputOf(parameters, request));
      const key = idempotencyKey(request);
      const format = formats[checkMediaType(mediaTypeOf(request.raw), Object.keys(formats))];
      const file: ImportFile = { bytes: importBytes(request.raw, patience), format, name: 'the body', map: new Map() };
      const report = await once(key, () => perform(shopFor(request), file, input, key));
      if (report.earlier) reply.header('idempotency-replayed', 'true');
      const status = statusOf(report);
      if (status === 422) {
        reply.header('link', `<${basePath}/store/imports/${report.batch}>; rel="describedby"`);
        throw refused(report);
      }
      return reply.code(status).type(json).send(write(report));
    },
  };
}

/** The routes of the imports, and of taking one back. */
export function importRoutes(routing: Routing): readonly RouteOptions[] {
  const described = undoBatch as unknown as Described;
  const answer = answerOf(described, routing.basePath);
  const parameters = parametersOf(described);
  return [
    importRoute(importPets as unknown as Described, routing, (shop, file, input, key) => shop.importPets(file, { ...(input as object), mode: 'atomic', key })),
    importRoute(importInventory as unknown as Described, routing, (shop, file, input, key) =>
      shop.importStock(file, { ...(input as object), mode: 'atomic', key }),
    ),
    {
      method: 'POST',
      url: urlOf(described, routing.basePath),
      handler: async (request, reply) => {
        mark(described, routing, request, reply);
        const { batchId, allowShortage } = checkInput(undoBatch, inputOf(parameters, request));
        if (bringsBody(request.raw)) throw new StoreError('invalid_request', 'This operation takes no body.');
        const key = idempotencyKey(request);
        const onReplay = (): void => void reply.header('idempotency-replayed', 'true');
        const { batch } = await routing.once(key, () => routing.shopFor(request).undoBatch(batchId, { allowShortage, key, onReplay }));
        answer(request, reply, batch);
        return reply;
      },
    },
  ];
}
