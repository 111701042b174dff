import * as fc from 'fast-check';
import { expect } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { StoreError } from '../../src/domain/errors.js';
import { listUndoable } from '../../src/domain/ledger/list-undoable.js';
import { undoEntry } from '../../src/domain/ledger/undo-entry.js';
import { undoLast } from '../../src/domain/ledger/undo-last.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import type { Shop } from '../../src/domain/shop.js';
import { sql, type Sql } from '../../src/storage/sql.js';
import { operationsAdapter } from '../support/adapters/operations.js';
import type { Command } from '../support/reference-model/apply-command.js';
import { steps } from '../support/reference-model/arbitraries.js';
import { brokenInvariants } from '../support/invariants.js';
import { isFullSize, seed, seededRandom } from '../support/seeded-random.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';

const sequences = isFullSize ? 200 : 1;
const changesPerSequence = isFullSize ? 30 : 12;

type Random = (below: number) => number;

/** The commands that `undo` does not take back, and those that repeat what only the model knows. */
const others: ReadonlySet<string> = new Set([
  'again',
  'import again',
  'import pets',
  'undo entry',
  'undo batch',
  'start count',
  'count lines',
  'undo line',
  'close count',
  'cancel count',
]);

/** Random commands of the reference model that can be undone: the same ones for each run of a sequence. */
function commandsOf(sequence: number, allowsShortage: boolean): readonly Command[] {
  return fc.sample(steps, { numRuns: 20 * changesPerSequence, seed: seed + sequence }).flatMap(({ command }) => {
    if (others.has(command.do)) return [];
    // Without shortages each change can be undone.
    return [{ ...command, ...('allowShortage' in command && !allowsShortage && { allowShortage: false }) } as Command];
  });
}

/** Makes a change as an actor; it may be refused. */
async function change(shop: TestShop, actor: Shop, command: Command | undefined): Promise<void> {
  if (command === undefined) throw new Error('There are too few commands.');
  const { send } = operationsAdapter.connect({ ...shop, shop: actor });
  expect(await send({ command, dryRun: false, key: undefined, ifMatch: undefined })).not.toBe('internal_error');
}

/** The live records of the shop, without its history. */
async function liveRecords({ rows }: TestShop): Promise<unknown> {
  const live: readonly Sql[] = [
    sql`SELECT * FROM categories WHERE archived = 0 ORDER BY id`,
    sql`SELECT * FROM pets WHERE archived = 0 ORDER BY id`,
    sql`SELECT * FROM stock ORDER BY pet_id`,
    sql`SELECT * FROM settings ORDER BY 1`,
    sql`SELECT * FROM orders WHERE state <> 'cancelled' ORDER BY id`,
  ];
  const records: unknown[] = [];
  for (const query of live) records.push(await rows(query));
  return records;
}

/** Whether a change was accepted; any other error than a refusal is thrown. */
async function isAccepted(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code !== 'internal_error') return false;
    throw error;
  }
}

/** Numbers below a bound, the same ones for each run of a sequence. */
function randomOf(sequence: number): Random {
  const generate = seededRandom(seed + sequence);
  return (below) => Math.floor(generate() * below);
}

/** Two categories and three pets, which `owner` creates. */
async function startingRecords({ shopOf }: TestShop): Promise<void> {
  const { call } = shopOf('owner');
  for (const name of ['A', 'B']) await call(createCategory, { body: { name } });
  for (const name of ['A', 'B', 'C']) await call(createPet, { quantity: 3, body: { name, categoryId: 1 } });
}

/** Undoes the first change of the list, which a dry run shows without a change, and repeats the request. */
async function undoFirst(shop: TestShop, key: string): Promise<void> {
  const [first] = await shop.call(listUndoable, {});
  const dry = await shop.expectUnchanged(() => shop.call(undoLast, { body: {} }, { dryRun: true }));
  expect(dry.entryId).toBe(first?.entryId);
  for (const _ of [1, 2]) await shop.call(undoLast, { body: { entryId: first?.entryId } }, { key });
}

/** Undoes a change of an actor by one of its entries, or one of the list, which is refused or writes to the ledger. */
async function undoAny(shop: TestShop, { call }: Shop, random: Random): Promise<void> {
  const entries = (await shop.ledger()).length;
  if (random(3) === 0) return void (await isAccepted(() => call(undoEntry, { entryId: 1 + random(entries) })));
  const changes = await call(listUndoable, {});
  const entryId = random(2) === 0 ? undefined : changes[random(changes.length)]?.entryId;
  const isUndone = await isAccepted(() => call(undoLast, { allowShortage: random(2) === 0, body: { entryId } }));
  expect((await shop.ledger()).length > entries).toBe(isUndone);
}

for (let sequence = 0; sequence < sequences; sequence += 1) {
  testOnEveryStore(`undoes random changes one after the other, each to the records before it: sequence ${sequence}`, async (shop) => {
    const [random, commands] = [randomOf(sequence), commandsOf(sequence, false)];
    await startingRecords(shop);
    const before: unknown[] = [];
    for (let step = 0; step < changesPerSequence; step += 1) {
      shop.clock.pass(random(2));
      const [records, entries] = [await liveRecords(shop), (await shop.ledger()).length];
      await change(shop, shop.shop, commands[step]);
      if ((await shop.ledger()).length > entries) before.push(records);
      if (random(5) > 0 || before.length === 0) continue;
      await undoFirst(shop, `key ${step}`);
      expect(await liveRecords(shop)).toEqual(before.pop());
    }
    for (const records of before.toReversed()) {
      await undoFirst(shop, `last key ${before.indexOf(records)}`);
      expect(await liveRecords(shop)).toEqual(records);
    }
    expect(await shop.call(listUndoable, {})).toEqual([]);
    expect(await brokenInvariants(shop)).toEqual([]);
  });

  testOnEveryStore(`keeps the rules of the shop while two actors change it and undo changes: sequence ${sequence}`, async (shop) => {
    const [random, commands] = [randomOf(sequence), commandsOf(sequence, true)];
    await startingRecords(shop);
    for (let step = 0; step < changesPerSequence; step += 1) {
      shop.clock.pass(random(2));
      const actor = shop.shopOf(random(2) === 0 ? 'ana' : 'ben');
      if (random(3) > 0) await change(shop, actor, commands[step]);
      else await undoAny(shop, actor, random);
      expect(await brokenInvariants(shop)).toEqual([]);
    }
  });
}
