import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openRows, type Row, type RowOptions } from '../../src/formats/reader.js';
import { unguard } from '../../src/formats/spreadsheet.js';
import { rowWriter } from '../../src/formats/writer.js';
import { pieces, read } from './input.js';

const columns = ['petId', 'quantity', 'note'];
const options: RowOptions = { map: new Map(), columns, required: ['petId'], ignored: [], unknownColumns: 'refuse' };

const tricky = fc.constantFrom('"', '""', ',', ';', '\t', '\n', '\r', '\r\n', '\\', '\\n', "'", '=', '+', '＝', ' ', 'é', '😀', '\u2028', '\uFEFF', 'a');
/** Cells without NUL, which is refused in CSV and TSV files. */
const cell = fc.oneof(
  fc.string({ unit: tricky, maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
);
const cellRecords = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 30 });
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

async function* cut(content: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array, void> {
  for (let at = 0, turn = 0; at < content.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield content.subarray(at, at + size);
    at += size;
  }
}

async function rowsOf(source: AsyncIterable<Uint8Array>, more: Partial<RowOptions>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const chunk of (await openRows(source, { ...options, ...more })).chunks()) rows.push(...chunk);
  return rows;
}

/** A value as it is read back: -0 is 0 in JSON, and a whole number that a program may round is read as its text. */
function asRead(value: unknown): unknown {
  const isLarge = (item: unknown): boolean => Number.isInteger(item) && !Number.isSafeInteger(item);
  return value === undefined ? value : JSON.parse(JSON.stringify(value), (_, item: unknown) => (isLarge(item) ? JSON.stringify(item) : item));
}

/** The text of each record and its first physical line, counted by an independent implementation. */
function numbered(head: string, texts: readonly string[]): readonly number[] {
  let before = head;
  return texts.map((text) => {
    const line = before.split(/\r\n|\r|\n/).length;
    before += text;
    return line;
  });
}

describe('written files can be read back', () => {
  test.each(['csv', 'tsv'] as const)('%s: any cells in any chunks, with exact line numbers', async (format) => {
    await fc.assert(
      fc.asyncProperty(cellRecords, cuts, fc.boolean(), fc.boolean(), async (records, sizes, packed, spreadsheet) => {
        const writer = rowWriter(format, columns, { header: true, spreadsheet });
        const texts = records.map((record) => writer.rows([record]));
        const text = writer.head() + texts.join('');
        const rows = await rowsOf(cut(packed ? gzipSync(text) : Buffer.from(text), sizes), { format });
        const restored = (value: unknown): unknown => (format === 'csv' && spreadsheet ? unguard(String(value)) : value);
        expect(rows.map(({ cells }) => cells.map(restored))).toEqual(records);
        expect(rows.map(({ line }) => line)).toEqual(numbered(writer.head(), texts));
      }),
      { numRuns: 100 },
    );
  });

  test.each(['json', 'ndjson'] as const)('%s: any values in any chunks', async (format) => {
    const value = fc.option(fc.jsonValue(), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 20 }), cuts, async (records, sizes) => {
        const writer = rowWriter(format, columns);
        const text = writer.head() + writer.rows(records) + writer.tail();
        const rows = await rowsOf(cut(Buffer.from(text), sizes), { format });
        expect(rows.map(({ cells }) => cells)).toEqual(records.map((record) => record.map(asRead)));
        expect(rows.map(({ line }) => line)).toEqual(records.map((_, index) => index + (format === 'json' ? 2 : 1)));
      }),
      { numRuns: 100 },
    );
  });

  test('reads a JSON array with any white space like JSON.parse', async () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\r\n', '\t'), maxLength: 3 });
    const objects = fc.array(fc.record({ petId: fc.jsonValue() }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(objects, space, space, cuts, async (records, before, between, sizes) => {
        const text = `${before}[${records.map((record) => between + JSON.stringify(record, undefined, between) + before).join(',')}]${between}`;
        const rows = await rowsOf(cut(Buffer.from(text), sizes), { format: 'json' });
        expect(rows.map(({ original }) => original)).toEqual(asRead(JSON.parse(text)));
      }),
      { numRuns: 100 },
    );
  });
});

describe('block boundaries', () => {
  const block = 65_536;
  const middle = 'x"\r\n"\n\r😀é,\\t\t\\';
  test.each(['csv', 'tsv', 'json', 'ndjson'] as const)('%s: the result does not depend on block boundaries', async (format) => {
    const writer = rowWriter(format, columns, { header: true });
    const short = writer.head() + writer.rows([['1', '', '']]);
    for (let shift = -40; shift <= 4; shift += 1) {
      const records = [
        ['1', '', 'p'.repeat(block - short.length + shift)],
        ['2', middle, middle],
        ['3', middle, middle],
      ];
      const fresh = rowWriter(format, columns, { header: true });
      const text = fresh.head() + fresh.rows(records) + fresh.tail();
      for (const size of [997, block]) {
        const rows = await rowsOf(pieces(text, size), { format });
        expect(rows.map(({ cells }) => cells)).toEqual(records);
        if (format !== 'csv') continue;
        // Each middle part has three line breaks, two of them in a record.
        expect(rows.map(({ line }) => line)).toEqual([2, 3, 10]);
      }
    }
  });

  test('CRLF across a block boundary is one line break', async () => {
    for (let shift = 0; shift < 4; shift += 1) {
      const note = 'p'.repeat(block - 'petId,note\r\n1,'.length - shift);
      for (const last of ['4,d', '4,"d"']) {
        const { rows } = await read(`petId,note\r\n1,${note}\r\n\r\n2,b\r\n${last}\r\n`);
        expect(rows.map(({ line }) => line)).toEqual([2, 4, 5]);
      }
    }
  });
});
