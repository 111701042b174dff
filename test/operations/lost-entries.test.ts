import { expect, test } from 'vitest';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import { exampleEntry, type LedgerEntry } from '../../src/domain/ledger/ledger-entry.js';
import { eventIdOf, eventIdPattern, markOf, positionAfter, positionIn } from '../../src/domain/ledger/ledger-position.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { loseCategories } from '../support/lose-entries.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';

/** The ledger entries of new categories. */
async function write({ category, ledger, clock }: TestShop, ...names: readonly string[]): Promise<readonly LedgerEntry[]> {
  for (const name of names) {
    clock.pass(1000);
    await category(name);
  }
  return (await ledger()).slice(-names.length);
}

/** Reads the next entries of a follower. */
async function next(follower: AsyncIterator<readonly LedgerEntry[]>, count: number): Promise<readonly number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const { value } = (await follower.next()) as { readonly value: readonly LedgerEntry[] };
    ids.push(...value.map(({ categoryId }) => categoryId ?? 0));
  }
  return ids;
}

testOnEveryStore('a follower whose last entry was lost is refused, before and after its id is used again', async (around) => {
  const { shop, engine, ledger } = around;
  const [first, , third] = await write(around, 'A', 'B', 'C');
  const waiting = shop.follow(positionAfter(third))[Symbol.asyncIterator]();
  const refused = expectRefusal('cursor_expired', waiting.next(), /entry 3\b.*earlier state/);
  await loseCategories(engine, 1);
  await refused;
  const position = positionAfter(third);
  await expectRefusal('cursor_expired', shop.follow(position)[Symbol.asyncIterator]().next(), /entry 3\b/);
  await write(around, 'D', 'E', 'F', 'G');
  expect((await ledger()).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  await expectRefusal('cursor_expired', shop.follow(position)[Symbol.asyncIterator]().next(), /entry 3\b/);
  // The last entry of this one was kept.
  const kept = shop.follow(positionAfter(first))[Symbol.asyncIterator]();
  expect(await next(kept, 4)).toEqual((await ledger()).slice(1).map(({ categoryId }) => categoryId));
  await kept.return?.();
});

testOnEveryStore('a follower with only the id of an entry goes on, unless the ledger is shorter', async (around) => {
  const { shop } = around;
  await write(around, 'A', 'B');
  const plain = shop.follow({ id: 1 })[Symbol.asyncIterator]();
  expect(await next(plain, 1)).toEqual([2]);
  await plain.return?.();
  await expectRefusal('cursor_expired', shop.follow({ id: 3 })[Symbol.asyncIterator]().next(), /entry 3\b/);
  const fromStart = shop.follow({ id: 0 })[Symbol.asyncIterator]();
  expect(await next(fromStart, 2)).toEqual([1, 2]);
  await fromStart.return?.();
});

testOnEveryStore('a follower that began in an empty ledger receives its first entries', async (around) => {
  const { shop } = around;
  const empty = shop.follow({ id: 0 })[Symbol.asyncIterator]();
  const [first] = await write(around, 'A');
  expect(await next(empty, 1)).toEqual([first?.categoryId]);
  const [second] = await write(around, 'B');
  expect(await next(empty, 1)).toEqual([second?.categoryId]);
  await empty.return?.();
});

testOnEveryStore('a cursor of the ledger is refused when its entry was lost; one of a kept entry continues', async (around) => {
  const { call, engine } = around;
  await write(around, 'A', 'B', 'C', 'D');
  const early = await call(listLedger, { limit: 1 });
  const late = await call(listLedger, { limit: 3 });
  const back = await call(listLedger, { limit: 1, cursor: late.next });
  await loseCategories(engine, 2);
  for (const cursor of [late.next, back.previous]) await expectRefusal('cursor_expired', call(listLedger, { limit: 3, cursor }), /earlier state/);
  await write(around, 'E', 'F');
  for (const cursor of [late.next, back.previous]) await expectRefusal('cursor_expired', call(listLedger, { limit: 3, cursor }), /earlier state/);
  expect((await call(listLedger, { limit: 1, cursor: early.next })).items.map(({ id }) => id)).toEqual([2]);
  // A cursor of a list without marks takes none.
  const { next: categories } = await call(listCategories, { limit: 1 });
  const parts = JSON.parse(Buffer.from(categories ?? '', 'base64url').toString()) as readonly unknown[];
  const marked = Buffer.from(JSON.stringify([...parts, 'mark'])).toString('base64url');
  await expectRefusal('invalid_cursor', call(listCategories, { limit: 1, cursor: marked }));
});

test('an event id is the id of an entry and a mark of what never changes in it', () => {
  const id = eventIdOf(positionAfter(exampleEntry));
  expect(id).toMatch(/^1208-[0-9a-z]{1,7}$/);
  expect(positionIn(id)).toEqual(positionAfter(exampleEntry));
  expect(eventIdOf(positionAfter(undefined))).toBe('0');
  expect(eventIdOf({ id: 7 })).toBe('7');
  const mark = markOf(exampleEntry);
  expect(markOf({ ...exampleEntry, undoneBy: 1210 })).toBe(mark);
  const other: readonly Partial<LedgerEntry>[] = [
    { at: '2026-11-20T09:30:00.001Z' },
    { actor: 'bo' },
    { kind: 'count' },
    { petId: 8 },
    { orderId: 7 },
    { categoryId: 7 },
    { delta: 3 },
    { quantityAfter: 6 },
    { batchId: 1 },
    { line: 2 },
    { reverses: 1207 },
  ];
  const marks = other.map((change) => markOf({ ...exampleEntry, ...change }));
  expect(new Set([mark, ...marks]).size).toBe(other.length + 1);
  for (const text of ['', 'x', '-1', '01', '1.0', '0-abc', '7-', '7-ABC', '7-abcdefgh', '7-a-b', '1,1', '12345678901234567', '9007199254740993'])
    expect([text, positionIn(text)]).toEqual([text, undefined]);
  expect(eventIdPattern.test('9007199254740991')).toBe(true);
});

testOnEveryStore('a list after a position has what follows it, and refuses one that the ledger does not hold', async (around) => {
  const { call, engine } = around;
  const [first, , third] = await write(around, 'A', 'B', 'C');
  const after = async (text: string) => (await call(listLedger, { after: text })).items.map(({ id }) => id);
  expect(await after(eventIdOf(positionAfter(first)))).toEqual([2, 3]);
  expect(await after('0')).toEqual([1, 2, 3]);
  expect(await after('3')).toEqual([]);
  await expectRefusal('cursor_unknown', after('4'), /entry 4: its newest entry is 3\./);
  await loseCategories(engine, 1);
  await write(around, 'D');
  await expectRefusal('cursor_unknown', after(eventIdOf(positionAfter(third))), /does not hold entry 3-/);
});
