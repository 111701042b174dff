import type { IncomingMessage } from 'node:http';
import type { ImportFile, ImportOptions, ImportReport } from '../domain/imports.js';
import { importPets, type PetImportOptions } from '../domain/pet-imports.js';
import { importInventory, type StockImportOptions } from '../domain/stock-imports.js';
import type { Client } from './client.js';
import { cutOff, parsed, refusalIn } from './client-failures.js';
import { linesOf, Lost, textOf } from './exchange.js';
import { importFormats, importHeader, importLines, wishesText } from './import-wire.js';
import { headerNames, headerText, targetOf } from './wire.js';

type Options = ImportOptions & Partial<PetImportOptions & StockImportOptions>;
const tells = ['onChanges', 'onIgnored', 'onPreview', 'onRejected', 'onRow'] as const;
type Tell = (typeof tells)[number];

interface Line {
  readonly report?: ImportReport;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string; readonly status: number };
}

const operations = { importPets, importStock: importInventory } as const;

function typeOf(format: ImportFile['format']): string {
  const found = Object.entries(importFormats).find(([, one]) => one === format);
  return found?.[0] ?? 'text/csv';
}

/** Passes on what the server tells, line by line; answers the report at the end. */
async function heard(client: Client, message: IncomingMessage, options: Options): Promise<ImportReport> {
  const status = message.statusCode ?? 0;
  if (message.headers['content-type'] !== importLines) throw refusalIn(status, await textOf(message), client.where);
  for await (const text of linesOf(message)) {
    const line = parsed(text, client.where) as Line & Readonly<Record<Tell, readonly unknown[] | undefined>>;
    if (line.report) return line.report;
    if (line.error) throw refusalIn(line.error.status, JSON.stringify(line.error), client.where);
    const [tell = '', told] = Object.entries(line)[0] ?? [];
    await (options[tell as Tell] as ((...values: readonly unknown[]) => unknown) | undefined)?.(...(told as readonly unknown[]));
  }
  throw new Lost('The answer broke off.');
}

// A server says nothing while it works a file out; the largest takes minutes.
const silence = 30 * 60_000;

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
    const message = await client.exchange.ask({ method: operation.method, path: targetOf(operation, input), headers, body: bytes, silence });
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
