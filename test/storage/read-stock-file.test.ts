import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { keptErrors, type RowError } from '../../src/domain/imports/row-error.js';
import { checkStockRow } from '../../src/domain/imports/stock-row.js';
import { StoreError } from '../../src/domain/errors.js';
import { openRows } from '../../src/formats/reader.js';
import type { Caller } from '../../src/domain/caller.js';
import type { Engine } from '../../src/storage/engine.js';
import { readStockFile } from '../../src/storage/bulk/read-stock-file.js';
import { refusedRows } from '../../src/storage/bulk/refused-rows.js';
import { sortedStockRows } from '../../src/storage/bulk/sorted-stock-rows.js';
import { stockRowsIn, type SortedStockRow } from '../support/sorted-stock-rows.js';
import { readingOf, stockPetReader } from '../../src/storage/bulk/pet-look-ups.js';
import { textFile } from '../../src/storage/bulk/text-file.js';
import { pieces } from '../formats/input.js';

interface ReadRows {
  readonly total: number;
  readonly stockRows: readonly (Omit<SortedStockRow, 'note'> & { readonly note: string })[];
  readonly errors: readonly RowError[];
}

const source = { name: 'recount.csv', map: new Map<string, string>() };
const options = { mode: 'keep-going' } as const;
const engine = new Proxy({} as Engine, {
  get: () => {
    throw new Error('Reading rows with ids needs no store.');
  },
});

const caller: Caller = { actor: 'ana', source: 'cli', clock: () => 0 };

/** The rows as the import reads them. */
async function readByImport(text: string, more: { readonly delimiter?: string }): Promise<ReadRows> {
  const stores = { stockRows: sortedStockRows(), refused: refusedRows(), notes: textFile() };
  try {
    const { total } = await readStockFile({ engine, caller }, { ...source, ...more, bytes: pieces(text) }, options, stores);
    const stockRows = stockRowsIn(stores.stockRows).map((row) => ({ ...row, note: row.note === 0 ? '' : stores.notes.at(row.note) }));
    return { total, stockRows: stockRows.toSorted((left, right) => left.rowIndex - right.rowIndex), errors: stores.refused.first() };
  } finally {
    for (const store of Object.values(stores)) store.close();
  }
}

/** The same row by row, each checked by the rule of the domain. */
async function readByRule(text: string, more: { readonly delimiter?: string }): Promise<ReadRows> {
  const file = await openRows(pieces(text), { ...source, ...more, ...readingOf(options) });
  const kind = file.present.includes('delta') ? 'adjust' : 'count';
  const stockRows: ReadRows['stockRows'][number][] = [];
  const errors: RowError[] = [];
  let total = 0;
  for await (const chunk of file.chunks()) {
    const readPet = await stockPetReader(() => Promise.reject(new Error('Reading rows with ids needs no store.')), caller, options, chunk);
    for (const row of chunk) {
      const checked = checkStockRow(kind, row, readPet);
      const rowIndex = total++;
      if (!('code' in checked)) {
        const { line: lineOrEntry, petId, value, expected, note = '' } = checked;
        stockRows.push({ petId, value, expected, lineOrEntry, rowIndex, note });
        continue;
      }
      errors.push(checked);
      const { petId, line } = checked;
      if (petId !== undefined) stockRows.push({ petId, value: undefined, expected: undefined, lineOrEntry: line, rowIndex, note: '' });
    }
  }
  return { total, stockRows, errors: errors.slice(0, keptErrors) };
}

/** What a reader makes of a file: its rows, or why it refuses the file. */
async function resultOf(read: Promise<ReadRows>): Promise<unknown> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof StoreError) return { code: error.code, message: error.message };
    throw error;
  }
}

const number = fc.oneof(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: -5, max: 5 }), fc.maxSafeInteger()).map(String);
const oddNumbers = ['', ' ', '-0', '007', '+5', '-', '--5', '5-', '1.0', '1e3', '1,000', '１', ' 7', '7 ', '\u{a0}7', '\u{feff}7', 'x', 'yes', "'5", "'=5"];
const largeNumbers = [
  '2147483647',
  '2147483648',
  '-2147483648',
  '999999999999999',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775808',
  '1'.repeat(31),
];
const oddTexts = ['"5"', '" 5 "', '"a\nb"', '"say ""7"""', '"', '5"', String.raw`\t`, String.raw`\\`, '5\\', '\0', 'é', '😀', '\u{2028}', '\v', '\f'];
const cell = fc.oneof({ weight: 6, arbitrary: number }, { weight: 1, arbitrary: fc.constantFrom(...oddNumbers, ...largeNumbers, ...oddTexts) });
const headers = fc.constantFrom(
  ['petId', 'quantity'],
  ['quantity', 'petId'],
  ['petId', 'delta'],
  ['petId', 'name', 'expected', 'quantity'],
  ['petId', 'quantity', 'note'],
  ['petId', 'delta', 'expected', 'guarded', ''],
);
const delimiters = [',', ';', '\t', '|', ' ', '-', '5', '😀', '\u{a0}'];
const files = fc.record({
  header: headers,
  delimiter: fc.oneof({ weight: 4, arbitrary: fc.constant(',') }, { weight: 1, arbitrary: fc.constantFrom(...delimiters) }),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  rows: fc.array(fc.oneof({ weight: 8, arbitrary: fc.array(cell, { minLength: 1, maxLength: 5 }) }, { weight: 1, arbitrary: fc.constant(['']) }), {
    maxLength: 20,
  }),
  endsWithLineEnd: fc.boolean(),
  fitsHeader: fc.boolean(),
  // The rows of the first block are read as records; rows after it as lines. A line of white space is blank.
  blankLine: fc.constantFrom('', '\v'.repeat(66_000)),
});

test('rows read as lines of numbers are the rows that the rule accepts and refuses', async () => {
  await fc.assert(
    fc.asyncProperty(files, async ({ header, delimiter, lineEnd, rows, endsWithLineEnd, fitsHeader, blankLine }) => {
      const cells = rows.map((row) => (fitsHeader && row[0] !== '' ? header.map((_, index) => row[index] ?? '1') : row));
      const lines = [header, ...cells].map((row) => row.join(delimiter));
      const text = [lines[0], '1', blankLine, ...lines.slice(1)].join(lineEnd) + (endsWithLineEnd ? lineEnd : '');
      const more = [',', ';', '\t'].includes(delimiter) ? {} : { delimiter };
      expect(await resultOf(readByImport(text, more))).toEqual(await resultOf(readByRule(text, more)));
    }),
    { numRuns: 100 },
  );
});

test('reads numbers of every length and sign as the rule does', async () => {
  const values = ['0', '1', '-1', '12', '2147483647', '2147483648', '-2147483647', '-2147483648', '99999999999', '', '-', '00', '0000000000000000000007'];
  const text = `petId,delta,expected\n1,1,1\n${'\v'.repeat(66_000)}\n${values.flatMap((id) => values.flatMap((delta) => values.map((expected) => `${id},${delta},${expected}\n`))).join('')}`;
  const read = await readByImport(text, {});
  expect(read).toEqual(await readByRule(text, {}));
  expect(read.total).toBe(values.length ** 3 + 1);
});
