import type { FastifyReply } from 'fastify';
import { checkInput } from '../../domain/check-input.js';
import { StoreError } from '../../domain/errors.js';
import { getBatch } from '../../domain/imports/get-batch.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { ImportOptions } from '../../domain/imports/import-options.js';
import type { ImportReport } from '../../domain/imports/import-report.js';
import type { PerformedOperation } from '../../domain/operations.js';
import { importPets } from '../../domain/imports/import-pets.js';
import type { Shop } from '../../domain/shop.js';
import { importInventory } from '../../domain/imports/import-inventory.js';
import { undoBatch } from '../../domain/imports/undo-batch.js';
import { answerOf, asksRows } from './answers.js';
import { bringsBody, checkMediaType, importBytes, maximumImport, mediaTypeOf } from './request-body.js';
import { errorRow } from './errors.js';
import { importSlots, type ImportSlots } from './import-slots.js';
import { importFormats, importLines } from '../contract/import-header.js';
import { wishesIn, type ImportWishes } from './import-wishes.js';
import { clientKey } from './rate-limit.js';
import { conditionsOf, saidOf, type OperationRoute, type Routing } from './routes.js';
import { writerOf } from './json-writer.js';
import { streamedAnswer, type StreamedAnswer } from './streamed-answer.js';
import { headerNames } from '../contract/headers.js';
import { json } from '../contract/media-types.js';
import { pathOf } from '../contract/parameters.js';

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

/** An import for our own client, which hears everything it would hear on the spot, a line each; the first line begins the answer. */
async function tellImport(
  reply: FastifyReply,
  { tell: wanted }: ImportWishes,
  perform: (callbacks: object) => Promise<ImportReport>,
  refusalFor: Routing['refusalFor'],
): Promise<void> {
  let answer: StreamedAnswer | undefined;
  const say = (line: object): Promise<void> => {
    answer ??= streamedAnswer(reply, { 'content-type': importLines });
    return answer.write(`${JSON.stringify(line)}\n`);
  };
  const callbacks = wanted.map((tell) => [tell, (...told: readonly unknown[]) => say({ [tell]: told })] as const);
  try {
    const report = await perform(Object.fromEntries(callbacks));
    await say({ report });
  } catch (error) {
    if (answer === undefined) throw error;
    await say({ error: errorRow(refusalFor(error, reply.request)) });
  }
  answer?.end();
}

/** A signal that the client of a request is gone before it was answered. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.on('close', () => {
    if (!raw.writableFinished) gone.abort(new StoreError('cancelled', 'The client is gone; nothing was changed.'));
  });
  return gone.signal;
}

/** The route of an import. It is refused before its body is read where too many are open. */
function importRoute(operation: PerformedOperation, slots: ImportSlots, routing: Routing, perform: Import): OperationRoute {
  const { basePath, patience, shopFor, once, refusalFor } = routing;
  const write = writerOf(operation.output);
  return {
    operation,
    handler: async (request, reply, given) => {
      const input = checkInput(operation, given) as Partial<ImportOptions>;
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
      const performed = (callbacks: object): Promise<ImportReport> =>
        once(request, said.key, async () => {
          const slot = slots.enter(clientKey(request));
          const bytes = slot.count(importBytes(request.raw, patience));
          const file: ImportFile = { bytes, format, name: 'the body', maximumBytes: maximumImport, ...wanted.file };
          try {
            return await perform(shopFor(request), file, { ...options, ...callbacks, signal: goneSignal(reply) });
          } finally {
            slot.leave();
          }
        });
      if (asksRows(request)) return tellImport(reply, wanted, performed, refusalFor);
      const report = await performed({});
      if (report.earlier) reply.header(headerNames.replayed, 'true');
      const status = statusOf(report);
      if (status === 422) {
        reply.header('link', `<${basePath}${pathOf(getBatch.path, { batchId: report.batch })}>; rel="describedby"`);
        throw refused(report);
      }
      return reply.code(status).type(json).send(write(report));
    },
  };
}

function undoRoute({ basePath, shopFor, once }: Routing): OperationRoute {
  const answer = answerOf(undoBatch, basePath);
  return {
    operation: undoBatch,
    handler: async (request, reply, input) => {
      const { batchId, allowShortage } = checkInput(undoBatch, input);
      if (bringsBody(request.raw)) throw new StoreError('invalid_request', 'This operation takes no body.');
      const said = saidOf(request, reply);
      const report = await once(request, said.key, () => shopFor(request).undoBatch(batchId, { ...said, ...conditionsOf(request), allowShortage }));
      answer(request, reply, asksRows(request) ? report : report.batch);
      return reply;
    },
  };
}

/** The routes of the imports, and of taking one back. */
export function importRoutes(routing: Routing): readonly OperationRoute[] {
  const slots = importSlots();
  return [
    importRoute(importPets, slots, routing, (shop, file, options) => shop.importPets(file, options)),
    importRoute(importInventory, slots, routing, (shop, file, options) => shop.importStock(file, options)),
    undoRoute(routing),
  ];
}
