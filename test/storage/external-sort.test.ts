import * as fc from 'fast-check';
import { closeSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.js';
import { rowSet } from '../../src/storage/bulk/row-set.js';
import { refusedRows } from '../../src/storage/bulk/refused-rows.js';
import { sortedStockRows } from '../../src/storage/bulk/sorted-stock-rows.js';
import { storedFile } from '../../src/formats/stored-file.js';
import { openTempFile } from '../../src/formats/temp-file.js';
import { textFile } from '../../src/storage/bulk/text-file.js';
import { rowChanges } from '../../src/storage/bulk/row-changes.js';
import { fault, rowsOfBlock, stockRowsIn, stockRowsOf, type SortedStockRow } from '../support/sorted-stock-rows.js';
import { evaluation, type BulkOutcome, type BulkStockChange, type StockNumbers } from '../../src/storage/bulk/stage-stock.js';
import { ledgerRowsOf, stagedRows } from '../../src/storage/bulk/staged-rows.js';

let scratch = '';
const usual = process.env['TMPDIR'];

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  process.env['TMPDIR'] = scratch;
});

afterEach(() => {
  if (usual === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = usual;
  rmSync(scratch, { recursive: true });
});

/** Few pets with many rows each, and ids that are too large to be packed with a row index. */
const petId = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 2 ** 35 + 9 }), fc.constantFrom(2 ** 35 - 1, 2 ** 35, 2 ** 53 - 1));
const drafts = fc.array(
  fc.record({
    petId,
    value: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), { nil: undefined }),
    expected: fc.option(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { nil: undefined }),
  }),
  { maxLength: 60 },
);

test('the external sort returns rows in the order of a stable sort by pet, for any number of runs', () => {
  fc.assert(
    fc.property(drafts, fc.integer({ min: 1, max: 12 }), (rows, rowsInMemory) => {
      const stockRows = stockRowsOf(rows);
      const sorted = sortedStockRows(rowsInMemory);
      try {
        for (const { petId: pet, value, expected, lineOrEntry, rowIndex, note } of stockRows) sorted.add(pet, value, expected, lineOrEntry, rowIndex, note);
        const stable = stockRows.toSorted((left, right) => left.petId - right.petId);
        // Read twice, because an import that another change overtakes starts again.
        for (let pass = 0; pass < 2; pass += 1) expect(stockRowsIn(sorted)).toEqual(stable);
      } finally {
        sorted.close();
      }
    }),
  );
  expect(readdirSync(scratch)).toEqual([]);
});

test('two concurrent passes over the sorted rows are independent', () => {
  const sorted = sortedStockRows(3);
  for (let rowIndex = 0; rowIndex < 20; rowIndex += 1) sorted.add(20 - rowIndex, rowIndex, undefined, rowIndex, rowIndex);
  const [first, second] = [sorted.blocks(1), sorted.blocks(1)];
  for (let pet = 1; pet <= 20; pet += 1) {
    const found = [first.next().value, second.next().value].map((block) => block?.[0]);
    expect(found).toEqual([pet, pet]);
  }
  expect([first.next().done, second.next().done]).toEqual([true, true]);
  sorted.close();
});

test('sorts 250,000 rows in a file of bounded size', () => {
  const sorted = sortedStockRows();
  const count = (1 << 18) + 11;
  for (let rowIndex = 0; rowIndex < count; rowIndex += 1) sorted.add(((rowIndex * 7919) % 1000) + 1, rowIndex, undefined, rowIndex + 2, rowIndex);
  expect(readdirSync(scratch)).toEqual([]);
  let [seen, petBefore, placeBefore, wrong] = [0, 0, -1, 0];
  for (const block of sorted.blocks(5000)) {
    for (const { petId: pet, value, rowIndex } of rowsOfBlock(block)) {
      if (pet < petBefore || (pet === petBefore && rowIndex <= placeBefore) || value !== rowIndex || pet !== ((rowIndex * 7919) % 1000) + 1) wrong += 1;
      [petBefore, placeBefore] = [pet, rowIndex];
      seen += 1;
    }
  }
  sorted.close();
  expect([seen, wrong]).toEqual([count, 0]);
});

const rowIndexes = fc.array(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 70_000 })), { maxLength: 60 });

test('a RowSet behaves like a Set and survives serialisation', () => {
  fc.assert(
    fc.property(rowIndexes, rowIndexes, (added, removed) => {
      const set = rowSet();
      const model = new Set(added);
      for (const rowIndex of added) set.add(rowIndex);
      for (const rowIndex of removed) {
        set.remove(rowIndex);
        model.delete(rowIndex);
      }
      const again = rowSet(set.toText());
      for (const one of [set, again]) {
        expect(one.size()).toBe(model.size);
        for (const rowIndex of [...added, ...removed, 70_001, 10_000_000]) expect(one.has(rowIndex)).toBe(model.has(rowIndex));
      }
      expect(again.toText()).toBe(set.toText());
    }),
  );
});

test('a RowSet with a million gaps has a short text', () => {
  const set = rowSet();
  for (let rowIndex = 1; rowIndex < 2_000_000; rowIndex += 2) set.add(rowIndex);
  const text = set.toText();
  expect(text.length).toBeLessThan(350_000);
  const again = rowSet(text);
  expect([again.size(), again.has(1), again.has(2), again.has(1_999_999), again.toText() === text]).toEqual([1_000_000, true, false, true, true]);
});

test('a stored file returns its bytes any number of times', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), fc.nat({ max: 70_000 }), async (pieces, large) => {
      const kept = storedFile();
      const chunks = [...pieces, new Uint8Array(large).fill(7)];
      const source = async function* (): AsyncGenerator<Uint8Array> {
        yield* chunks;
      };
      const read = async (bytes: AsyncIterable<Uint8Array>): Promise<Buffer> => {
        const all: Uint8Array[] = [];
        for await (const chunk of bytes) all.push(chunk);
        return Buffer.concat(all);
      };
      const whole = Buffer.concat(chunks);
      try {
        expect((await read(kept.tee(source()))).equals(whole)).toBe(true);
        expect([(await read(kept.again())).equals(whole), (await read(kept.again())).equals(whole)]).toEqual([true, true]);
      } finally {
        kept.close();
      }
    }),
    { numRuns: 40 },
  );
  expect(readdirSync(scratch)).toEqual([]);
});

test('a temporary file has no directory entry and leaves no file', () => {
  const open = openTempFile();
  expect(readdirSync(scratch)).toEqual([]);
  closeSync(open);
});

// Elsewhere the limit of a path is another.
test.runIf(process.platform === 'linux')('a temporary file that cannot be opened leaves no folder', () => {
  // The name of its folder is within the limit of 4096 bytes, the name of the file is not.
  const levels = join(scratch, ...Array.from({ length: 16 }, () => 'd'.repeat(240)));
  const deep = join(levels, 'd'.repeat(4076 - levels.length));
  mkdirSync(deep, { recursive: true });
  process.env['TMPDIR'] = deep;
  expect(() => openTempFile()).toThrow('ENAMETOOLONG');
  expect(readdirSync(deep)).toEqual([]);
});

test('counts all refused rows and reports the kept ones in the order of the file', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 6000 }), (all) => {
      const refused = refusedRows();
      for (const rowIndex of all) refused.add(fault(rowIndex));
      const inOrder = all.toSorted((left, right) => left - right);
      expect([refused.count(), refused.rowIndexes().size()]).toEqual([all.length, all.length]);
      expect(refused.first().map(({ line }) => line - 2)).toEqual(inOrder.slice(0, 1000));
      expect(inOrder.filter((rowIndex) => refused.at(rowIndex)?.line !== rowIndex + 2)).toEqual([]);
      refused.close();
    }),
    { numRuns: 30 },
  );
});

test('removes conflicts with the shop, but not errors of the file', () => {
  const refused = refusedRows();
  const codes = (): readonly (string | undefined)[] => [0, 1, 2, 3].map((rowIndex) => refused.at(rowIndex)?.code);
  refused.add(fault(3));
  refused.addProvisional(fault(0, 'out_of_stock'));
  refused.addProvisional(fault(1, 'out_of_stock'));
  refused.addProvisional(fault(2, 'unknown_pet'));
  expect([refused.count(), [...refused.rowIndexes().all()]]).toEqual([4, [0, 1, 2, 3]]);
  expect(codes()).toEqual(['out_of_stock', 'out_of_stock', 'unknown_pet', 'invalid_quantity']);
  refused.clearProvisional();
  expect([refused.count(), [...refused.rowIndexes().all()], refused.conflictsOnly()]).toEqual([1, [3], false]);
  refused.close();
});

test('the errors of faults in the file are listed after the withdrawal of any number of provisional refusals', () => {
  const refused = refusedRows();
  const lines = (): readonly number[] => refused.first().map(({ line }) => line - 2);
  const indexes = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, index) => from + index);
  for (const rowIndex of indexes(10_000, 3000)) refused.add(fault(rowIndex));
  for (const rowIndex of indexes(0, 9000)) refused.addProvisional(fault(rowIndex, 'stock_changed'));
  expect([refused.count(), lines()]).toEqual([12_000, indexes(0, 1000)]);
  refused.clearProvisional();
  expect([refused.count(), lines()]).toEqual([3000, indexes(10_000, 1000)]);
  refused.close();
});

test('only errors about the state of the shop count as conflicts', () => {
  const refused = refusedRows();
  expect(exitCodes.out_of_stock).toBe(exitCodes.stock_changed);
  refused.addProvisional(fault(0, 'out_of_stock'));
  expect(refused.conflictsOnly()).toBe(true);
  refused.addProvisional(fault(1, 'unknown_pet'));
  expect(refused.conflictsOnly()).toBe(false);
  refused.clearProvisional();
  expect(refused.conflictsOnly()).toBe(true);
});

test('stores texts in a file, also repeated and long ones', () => {
  const lengths = fc.array(fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('same', 'long '.repeat(40_000))), { maxLength: 900 });
  fc.assert(
    fc.property(lengths, (all) => {
      const kept = textFile();
      const positions = all.map((text) => kept.add(text));
      expect(positions.every((position) => position > 0)).toBe(true);
      expect(positions.map((position) => kept.at(position))).toEqual(all);
      kept.close();
    }),
    { numRuns: 30 },
  );
  expect(readdirSync(scratch)).toEqual([]);
});

test('returns the last change of each row', () => {
  const moves = rowChanges();
  const count = 150_000;
  for (let turn = 0; turn < 2; turn += 1) {
    for (let rowIndex = count - 1; rowIndex >= 0; rowIndex -= 2) moves.set(rowIndex, turn, rowIndex);
    if (turn === 0) moves.clear();
  }
  moves.set(7, 5, 6);
  const seen = Array.from({ length: count }, (_, rowIndex) => moves.at(rowIndex));
  expect([seen[7], seen.filter(Boolean).length]).toEqual([{ before: 5, after: 6 }, count / 2]);
  expect(seen.every((move, rowIndex) => rowIndex === 7 || (rowIndex % 2 === 0 ? move === undefined : move?.after === rowIndex && move.before === 1))).toBe(
    true,
  );
});

/** Pets 1 to 3 with low-stock levels. */
const lowStock: StockNumbers = [1, 2, 3].flatMap((pet) => [pet, 5, 0, 4]);

/** How a pass is tried. */
interface TriedPass extends Pick<BulkStockChange, 'onChange'> {
  readonly rowsTogether: number;
  readonly stock?: StockNumbers;
  readonly wasApplied?: BulkStockChange['wasApplied'];
}

/** The result of one pass over rows. */
function passed(kind: 'count' | 'adjust', rows: readonly SortedStockRow[], { rowsTogether, stock = lowStock, onChange, wasApplied }: TriedPass): unknown {
  const stockRows = sortedStockRows(7);
  for (const { petId: pet, value, expected, lineOrEntry, rowIndex, note } of rows) stockRows.add(pet, value, expected, lineOrEntry, rowIndex, note);
  const [refused, staged] = [refusedRows(), stagedRows()];
  // As the reader does for a row that only names its pet.
  for (const { rowIndex, value } of rows) if (value === undefined) refused.add(fault(rowIndex));
  const outcome: BulkOutcome = { applied: 0, entries: 0, unchanged: 0, alreadyApplied: 0, notInFile: 9, toZero: 0, changes: [] };
  const policy = { allowShortage: false, onStale: 'fail' } as const;
  const change = { kind, stockRows, policy, refused, wasApplied, notes: { at: () => '' }, onChange };
  const { evaluate, end } = evaluation(change, outcome, staged);
  // The stock of the shop, read again for each block.
  for (const block of stockRows.blocks(rowsTogether)) evaluate(block, stock);
  end();
  stockRows.close();
  const emitted = [...staged.blocks()].flatMap((block) => ledgerRowsOf(block, change, { batchId: 1 }));
  return { emitted, outcome, errors: refused.first() };
}

test('evaluates the rows of one pet the same in one block and in many', () => {
  const row = fc.record({
    petId: fc.integer({ min: 1, max: 4 }),
    value: fc.option(fc.integer({ min: -3, max: 9 }), { nil: undefined }),
    expected: fc.constant(undefined),
  });
  fc.assert(
    fc.property(
      fc.constantFrom('count' as const, 'adjust' as const),
      fc.array(row, { maxLength: 50 }),
      fc.integer({ min: 1, max: 5 }),
      (kind, rows, together) => {
        const wasApplied = (rowIndex: number): boolean => rowIndex % 11 === 10;
        const inOne = passed(kind, stockRowsOf(rows), { rowsTogether: 1000, wasApplied });
        expect(passed(kind, stockRowsOf(rows), { rowsTogether: together, wasApplied })).toEqual(inOne);
      },
    ),
    { numRuns: 100 },
  );
});
