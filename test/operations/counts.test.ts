import type * as v from 'valibot';
import { expect } from 'vitest';
import { addCountLines } from '../../src/domain/counts/add-count-lines.js';
import { cancelCount } from '../../src/domain/counts/cancel-count.js';
import type { newLine } from '../../src/domain/counts/count-line.js';
import { closeCount } from '../../src/domain/counts/close-count.js';
import { getCount } from '../../src/domain/counts/get-count.js';
import { listCountCategories } from '../../src/domain/counts/list-count-categories.js';
import { listCountLines } from '../../src/domain/counts/list-count-lines.js';
import { listCountPets } from '../../src/domain/counts/list-count-pets.js';
import { listCounts } from '../../src/domain/counts/list-counts.js';
import { previewCount } from '../../src/domain/counts/preview-count.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import { undoCountLine } from '../../src/domain/counts/undo-count-line.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { testOnEveryStore } from '../support/stores.js';

const at = '2026-11-20T09:00:00.000Z';

testOnEveryStore('a count has the pets that meet its conditions when it starts', async ({ call, category, pet, ledger }) => {
  const dogs = await category('Dogs');
  const cats = await category('Cats');
  await pet({ categoryId: dogs });
  await pet({ categoryId: cats });
  const low = await pet({ categoryId: cats, name: 'Mia' });
  const started = await call(startCount, { body: { categoryIds: [cats], note: 'back room', blind: true } });
  expect(started).toEqual({
    id: 1,
    state: 'open',
    blind: true,
    note: 'back room',
    startedBy: 'ana',
    startedAt: at,
    pets: 2,
    counted: 0,
    agreeing: 0,
    differing: 0,
  });
  await pet({ categoryId: cats });
  expect(await call(getCount, { countId: 1 })).toEqual(started);
  const { items } = await call(listCountPets, { countId: 1, q: 'mia' });
  expect(items).toEqual([{ petId: low, name: 'Mia', category: 'Cats', state: 'not-counted', onHand: 1, lines: 0 }]);
  expect(await ledger({ kind: ['count.started'] })).toMatchObject([{ kind: 'count.started', countId: 1, note: 'back room', actor: 'ana' }]);
});

testOnEveryStore('a pet is in one open count at most', async ({ call, countLines, pet, expectRefusal }) => {
  const rex = await pet({ name: 'Rex' });
  const max = await pet({ name: 'Max' });
  await call(startCount, { body: { petIds: [rex] } });
  const refusal = await expectRefusal('already_counting', () => call(startCount, { body: {} }), /^Rex \(1\) is already in open count 1\.$/);
  expect(refusal.details).toEqual({ countId: 1, petIds: [rex] });
  await call(startCount, { body: { petIds: [max] } });
  await expectRefusal('already_counting', () => call(startCount, { body: {} }), /^Rex \(1\) and Max \(2\) are already in open counts 1 and 2\.$/);
  await expectRefusal('already_counting', () => countLines(1, { petId: max, number: 1, also: true }), /count 2/);
  await call(cancelCount, { countId: 1 });
  expect(await call(startCount, { body: { petIds: [rex] } })).toMatchObject({ id: 3, pets: 1 });
});

testOnEveryStore('a count of no pets is refused', async ({ call, pet, expectRefusal }) => {
  await expectRefusal('nothing_to_count', () => call(startCount, { body: {} }), /nothing to count/);
  const rex = await pet();
  await expectRefusal('nothing_to_count', () => call(startCount, { body: { petIds: [rex], q: 'max' } }), /nothing to count/);
  await expectRefusal('unknown_category', () => call(startCount, { body: { categoryIds: [99] } }), /^There is no category 99\.$/);
});

testOnEveryStore('a count of a pet that is not in the shop is refused', async ({ call, pet, expectRefusal }) => {
  const rex = await pet();
  const max = await pet();
  await call(deletePet, { petId: max });
  // The last one is the largest id of the contract.
  for (const petId of [max, 99, 2 ** 63 - 1024]) {
    const sentence = new RegExp(`^There is no pet ${petId}\\.$`);
    await expectRefusal('unknown_pet', () => call(startCount, { body: { petIds: [rex, rex, petId] } }), sentence);
  }
});

testOnEveryStore('a line replaces the lines before it, or is added to them', async ({ call, countLines, shopOf, pet, clock, set }) => {
  const rex = await pet({ name: 'Rex', quantity: 10 });
  const max = await pet({ name: 'Max', quantity: 4 });
  await call(startCount, { body: {} });
  const first = await countLines(1, { petId: rex, number: 6 }, { petId: max, number: 4, adds: true });
  expect(first.lines).toEqual([
    { id: 1, petId: rex, name: 'Rex', number: 6, adds: false, by: 'ana', at, onHand: 10, undone: false, countedSoFar: 6 },
    { id: 2, petId: max, name: 'Max', number: 4, adds: true, by: 'ana', at, onHand: 4, undone: false, countedSoFar: 4 },
  ]);
  expect(await call(getCount, { countId: 1 })).toMatchObject({ pets: 2, counted: 2, agreeing: 1, differing: 1 });
  await set(rex, 9);
  clock.pass(1000);
  const later = await shopOf('ben').call(addCountLines, { countId: 1, body: { lines: [{ petId: rex, number: 3, adds: true }] } });
  expect(later.lines).toMatchObject([{ id: 3, by: 'ben', onHand: 9, countedSoFar: 9 }]);
  expect((await call(listCountPets, { countId: 1, petId: rex })).items).toEqual([
    {
      petId: rex,
      name: 'Rex',
      category: 'Dogs',
      state: 'counted',
      counted: 9,
      onHand: 9,
      expected: 9,
      difference: 0,
      countedBy: 'ben',
      countedAt: '2026-11-20T09:00:01.000Z',
      lines: 2,
    },
  ]);
  expect(await call(getCount, { countId: 1 })).toMatchObject({ counted: 2, agreeing: 2, differing: 0 });
  expect((await call(listCountLines, { countId: 1 })).items.map(({ id }) => id)).toEqual([3, 2, 1]);
  expect((await call(listCountLines, { countId: 1, by: 'ben' })).items.map(({ id }) => id)).toEqual([3]);
  expect(await call(listCountCategories, { countId: 1 })).toEqual([{ categoryId: 1, category: 'Dogs', pets: 2, counted: 2, agreeing: 2, differing: 0 }]);
});

testOnEveryStore('a line under a key that the count has adds nothing', async ({ call, pet, expectUnchanged }) => {
  const rex = await pet({ quantity: 5 });
  await call(startCount, { body: {} });
  const body = {
    lines: [
      { petId: rex, number: 3, key: 'a' },
      { petId: rex, number: 3, key: 'a' },
      { petId: rex, number: 1, adds: true, key: 'b' },
    ],
  };
  const first = await call(addCountLines, { countId: 1, body });
  expect(first.lines.map(({ id, countedSoFar, unchanged }) => [id, countedSoFar, unchanged])).toEqual([
    [1, 4, undefined],
    [1, 4, true],
    [2, 4, undefined],
  ]);
  const repeated = { lines: first.lines.map((line) => ({ ...line, unchanged: true })) };
  expect(await expectUnchanged(() => call(addCountLines, { countId: 1, body }))).toEqual(repeated);
  await call(cancelCount, { countId: 1 });
  expect(await expectUnchanged(() => call(addCountLines, { countId: 1, body }))).toEqual(repeated);
});

testOnEveryStore('each sender has keys of lines of their own', async ({ call, pet, shopOf }) => {
  const rex = await pet({ quantity: 5 });
  await call(startCount, { body: {} });
  const body = { lines: [{ petId: rex, number: 1, adds: true, key: 'a' }] };
  const ofBen = shopOf('ben');
  for (const [shop, id, by, countedSoFar] of [
    [call, 1, 'ana', 1],
    [ofBen.call, 2, 'ben', 2],
    [call, 1, 'ana', 2],
    [ofBen.call, 2, 'ben', 2],
  ] as const)
    expect((await shop(addCountLines, { countId: 1, body })).lines).toMatchObject([{ id, by, countedSoFar }]);
  const other = { lines: [{ petId: rex, number: 2, key: 'a' }] };
  await expect(ofBen.call(addCountLines, { countId: 1, body: other })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});

testOnEveryStore('a line under the key of another line is refused', async ({ call, countLines, pet, expectRefusal }) => {
  const rex = await pet({ name: 'Rex', quantity: 5 });
  const max = await pet({ name: 'Max' });
  await call(startCount, { body: {} });
  const add = async (...lines: readonly v.InferInput<typeof newLine>[]) => countLines(1, ...lines);
  await add({ petId: rex, number: 3, key: 'a' });
  for (const other of [
    { petId: max, number: 3 },
    { petId: rex, number: 4 },
    { petId: rex, number: 3, adds: true },
  ]) {
    const refusal = await expectRefusal(
      'idempotency_key_reused',
      () => add({ petId: max, number: 1, key: 'b' }, { ...other, key: 'a' }),
      /^Count 1 has another line under the key "a": 3 × Rex \(pet 1\)\.$/,
    );
    expect(refusal.details).toEqual({ countId: 1, petId: other.petId, lineIndex: 1 });
  }
  await expectRefusal(
    'idempotency_key_reused',
    () => add({ petId: rex, number: 1, adds: true, key: 'c' }, { petId: max, number: 1, adds: true, key: 'c' }),
    /^Two different lines have the key "c"\.$/,
  );
  expect((await call(listCountLines, { countId: 1 })).items).toHaveLength(1);
});

testOnEveryStore('lines are added all or none', async ({ call, countLines, pet, expectRefusal }) => {
  const rex = await pet({ name: 'Rex' });
  await call(startCount, { body: {} });
  const max = await pet({ name: 'Max' });
  const lines = [
    { petId: rex, number: 1 },
    { petId: max, number: 2 },
  ];
  const outside = await expectRefusal('not_in_count', () => countLines(1, ...lines), /^Max \(pet 2\) is not in count 1\.$/);
  expect(outside.details).toEqual({ countId: 1, petId: max, lineIndex: 1 });
  await expectRefusal('unknown_pet', () => countLines(1, ...lines.slice(0, 1), { petId: 9, number: 1 }), /^There is no pet 9\.$/);
  const added = await countLines(1, { petId: max, number: 2, also: true });
  expect(added.lines).toMatchObject([{ countedSoFar: 2 }]);
  expect(await call(getCount, { countId: 1 })).toMatchObject({ pets: 2, counted: 1 });
  await call(deletePet, { petId: max });
  await expectRefusal('unknown_pet', () => countLines(1, { petId: max, number: 2 }), /^Max \(pet 2\) is no longer in the shop\.$/);
});

testOnEveryStore('an undone line counts as if it were not there', async ({ call, countLines, pet, expectUnchanged, expectRefusal }) => {
  const rex = await pet({ quantity: 5 });
  await call(startCount, { body: {} });
  await countLines(1, { petId: rex, number: 5 }, { petId: rex, number: 2, adds: true });
  expect(await call(undoCountLine, { countId: 1, lineId: 2 })).toMatchObject({ id: 2, undone: true, countedSoFar: 5 });
  expect(await call(getCount, { countId: 1 })).toMatchObject({ counted: 1, agreeing: 1 });
  await expectUnchanged(() => call(undoCountLine, { countId: 1, lineId: 2 }));
  expect(await call(undoCountLine, { countId: 1, lineId: 1 })).not.toHaveProperty('countedSoFar');
  expect(await call(getCount, { countId: 1 })).toMatchObject({ counted: 0, agreeing: 0, differing: 0 });
  expect((await call(listCountPets, { countId: 1 })).items).toMatchObject([{ state: 'not-counted', lines: 0 }]);
  await expectRefusal('line_not_found', () => call(undoCountLine, { countId: 1, lineId: 3 }), /^Line 3 was not found\.$/);
  await call(cancelCount, { countId: 1 });
  await expectRefusal('count_not_open', () => call(undoCountLine, { countId: 1, lineId: 1 }), /^Count 1 is cancelled/);
});

testOnEveryStore(
  'closing a count changes the stock by what was found, in one batch',
  async ({ call, countLines, shop, pet, adjust, stockSummary, ledger, ledgerSummary }) => {
    const rex = await pet({ name: 'Rex', quantity: 10 });
    const max = await pet({ name: 'Max', quantity: 4 });
    const mia = await pet({ name: 'Mia', quantity: 2 });
    await call(startCount, { body: {} });
    await countLines(1, { petId: rex, number: 8 }, { petId: max, number: 4 });
    await adjust(rex, -3);
    expect((await call(previewCount, { countId: 1, count: true })).items).toEqual([
      { petId: rex, name: 'Rex', before: 7, after: 5, counted: 8, expected: 10, difference: -2 },
    ]);
    const closed = await call(closeCount, { countId: 1, body: {} });
    expect(closed).toMatchObject({ id: 1, state: 'closed', batchId: 1, endedBy: 'ana', changed: 1, unchanged: 1, rejected: 0, deleted: 0, refused: [] });
    expect([await stockSummary(rex), await stockSummary(max), await stockSummary(mia)]).toEqual([
      '5 on hand, 0 reserved, available',
      '4 on hand, 0 reserved, available',
      '2 on hand, 0 reserved, available',
    ]);
    expect(await ledger({ batchId: 1 })).toMatchObject([{ kind: 'count', petId: rex, delta: -2, quantityAfter: 5, actor: 'ana', batchId: 1 }]);
    expect(await ledgerSummary({ kind: ['count.closed'] })).toEqual(['count.closed']);
    expect((await call(listCounts, { state: 'closed' })).items).toHaveLength(1);
    await shop.undoBatch(1, {});
    expect(await stockSummary(rex)).toBe('7 on hand, 0 reserved, available');
  },
);

testOnEveryStore('a pet has at most 10,000 lines in a count', async ({ call, countLines, pet, expectRefusal }) => {
  const rex = await pet({ name: 'Rex' });
  await call(startCount, { body: { petIds: [rex] } });
  const thousand = Array.from({ length: 1000 }, () => ({ petId: rex, number: 1, adds: true }));
  for (let turn = 0; turn < 10; turn += 1) await countLines(1, ...thousand);
  const one = { countId: 1, body: { lines: [{ petId: rex, number: 1, adds: true }] } };
  await expectRefusal('validation_failed', () => call(addCountLines, one), /Rex \(pet 1\) has 10000 lines in count 1/);
  await call(undoCountLine, { countId: 1, lineId: 1 });
  expect(await call(addCountLines, one)).toMatchObject({ lines: [{ countedSoFar: 10_000 }] });
});
