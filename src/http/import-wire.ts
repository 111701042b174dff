import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { StoreError } from '../domain/errors.js';
import type { ImportFile } from '../domain/imports.js';
import { headerText } from './wire.js';

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

const wishes = v.strictObject({
  name: v.optional(v.string()),
  delimiter: v.optional(v.string()),
  /** The format is for the reader to find out. */
  anyFormat: v.optional(v.boolean(), false),
  map: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
  tell: v.optional(v.array(v.picklist(['onChanges', 'onIgnored', 'onPreview', 'onRejected', 'onRow'])), []),
});

/** How a file is to be read, and what its sender wants to hear while it is. */
export interface ImportWishes {
  readonly file: Pick<ImportFile, 'map'> & Partial<Pick<ImportFile, 'name' | 'delimiter' | 'format'>>;
  readonly tell: readonly string[];
}

/** The wishes of our own client; everybody else has none. */
export function wishesIn({ headers }: Pick<FastifyRequest, 'headers'>): ImportWishes {
  const header = headers[importHeader];
  if (header === undefined) return { file: { map: new Map() }, tell: [] };
  let value: unknown;
  try {
    value = JSON.parse(headerText.read(String(header)));
  } catch {
    value = undefined;
  }
  const parsed = v.safeParse(wishes, value);
  if (!parsed.success) throw new StoreError('invalid_parameter', `${importHeader}: is not what petstore sends.`);
  const { name, delimiter, anyFormat, map, tell } = parsed.output;
  return { file: { name, delimiter, map: new Map(map), ...(anyFormat && { format: undefined }) }, tell };
}

/** Wishes as they go into the header. */
export function wishesText(wanted: v.InferInput<typeof wishes>): string {
  return headerText.write(JSON.stringify(wanted));
}
