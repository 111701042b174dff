import { StoreError } from '../../src/domain/errors.js';
import { openRows, type Row, type RowFile, type RowOptions } from '../../src/formats/reader.js';

/** Options as the stock import sets them. */
export const stockOptions: RowOptions = {
  name: 'recount.csv',
  map: new Map(),
  columns: ['petId', 'quantity', 'delta', 'expected', 'note'],
  required: ['petId'],
  ignored: ['name', 'category', 'status', 'reserved'],
  unknownColumns: 'refuse',
};

/** A stream of the bytes in chunks of one size. */
export async function* pieces(content: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array, void> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export interface Reading {
  readonly file: RowFile;
  readonly rows: readonly Row[];
}

/** Reads an input completely. */
export async function read(content: string | Uint8Array, options: Partial<RowOptions> = {}, size?: number): Promise<Reading> {
  const file = await openRows(pieces(content, size), { ...stockOptions, ...options });
  const rows: Row[] = [];
  for await (const chunk of file.chunks()) rows.push(...chunk);
  return { file, rows };
}

/** The requested cells of each row without absent ones at the end. */
export function cellsOf({ rows }: Reading): readonly (readonly unknown[])[] {
  return rows.map(({ cells }) => cells.slice(0, cells.findLastIndex((cell) => cell !== undefined) + 1));
}

export function linesOf({ rows }: Reading): readonly number[] {
  return rows.map(({ line }) => line);
}

/** The error of an input as `code: message`, with its advice, or how to read it, on a second line. */
export async function refusal(content: string | Uint8Array, options: Partial<RowOptions> = {}, size?: number): Promise<string> {
  try {
    await read(content, options, size);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { readAs } = error.details;
    return [`${error.code}: ${error.message}`, error.advice, readAs && JSON.stringify(readAs)].filter((part) => part !== undefined).join('\n');
  }
  throw new Error('The input was accepted.');
}
