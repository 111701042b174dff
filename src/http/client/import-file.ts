import type { IncomingMessage } from 'node:http';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { ImportOptions } from '../../domain/imports/import-options.js';
import { importCodes } from '../../domain/imports/import-codes.js';
import { importReport, type ImportReport } from '../../domain/imports/import-report.js';
import { importPets, type PetImportOptions } from '../../domain/imports/import-pets.js';
import { importInventory, type StockImportOptions, type StockPreview } from '../../domain/imports/import-inventory.js';
import { standardInput } from '../../formats/fault.js';
import { storedFile } from '../../formats/stored-file.js';
import { connectionLost, refusalIn } from './errors.js';
import { checkShape, parseJson, unexpectedAnswer } from './check-shape.js';
import { linesOf, ConnectionLostError, maximumRefusalBytes, textOf, type RemoteConnection } from './transport.js';
import { callbackValues, importCallbacks, importFormats, importHeader, type ImportCallback, type ImportHeaderContent } from '../contract/import-header.js';
import { importLinesType } from '../contract/media-types.js';
import { headerNames, headerText } from '../contract/headers.js';
import { targetOf } from '../contract/parameters.js';

type Options = ImportOptions & Partial<PetImportOptions & StockImportOptions>;

const operations = { importPets, importCodes, importStock: importInventory } as const;

function typeOf(format: ImportFile['format']): string {
  const found = Object.entries(importFormats).find(([, one]) => one === format);
  return found?.[0] ?? 'text/csv';
}

/** Calls the callback of each line of the answer; returns the report at its end. */
async function readAnswer(connection: RemoteConnection, message: IncomingMessage, options: Options): Promise<ImportReport> {
  const status = message.statusCode ?? 0;
  if (message.headers['content-type'] !== importLinesType) {
    const text = await textOf(message, maximumRefusalBytes, connection.where);
    throw refusalIn(status, text, connection.where);
  }
  for await (const text of linesOf(message, maximumLineBytes, connection.where)) {
    const line = parseJson(text, connection.where) as Readonly<Record<string, unknown>>;
    if (line['report'] !== undefined) {
      const report = checkShape(importReport, line['report'], connection.where) as Omit<ImportReport, 'batch'> & { readonly batch?: number };
      // `batch` first, as in the report of a local shop; a dry run has none.
      return { batch: null, ...report };
    }
    if (line['error'] !== undefined) throw refusalIn(status, JSON.stringify(line['error']), connection.where);
    await runCallback(line, options, connection.where);
  }
  throw new ConnectionLostError('the response is incomplete');
}

/** Calls the callback that a line names. */
async function runCallback(line: Readonly<Record<string, unknown>>, options: Options, where: string): Promise<void> {
  const [name = '', passed] = Object.entries(line)[0] ?? [];
  const callback = importCallbacks.find((one) => one === name);
  if (callback === undefined || !Array.isArray(passed)) throw unexpectedAnswer(where);
  const values = callbackValues[callback].map((schema, index) => checkShape(schema, passed[index], where));
  await (options[callback] as ((...values: readonly unknown[]) => unknown) | undefined)?.(...values);
}

// The server is silent while it processes a file; the largest takes minutes.
const silenceMs = 30 * 60_000;
const answerMs = 6 * 60 * 60_000;
// JSON escapes a rejected row of 1 MiB to at most 6 MiB.
const maximumLineBytes = 16 << 20;

async function send(
  connection: RemoteConnection,
  task: keyof typeof operations,
  file: ImportFile,
  options: Options,
  callbacks: readonly ImportCallback[],
): Promise<ImportReport> {
  const { bytes, name, format, delimiter, map } = file;
  const operation = operations[task];
  const { key, note, previewedAt, ...input } = options;
  const header: ImportHeaderContent = {
    name: name ?? standardInput,
    delimiter,
    map: [...map],
    callbacks: [...callbacks],
    anyFormat: format === undefined,
    previewedAt,
  };
  const headers = {
    ...connection.headers,
    'content-type': typeOf(format),
    [importHeader]: headerText.write(JSON.stringify(header)),
    ...(key !== undefined && { [headerNames.key]: key }),
    ...(note !== undefined && { [headerNames.note]: headerText.write(note) }),
  };
  try {
    const message = await connection.transport.send({ method: operation.method, path: targetOf(operation, input), headers, body: bytes, silenceMs, answerMs });
    return await readAnswer(connection, message, options);
  } catch (error) {
    if (!(error instanceof ConnectionLostError)) throw error;
    const advice = 'Run the import again when the server responds; a file is never applied twice.';
    throw connectionLost(connection.where, error, 'the file was applied', advice);
  }
}

/** Imports a file on the server. With `onPreview` the file is sent twice: first as a dry run for the preview, then to apply it. */
export async function importRemote(connection: RemoteConnection, task: keyof typeof operations, file: ImportFile, options: Options): Promise<ImportReport> {
  const callbacks = importCallbacks.filter((name) => options[name] !== undefined);
  if (options.onPreview === undefined || options.dryRun === true) return send(connection, task, file, options, callbacks);
  const stored = storedFile();
  try {
    let previewedAt: number | undefined;
    const onPreview = async (preview: StockPreview): Promise<void> => {
      previewedAt = preview.ledgerId;
      await options.onPreview?.(preview);
    };
    await send(connection, task, { ...file, bytes: stored.tee(file.bytes) }, { ...options, dryRun: true, onPreview }, ['onPreview']);
    const others = callbacks.filter((name) => name !== 'onPreview');
    return await send(connection, task, { ...file, bytes: stored.again() }, { ...options, previewedAt }, others);
  } finally {
    stored.close();
  }
}
