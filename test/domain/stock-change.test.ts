import { expect, test } from 'vitest';
import { quantityAfter, type StockPolicy, type StockRowKind } from '../../src/domain/imports/stock-change.js';

/** A row "count 3" or "adjust -4 expected 9" for a pet of so many units on hand and reserved, and the quantity or refusal that follows. */
type Case = readonly [row: string, stock: readonly [quantity: number, reserved?: number], outcome: number | string, policy?: Partial<StockPolicy>];

const maximum = 2 ** 31 - 1;
const [shortage, keepCount, keepDifference] = [{ allowShortage: true }, { onStale: 'keep-count' }, { onStale: 'keep-difference' }] as const;

const cases: readonly Case[] = [
  ['adjust -10', [10], 0],
  ['adjust -11', [10], 'out_of_stock'],
  ['adjust -11', [10], 'out_of_stock', shortage],
  ['adjust 1', [maximum], 'invalid_quantity'],
  ['adjust -5', [10, 6], 'stock_reserved'],
  ['adjust -5', [10, 6], 5, shortage],
  // Units that arrive are taken, also when they do not cover all reservations.
  ['adjust 2', [1, 5], 3],
  ['undo 2', [1, 5], 3],
  ['count 3', [1, 5], 'stock_reserved'],
  ['count 1', [1, 5], 1],
  ['count 5', [1, 5], 5],
  ['count 8 expected 10', [10], 8],
  // Stale all the same when it equals what sales have left.
  ['count 7 expected 10', [7], 'stock_changed'],
  ['count 7 expected 10', [7], 7, keepCount],
  ['count 9 expected 10', [9], 8, keepDifference],
  ['count 1 expected 12', [10, 6], 'out_of_stock', keepDifference],
  ['count 9 expected 1', [maximum], 'invalid_quantity', keepDifference],
  ['count 4 expected 12', [10, 6], 'stock_reserved', keepDifference],
  ['count 4 expected 12', [10, 6], 2, { ...keepDifference, ...shortage }],
  ['adjust 5 expected 10', [8], 'stock_changed'],
  ['adjust 5 expected 10', [8], 15, keepCount],
  ['adjust 5 expected 10', [8], 13, keepDifference],
];

for (const [row, [quantity, reserved = 0], outcome, policy = {}] of cases) {
  test(`${row} of a pet with ${quantity} on hand and ${reserved} reserved, ${JSON.stringify(policy)}, leads to ${outcome}`, () => {
    const [, kind = '', value, expected] = /^(\w+) (-?\d+)(?: expected (\d+))?$/.exec(row) ?? [];
    const read = { petId: 7, value: Number(value), expected: expected === undefined ? undefined : Number(expected) };
    const after = quantityAfter(kind as StockRowKind, read, { quantity, reserved }, { allowShortage: false, onStale: 'fail', ...policy });
    expect(typeof after === 'object' ? after.code : after).toBe(outcome);
  });
}
