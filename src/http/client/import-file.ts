import type { IncomingMessage } from 'node:http';
import type { StoreError } from '../../domain/errors.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { ImportOptions } from '../../domain/imports/import-options.js';
import type { ImportReport } from '../../domain/imports/import-report.js';
import { importPets, type PetImportOptions } from '../../domain/imports/import-pets.js';
import { importInventory, type StockImportOptions } from '../../domain/imports/import-inventory.js';
import type { Client } from './remote-connection.js';
import { cutOff, inShape, longAnswer, parsed, refusalIn, strangeAnswer } from './errors.js';
import { reportShape, shaped, toldShapes } from './answer-shapes.js';
import { linesOf, Lost, maximumRefusal, textOf } from './transport.js';
import { importFormats, importHeader, importLines, wishesText } from '../contract/import-header.js';
import type { Schema } from '../contract/schema.js';
import { headerNames, headerText } from '../contract/headers.js';
import { targetOf } from '../contract/parameters.js';

type Options = ImportOptions & Partial<PetImportOptions & StockImportOptions>;
const tells = ['onChanges', 'onIgnored', 'onPreview', 'onRejected', 'onRow'] as const;
type Tell = (typeof tells)[number];

interface ErrorLine {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly status: number;
}

const errorShape: Schema = {
  type: 'object',
  entries: { code: { type: 'string' }, message: { type: 'string' }, hint: { type: 'optional', wrapped: { type: 'string' } }, status: { type: 'number' } },
};

const operations = { importPets, importStock: importInventory } as const;

function typeOf(format: ImportFile['format']): string {
  const found = Object.entries(importFormats).find(([, one]) => one === format);
  return found?.[0] ?? 'text/csv';
}

/** Passes on what the server tells, line by line; answers the report at the end. */
async function heard(client: Client, message: IncomingMessage, options: Options): Promise<ImportReport> {
  const status = message.statusCode ?? 0;
  if (message.headers['content-type'] !== importLines) {
    const text = await textOf(message, maximumRefusal);
    if (text === undefined) throw longAnswer(client.where, maximumRefusal);
    throw refusalIn(status, text, client.where);
  }
  for await (const text of linesOf(message, maximumLine)) {
    if (text === undefined) throw longAnswer(client.where, maximumLine);
    const line = parsed(text, client.where) as Readonly<Record<string, unknown>>;
    if (line['report'] !== undefined) return inShape(client.where, () => reportIn(line['report']));
    if (line['error'] !== undefined) throw refusedLine(line['error'], client.where);
    await passOn(line, options, client.where);
  }
  throw new Lost('The answer broke off.');
}

/** The report of an import; a dry run has no batch. */
function reportIn(value: unknown): ImportReport {
  const report = shaped(reportShape, value) as Omit<ImportReport, 'batch'> & { readonly batch?: number };
  // The key stands first, as in the report of a shop on this machine.
  return { batch: null, ...report };
}

function refusedLine(error: unknown, where: string): StoreError {
  const { code, message, hint, status } = inShape(where, () => shaped(errorShape, error)) as ErrorLine;
  return refusalIn(status, JSON.stringify({ code, message, hint }), where);
}

function isTell(name: string): name is Tell {
  return Object.hasOwn(toldShapes, name);
}

/** Passes on what a line tells to whoever asked for it. */
async function passOn(line: Readonly<Record<string, unknown>>, options: Options, where: string): Promise<void> {
  const [name = '', told] = Object.entries(line)[0] ?? [];
  if (!isTell(name) || !Array.isArray(told)) throw strangeAnswer(where);
  const values = inShape(where, () => toldShapes[name].map((shape, index) => shaped(shape, told[index])));
  await (options[name] as ((...values: readonly unknown[]) => unknown) | undefined)?.(...values);
}

// A server says nothing while it works a file out; the largest takes minutes.
const silenceMs = 30 * 60_000;
const answerMs = 6 * 60 * 60_000;
// A refused row of 1 MiB takes at most six times that as JSON.
const maximumLine = 16 << 20;

async function send(client: Client, task: keyof typeof operations, file: ImportFile, options: Options, tell: readonly Tell[]): Promise<ImportReport> {
  const { bytes, name, format, delimiter, map } = file;
  const operation = operations[task];
  const { key, note, ...input } = options;
  const wanted = wishesText({ name: name ?? 'standard input', delimiter, map: [...map], tell: [...tell], anyFormat: format === undefined });
  const headers = {
    ...client.headers,
    'content-type': typeOf(format),
    [importHeader]: wanted,
    ...(key !== undefined && { [headerNames.key]: key }),
    ...(note !== undefined && { [headerNames.note]: headerText.write(note) }),
  };
  try {
    const message = await client.exchange.ask({ method: operation.method, path: targetOf(operation, input), headers, body: bytes, silenceMs, answerMs });
    return await heard(client, message, options);
  } catch (error) {
    throw error instanceof Lost ? cutOff(client.where, error) : error;
  }
}

/** Sends a file to the server. Where somebody is to see what would change, the file goes there twice: to look, then to do. */
export async function importThrough(client: Client, task: keyof typeof operations, file: ImportFile, options: Options): Promise<ImportReport> {
  const wanted = tells.filter((tell) => options[tell] !== undefined);
  if (options.onPreview === undefined || options.dryRun === true) return send(client, task, file, options, wanted);
  const kept = client.spool();
  try {
    await send(client, task, { ...file, bytes: kept.tee(file.bytes) }, { ...options, dryRun: true }, ['onPreview']);
    return await send(
      client,
      task,
      { ...file, bytes: kept.again() },
      options,
      wanted.filter((tell) => tell !== 'onPreview'),
    );
  } finally {
    kept.close();
  }
}
