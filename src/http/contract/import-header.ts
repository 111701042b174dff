import * as v from 'valibot';
import type { ImportFile } from '../../domain/imports/import-file.js';
import { headerText } from './headers.js';

/** The formats of files by their media types. */
export const importFormats: Readonly<Record<string, NonNullable<ImportFile['format']>>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/x-ndjson': 'ndjson',
  'application/json': 'json',
};

/** The media type of an import's answer to our own client: what it was told, a JSON object a line, then its report or error. */
export const importLines = 'application/x-ndjson';

/** The header in which our own client says how to read its file, and what it wants to hear. */
export const importHeader = 'petstore-import';

/** What our own client may ask of an import. */
export const wishes = v.strictObject({
  name: v.optional(v.string()),
  delimiter: v.optional(v.string()),
  /** The format is for the reader to find out. */
  anyFormat: v.optional(v.boolean(), false),
  map: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
  tell: v.optional(v.array(v.picklist(['onChanges', 'onIgnored', 'onPreview', 'onRejected', 'onRow'])), []),
});

/** Wishes as they go into the header. */
export function wishesText(wanted: v.InferInput<typeof wishes>): string {
  return headerText.write(JSON.stringify(wanted));
}
