import { once } from 'node:events';
import type { FastifyReply, RouteOptions } from 'fastify';
import { checkInput } from '../domain/check.js';
import { StoreError } from '../domain/errors.js';
import type { ImportFile, ImportOptions, ImportReport } from '../domain/imports.js';
import { importPets } from '../domain/pet-imports.js';
import type { Shop } from '../domain/shop.js';
import { importInventory } from '../domain/stock-imports.js';
import { undoBatch } from '../domain/undo.js';
import { answerOf, asksRows } from './answers.js';
import { bringsBody, checkMediaType, importBytes, mediaTypeOf } from './body.js';
import { errorRow, refusalOf } from './failures.js';
import { importFormats, importLines, wishesIn, type ImportWishes } from './import-wire.js';
import { inputOf, mark, saidOf, urlOf, type Routing } from './routes.js';
import { writerOf } from './shape.js';
import { json, parametersOf, type Described } from './wire.js';

type Import = (shop: Shop, file: ImportFile, options: ImportOptions) => Promise<ImportReport>;

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

/** Tells our own client what an import tells, a line each; the answer begins with the first line. */
function tellerTo(reply: FastifyReply): { readonly line: (value: object) => Promise<void>; readonly begun: () => boolean; readonly end: () => void } {
  const response = reply.raw;
  let begun = false;
  return {
    line: async (value) => {
      if (!begun) {
        begun = true;
        reply.hijack();
        for (const [name, header] of Object.entries(reply.getHeaders())) if (header !== undefined) response.setHeader(name, header);
        response.writeHead(200, { 'content-type': importLines });
      }
      if (response.destroyed) throw new StoreError('cancelled', 'The client has gone.');
      if (!response.write(`${JSON.stringify(value)}\n`)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    },
    begun: () => begun,
    end: () => void response.end(),
  };
}

/** An import for our own client, which hears everything it would hear on the spot. */
async function tellImport(reply: FastifyReply, wanted: ImportWishes, perform: (callbacks: object) => Promise<ImportReport>): Promise<void> {
  const teller = tellerTo(reply);
  const callbacks = wanted.tell.map((tell) => [tell, (...told: readonly unknown[]) => teller.line({ [tell]: told })] as const);
  try {
    const report = await perform(Object.fromEntries(callbacks));
    await teller.line({ report });
  } catch (error) {
    const refusal = refusalOf(error);
    if (!teller.begun() || refusal === undefined) throw error;
    await teller.line({ error: errorRow(refusal) });
  }
  teller.end();
}

/** The route of a streamed import: the body goes into the shop as it arrives. */
function importRoute(described: Described, routing: Routing, perform: Import): RouteOptions {
  const { basePath, patience, shopFor } = routing;
  const parameters = parametersOf(described);
  const write = writerOf(described.output);
  return {
    method: 'POST',
    url: urlOf(described, basePath),
    handler: async (request, reply) => {
      mark(described, routing, request, reply);
      const input = checkInput(described, inputOf(parameters, request)) as Partial<ImportOptions>;
      const said = saidOf(request, reply);
      const options: ImportOptions = {
        mode: 'atomic',
        ...input,
        key: said.key,
        note: input.note ?? said.note,
        dryRun: input.dryRun === true || said.dryRun === true,
      };
      const format = importFormats[checkMediaType(mediaTypeOf(request.raw), Object.keys(importFormats))];
      const wanted = wishesIn(request);
      const file: ImportFile = { bytes: importBytes(request.raw, patience), format, name: 'the body', ...wanted.file };
      const performed = (callbacks: object): Promise<ImportReport> =>
        routing.once(said.key, () => perform(shopFor(request), file, { ...options, ...callbacks }));
      if (asksRows(request)) return tellImport(reply, wanted, performed);
      const report = await performed({});
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
    importRoute(importPets as unknown as Described, routing, (shop, file, options) => shop.importPets(file, options)),
    importRoute(importInventory as unknown as Described, routing, (shop, file, options) => shop.importStock(file, options)),
    {
      method: 'POST',
      url: urlOf(described, routing.basePath),
      handler: async (request, reply) => {
        mark(described, routing, request, reply);
        const { batchId, allowShortage } = checkInput(undoBatch, inputOf(parameters, request));
        if (bringsBody(request.raw)) throw new StoreError('invalid_request', 'This operation takes no body.');
        const said = saidOf(request, reply);
        const report = await routing.once(said.key, () => routing.shopFor(request).undoBatch(batchId, { ...said, allowShortage }));
        answer(request, reply, asksRows(request) ? report : report.batch);
        return reply;
      },
    },
  ];
}
