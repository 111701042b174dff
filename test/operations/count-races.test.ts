import { expect } from 'vitest';
import { addCountLines } from '../../src/domain/counts/add-count-lines.js';
import { closeCount } from '../../src/domain/counts/close-count.js';
import { closeOutcomeOf, tallyOf, type ClosePolicy, type CloseOutcome } from '../../src/domain/counts/count-rules.js';
import { getCount } from '../../src/domain/counts/get-count.js';
import { listCountLines } from '../../src/domain/counts/list-count-lines.js';
import { listCountPets } from '../../src/domain/counts/list-count-pets.js';
import { previewCount } from '../../src/domain/counts/preview-count.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import { undoCountLine } from '../../src/domain/counts/undo-count-line.js';
import { StoreError } from '../../src/domain/errors.js';
import { levelCrossing, type Stock } from '../../src/domain/inventory/stock.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { localShop } from '../../src/storage/shop.js';
import { sql } from '../../src/storage/sql.js';
import { brokenRules } from '../support/invariants.js';
import { seededRandom } from '../support/seeded-random.js';
import { testOnEveryEngine, testOnEveryStore } from '../support/stores.js';
import { entrySummary, type TestShop } from '../support/test-shop.js';

const pets = 12;

/** The stock of each live pet, as the rules need it. */
async function stockOf({ rows }: TestShop): Promise<ReadonlyMap<number, Stock>> {
  const found = await rows<Omit<Stock, 'hold'>>(sql`SELECT pet_id AS "petId", quantity, reserved, low_at AS "lowAt" FROM stock ORDER BY pet_id`);
  return new Map(found.map((stock) => [stock.petId, { ...stock, hold: false }]));
}

/** What the rules say that a close does to each pet of count 1, from its lines alone. */
async function outcomes({ call }: TestShop, stock: ReadonlyMap<number, Stock>, policy: ClosePolicy): Promise<ReadonlyMap<number, CloseOutcome>> {
  const lines = (await call(listCountLines, { countId: 1, sort: 'id', limit: 500 })).items;
  const { items } = await call(listCountPets, { countId: 1, limit: 500 });
  return new Map(
    items.map(({ petId, name }) => {
      const tally = tallyOf(lines.filter((line) => line.petId === petId));
      return [petId, closeOutcomeOf({ petId, name, tally, stock: stock.get(petId) }, policy)];
    }),
  );
}

/** A shop with a count in which random things happened. */
async function fill(shop: TestShop, random: (below: number) => number): Promise<void> {
  const { call, shopOf, pet, adjust, order } = shop;
  for (let petId = 1; petId <= pets; petId += 1) {
    await pet({ quantity: random(8), reserved: random(3) === 0 ? random(4) : 0 });
    if (random(2) === 0) await call(setLowAt, { petId, body: { lowAt: random(5) } });
  }
  await call(startCount, { body: {} });
  for (let step = 0; step < 40; step += 1) {
    const petId = 1 + random(pets);
    const kind = random(6);
    const attempt =
      kind === 0
        ? adjust(petId, random(2) === 0 ? 1 + random(5) : -1 - random(3))
        : kind === 1
          ? order(petId, 1 + random(2))
          : kind === 2
            ? call(undoCountLine, { countId: 1, lineId: 1 + random(20) })
            : kind === 3 && random(4) === 0
              ? call(deletePet, { petId })
              : shopOf(random(2) === 0 ? 'ana' : 'ben').call(addCountLines, {
                  countId: 1,
                  body: { lines: [{ petId, number: random(9), adds: random(2) === 0 }] },
                });
    await attempt.catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
    });
  }
}

for (const seed of [2, 3]) {
  testOnEveryStore(`a close does to each pet what the rules say (seed ${seed})`, async (shop) => {
    const { call, ledger, expectUnchanged } = shop;
    const random = seededRandom(seed);
    await fill(shop, (below) => Math.floor(random() * below));
    expect(await brokenRules(shop)).toEqual([]);
    const before = await stockOf(shop);
    for (const missing of ['keep', 'zero'] as const) {
      for (const allowShortage of [false, true]) {
        const expected = await outcomes(shop, before, { missing, allowShortage });
        const preview = (await call(previewCount, { countId: 1, missing, allowShortage, limit: 500, count: true })).items;
        const changing = [...expected].flatMap(([petId, outcome]) => {
          if (outcome.kind === 'applied' && outcome.after !== before.get(petId)?.quantity) return [`${petId} ${outcome.after}`];
          return outcome.kind === 'refused' ? [`${petId} ${outcome.refusal.code}`] : [];
        });
        const shown = preview.filter(({ problem }) => problem?.code !== 'unknown_pet');
        expect(shown.map(({ petId, after, problem }) => `${petId} ${problem?.code ?? after}`)).toEqual(changing);
      }
    }
    const policy = { missing: seed % 2 === 0 ? 'zero' : 'keep', allowShortage: seed % 3 === 0 } as const;
    const expected = await outcomes(shop, before, policy);
    const dry = await expectUnchanged(() => call(closeCount, { countId: 1, body: { ...policy, mode: 'keep-going' } }, { dryRun: true }));
    expect(await call(closeCount, { countId: 1, body: { ...policy, mode: 'keep-going' } })).toEqual(dry);
    const after = await stockOf(shop);
    const entries = new Map<number, string[]>();
    for (const [petId, stock] of before) {
      const outcome = expected.get(petId);
      const quantity = outcome?.kind === 'applied' ? outcome.after : stock.quantity;
      expect([petId, after.get(petId)?.quantity]).toEqual([petId, quantity]);
      const crossing = levelCrossing(stock, { ...stock, quantity });
      const change = quantity - stock.quantity;
      if (change !== 0) entries.set(petId, [`count ${change > 0 ? '+' : ''}${change}`, ...(crossing ? [crossing.kind] : [])]);
    }
    const written = new Map<number, string[]>();
    for (const entry of await ledger({ batchId: 1 })) written.set(entry.petId ?? 0, [...(written.get(entry.petId ?? 0) ?? []), entrySummary(entry)]);
    expect([...written]).toEqual([...entries]);
    expect(await brokenRules(shop)).toEqual([]);
  });
}

testOnEveryEngine('lines that two processes add to one pet at the same time are all kept, and none comes after the close', async (shop) => {
  const { call, pet, openAgain, clock } = shop;
  const rex = await pet({ quantity: 100 });
  const max = await pet({ quantity: 7 });
  await call(startCount, { body: {} });
  const engines = [shop.engine, await openAgain()];
  const shops = engines.map((engine, index) => localShop(engine, { actor: `counter ${index}`, source: 'cli', clock: clock.now }, ''));
  let accepted = 0;
  const add = async (index: number): Promise<void> => {
    try {
      await shops[index % 2]?.call(addCountLines, {
        countId: 1,
        body: {
          lines: [
            { petId: rex, number: 1, adds: true, key: `line ${index}` },
            { petId: max, number: 7 },
          ],
        },
      });
      accepted += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: 'count_not_open' });
    }
  };
  await Promise.all(Array.from({ length: 30 }, (_, index) => add(index)));
  expect(accepted).toBe(30);
  expect((await call(listCountPets, { countId: 1, petId: rex })).items).toMatchObject([{ counted: 30, expected: 100, lines: 30 }]);
  const later = Array.from({ length: 20 }, (_, index) => add(100 + index));
  const closed = await shops[1]?.call(closeCount, { countId: 1, body: {} });
  await Promise.all(later);
  expect(await call(getCount, { countId: 1 })).toMatchObject({ state: 'closed', counted: 2, agreeing: 1 });
  const { items } = await call(listCountPets, { countId: 1 });
  expect(items).toMatchObject([
    { petId: rex, counted: accepted, onHand: accepted },
    { petId: max, counted: 7, onHand: 7 },
  ]);
  expect(closed).toMatchObject({ changed: 1, unchanged: 1 });
  expect(await brokenRules(shop)).toEqual([]);
  await engines[1]?.close();
});
