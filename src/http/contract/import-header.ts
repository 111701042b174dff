import * as v from 'valibot';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { StockImportOptions } from '../../domain/imports/import-inventory.js';
import type { ImportOptions } from '../../domain/imports/import-options.js';
import { headerText } from './headers.js';

/** The file formats by media type. */
export const importFormats: Readonly<Record<string, NonNullable<ImportFile['format']>>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/x-ndjson': 'ndjson',
  'application/json': 'json',
};

/** The header in which our own client describes its file and the callbacks it listens to. */
export const importHeader = 'petstore-import';

/** The callbacks of an import that pass through HTTP and between threads. */
export const importCallbacks = ['onChanges', 'onIgnored', 'onPreview', 'onRejected', 'onRow'] as const satisfies readonly (keyof (ImportOptions &
  StockImportOptions))[];
/** The name of one of them. */
export type ImportCallback = (typeof importCallbacks)[number];

/** The content of that header. */
export const importHeaderContent = v.strictObject({
  name: v.optional(v.string()),
  delimiter: v.optional(v.string()),
  /** Detect the format from the content. */
  anyFormat: v.optional(v.boolean(), false),
  map: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
  callbacks: v.optional(v.array(v.picklist(importCallbacks)), []),
});

/** The text of that header. */
export function importHeaderText(content: v.InferInput<typeof importHeaderContent>): string {
  return headerText.write(JSON.stringify(content));
}
