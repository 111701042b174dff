import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { checkInput } from '../../domain/check-input.js';
import { StoreError } from '../../domain/errors.js';
import { getBatch } from '../../domain/imports/get-batch.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { ImportOptions } from '../../domain/imports/import-options.js';
import type { ImportReport } from '../../domain/imports/import-report.js';
import type { AnyCustomOperation } from '../../domain/operations.js';
import { importCodes } from '../../domain/imports/import-codes.js';
import { importPets } from '../../domain/imports/import-pets.js';
import { importInventory, type StockImportOptions } from '../../domain/imports/import-inventory.js';
import { checkMayReadPets } from '../../domain/tokens/token.js';
import { undoBatch } from '../../domain/imports/undo-batch.js';
import { answerOf, wantsComplete } from './answers.js';
import { checkMediaType, importBytes, maximumImportBytes, mediaTypeOf, refuseBody } from './request-body.js';
import { completeErrorRecord } from './errors.js';
import { importSlots, type ImportSlot } from './client-slots.js';
import { importFormats, importHeader, importHeaderContent, type ImportCallback } from '../contract/import-header.js';
import { callOptionsOf, conditionsOf } from './call-options.js';
import { clientKey } from './client-key.js';
import type { OperationRoute, Routing } from './routes.js';
import type { ImportTask } from './worker-pool/messages.js';
import { writerOf } from './json-writer.js';
import { streamedAnswer, type StreamedAnswer } from './streamed-answer.js';
import { headerNames, headerText } from '../contract/headers.js';
import { importLinesType, jsonContentType } from '../contract/media-types.js';
import { pathFiller } from '../contract/parameters.js';

/** 422 when nothing was applied, 207 when some rows were. */
function statusOf({ dryRun, applied, unchanged, alreadyApplied, rejected }: ImportReport): 200 | 207 | 422 {
  if (dryRun || rejected === 0) return 200;
  return applied + unchanged + alreadyApplied > 0 ? 207 : 422;
}

function refused({ rejected, total, errors, batch }: ImportReport): StoreError {
  const [first] = errors;
  const example = first === undefined ? '' : ` First error: line ${first.line}: ${first.code} ${first.message}`;
  return new StoreError('import_refused', `${rejected} of ${total} rows were refused and nothing was changed; batch ${batch} has the report.${example}`);
}

/** How our own client wants its file read, and the callbacks it listens to; other clients send no such header. Refuses an invalid one with `invalid_parameter`. */
function importHeaderOf({ headers }: Pick<FastifyRequest, 'headers'>) {
  const header = headers[importHeader];
  let value: unknown = {};
  try {
    if (header !== undefined) value = JSON.parse(headerText.read(String(header)));
  } catch {
    value = undefined;
  }
  const parsed = v.safeParse(importHeaderContent, value);
  if (!parsed.success) throw new StoreError('invalid_parameter', `${importHeader}: is not valid.`);
  const { name = 'the body', delimiter, anyFormat, map, callbacks, previewedAt } = parsed.output;
  return { file: { name, delimiter, map: new Map(map), ...(anyFormat && { format: undefined }) }, callbacks, previewedAt };
}

/** Runs an import for our own client and writes every callback as a line of the answer, which begins with the first line. */
async function streamImport(
  reply: FastifyReply,
  names: readonly ImportCallback[],
  perform: (callbacks: object) => Promise<ImportReport>,
  refusalFor: Routing['refusalFor'],
): Promise<void> {
  let answer: StreamedAnswer | undefined;
  const writeLine = (line: object): Promise<void> => {
    answer ??= streamedAnswer(reply, { 'content-type': importLinesType });
    return answer.write(`${JSON.stringify(line)}\n`);
  };
  const callbacks = names.map((name) => [name, (...values: readonly unknown[]) => writeLine({ [name]: values })] as const);
  try {
    const report = await perform(Object.fromEntries(callbacks));
    await writeLine({ report });
  } catch (error) {
    if (answer === undefined) throw error;
    await writeLine({ error: completeErrorRecord(refusalFor(error, reply.request)) });
  }
  answer?.end();
}

/** Aborts with `cancelled` when the client disconnects before the answer is complete. */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.on('close', () => {
    if (!raw.writableFinished) controller.abort(new StoreError('cancelled', 'The client disconnected; nothing was changed.'));
  });
  return controller.signal;
}

/** The route of an import. Refuses with `overloaded`, before the body is read, when too many imports are open. */
function importRoute(operation: AnyCustomOperation, openSlot: (client: string) => ImportSlot, routing: Routing, task: ImportTask): OperationRoute {
  const { basePath, timeouts, shopFor, runExclusively, refusalFor } = routing;
  const write = writerOf(operation.output);
  const reportPath = pathFiller(getBatch.path);
  return {
    operation,
    handler: async (request, reply, parameters) => {
      const input = checkInput(operation, parameters) as Partial<ImportOptions & StockImportOptions>;
      // Otherwise the refusals of its rows would tell which names there are.
      if (input.match === 'name') checkMayReadPets(request.identity?.token?.scopes, 'match=name');
      const requested = callOptionsOf(request, reply);
      const format = importFormats[checkMediaType(mediaTypeOf(request.raw), Object.keys(importFormats))];
      const header = importHeaderOf(request);
      const options: ImportOptions & StockImportOptions = {
        mode: 'atomic',
        ...input,
        key: requested.key,
        note: input.note ?? requested.note,
        dryRun: input.dryRun === true || requested.dryRun === true,
        previewedAt: header.previewedAt,
      };
      const runImport = (callbacks: object): Promise<ImportReport> =>
        runExclusively(request, requested.key, async () => {
          const slot = openSlot(clientKey(request));
          const bytes = slot.count(importBytes(request.raw, timeouts));
          const file: ImportFile = { bytes, format, maximumBytes: maximumImportBytes, ...header.file };
          try {
            return await shopFor(request)[task](file, { ...options, ...callbacks, signal: disconnectSignal(reply) });
          } finally {
            slot.release();
          }
        });
      if (wantsComplete(request)) return streamImport(reply, header.callbacks, runImport, refusalFor);
      const report = await runImport({});
      if (report.earlier) reply.header(headerNames.replayed, 'true');
      const status = statusOf(report);
      if (status === 422) {
        reply.header('link', `<${basePath}${reportPath({ batchId: report.batch })}>; rel="describedby"`);
        throw refused(report);
      }
      return reply.code(status).type(jsonContentType).send(write(report));
    },
  };
}

function undoRoute({ basePath, timeouts, shopFor, runExclusively }: Routing): OperationRoute {
  const answer = answerOf(undoBatch, basePath);
  return {
    operation: undoBatch,
    handler: async (request, reply, input) => {
      const { batchId, allowShortage } = checkInput(undoBatch, input);
      await refuseBody(request.raw, timeouts);
      const options = callOptionsOf(request, reply);
      const report = await runExclusively(request, options.key, () =>
        shopFor(request).undoBatch(batchId, { ...options, ...conditionsOf(request), allowShortage }),
      );
      answer(request, reply, wantsComplete(request) ? report : report.batch);
      return reply;
    },
  };
}

/** The routes of imports and of their undo. */
export function importRoutes(routing: Routing): readonly OperationRoute[] {
  const openSlot = importSlots();
  return [
    importRoute(importPets, openSlot, routing, 'importPets'),
    importRoute(importCodes, openSlot, routing, 'importCodes'),
    importRoute(importInventory, openSlot, routing, 'importStock'),
    undoRoute(routing),
  ];
}
