import * as v from 'valibot';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { StockImportOptions } from '../../domain/imports/import-inventory.js';
import type { ImportOptions } from '../../domain/imports/import-options.js';
import { rowError } from '../../domain/imports/row-error.js';
import { wholeNumber } from '../../domain/values/numbers.js';

/** The file formats by media type. */
export const importFormats: Readonly<Record<string, NonNullable<ImportFile['format']>>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/x-ndjson': 'ndjson',
  'application/json': 'json',
};

/** The header in which our own client describes its file and the callbacks it listens to. */
export const importHeader = 'petstore-import';

const changes = v.array(v.object({ petId: wholeNumber, name: v.string(), before: wholeNumber, after: wholeNumber }));
const errors = v.array(rowError);
const originalRow = v.object({ format: v.string(), header: v.array(v.string()), original: v.unknown() });
const rowResult = v.object({
  line: wholeNumber,
  petId: v.optional(wholeNumber),
  name: v.optional(v.string()),
  outcome: v.string(),
  before: v.optional(wholeNumber),
  after: v.optional(wholeNumber),
  error: v.optional(rowError),
});

/** The callbacks of an import that pass through HTTP and between threads, with the schemas of their arguments. */
export const callbackValues = {
  onChanges: [changes],
  onIgnored: [v.array(v.string())],
  onPreview: [v.object({ changes, total: wholeNumber, toZero: wholeNumber, errors, rejected: wholeNumber, ledgerId: v.optional(wholeNumber) })],
  onRejected: [rowError, v.optional(originalRow)],
  onRow: [rowResult],
} as const satisfies Readonly<Partial<Record<keyof (ImportOptions & StockImportOptions), readonly v.GenericSchema[]>>>;

/** The name of a callback. */
export type ImportCallback = keyof typeof callbackValues;

/** The names of all callbacks. */
export const importCallbacks = Object.keys(callbackValues) as readonly ImportCallback[];

/** The content of that header, which is percent-encoded JSON. */
export const importHeaderContent = v.strictObject({
  name: v.optional(v.string()),
  delimiter: v.optional(v.string()),
  /** Detect the format from the content. */
  anyFormat: v.optional(v.boolean(), false),
  map: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
  callbacks: v.optional(v.array(v.picklist(importCallbacks)), []),
  previewedAt: v.optional(v.pipe(wholeNumber, v.safeInteger(), v.minValue(0))),
});

/** The same as a client writes it. */
export type ImportHeaderContent = v.InferInput<typeof importHeaderContent>;
