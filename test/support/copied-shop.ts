import { pauseHook } from '../../src/domain/hooks/pause-hook.js';
import { insertDeliveries } from '../../src/storage/tables/hook-progress.js';
import { addCode } from '../../src/domain/codes/add-code.js';
import { join } from 'node:path';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { setLowDefault } from '../../src/domain/inventory/set-low-default.js';
import { addCountLines } from '../../src/domain/counts/add-count-lines.js';
import { closeCount } from '../../src/domain/counts/close-count.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { undoEntry } from '../../src/domain/ledger/undo-entry.js';
import type { OpenShop } from '../../src/storage/copy/copy-shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { localShop } from '../../src/storage/shop.js';
import { sql } from '../../src/storage/sql.js';
import { openEmptyShop } from './empty-shop-file.js';
import { runSampleOperations } from './sample-operations.js';
import { inDirectory } from './stores.js';
import { emptyShop, openShop } from './postgres.js';
import type { Queries } from '../../src/storage/queries.js';

/** Tables that are not copied: the schema and the write lock, commit records, sessions, and staged rows. */
export const notCopied = ['commits', 'sessions', 'shop'];

/** The time of these shops, in ms since 1970; every reading of their clock adds a second. */
export const shopTime = { now: Date.parse('2026-11-20T09:00:00Z') };
export const shopOn = (engine: Engine) => localShop(engine, { actor: 'ana', source: 'cli', clock: () => (shopTime.now += 1000) }, 'here');

/** The same store, in which another client places an order before every insert; `placed` counts them. */
export function withConcurrentOrders({ engine, where }: OpenShop, other: Engine): { readonly home: OpenShop; readonly placed: () => number } {
  let placed = 0;
  const insertRows: Engine['insertRows'] = async (...rows) => {
    await shopOn(other).call(placeOrder, { body: {} });
    placed += 1;
    await engine.insertRows(...rows);
  };
  return { home: { engine: { ...engine, insertRows }, where }, placed: () => placed };
}

/** Opens a new shop in a file. */
export async function openFileShop(path: string): Promise<OpenShop> {
  return { engine: await openEmptyShop(path, 5), where: path };
}

/** Runs work with an empty shop in a database; `another` opens it once more. */
export async function inDatabase(work: (home: OpenShop, another: () => Promise<Engine>) => Promise<void>): Promise<void> {
  const { address, open, giveBack } = await emptyShop();
  await work({ engine: await open(), where: 'the database' }, () => openShop(address));
  await giveBack();
}

/** Two SQLite stores in a new folder. */
export function inFiles(work: (from: OpenShop, to: OpenShop, directory: string) => Promise<void>): Promise<void> {
  return inDirectory(async (directory) => {
    const stores = [await openFileShop(join(directory, 'from.db')), await openFileShop(join(directory, 'to.db'))] as const;
    await work(...stores, directory);
    for (const { engine } of stores) await engine.close();
  });
}

/** Fills a shop with rows in every table. */
export async function fillShop({ engine }: OpenShop): Promise<void> {
  const shop = shopOn(engine);
  await runSampleOperations(shop);
  await shop.call(setLowDefault, { body: { lowAt: 2 } });
  await shop.call(placeOrder, { body: { petId: 2, quantity: 1, shipDate: '2026-12-24T09:00:00Z' } }, { note: 'für „Zoë” 🦜' });
  await shop.call(setInventory, { petId: 2, allowShortage: true, body: { quantity: 0 } });
  await shop.call(setInventory, { petId: 4, body: { quantity: 9 } });
  const last = await engine.read((queries) => queries.get<{ readonly id: number }>(sql`SELECT max(id) AS id FROM ledger WHERE kind = 'count'`));
  await shop.call(undoEntry, { entryId: last?.id ?? 0 });
  await shop.call(addCode, { petId: 1, body: { code: '4006381333931', units: 20 } });
  await shop.call(startCount, { body: { petIds: [1, 2], note: 'shelf' } });
  await shop.call(addCountLines, {
    countId: 1,
    body: {
      lines: [
        { petId: 1, number: 3, key: 'ä' },
        { petId: 2, number: 1, adds: true },
      ],
    },
  });
  await shop.call(closeCount, { countId: 1, body: { mode: 'keep-going' } });
  await shop.call(startCount, { body: { petIds: [1] } });
  await shop.tokens.create({ name: 'web', scopes: ['pets:read'], expiresAt: '2027-01-01T00:00:00Z' });
  await shop.hooks.create({ url: 'https://hooks.example.com/', kinds: ['sale'], petId: [1], rows: true, batch: 5, allowPrivate: false });
  await shop.call(pauseHook, { hookId: 1 });
  const delivery = { at: '2026-11-20T09:00:00.000Z', event: 'evt_1', type: 'sale', attempt: 1, milliseconds: 5, error: 'It failed.' };
  await engine.write((queries) => insertDeliveries(queries, [{ id: 1, deliveries: [delivery] }]));
  await shop.call(createCategory, { body: { name: 'ねこ "quoted" \\ back', description: '{a,NULL}' } });
}

/** An engine whose reads or writes return other rows for one query. */
export function withAlteredRows(engine: Engine, side: 'read' | 'write', table: string, change_: (rows: readonly unknown[][]) => readonly unknown[][]): Engine {
  const wrong = <Some extends Queries>(queries: Some): Some => ({
    ...queries,
    rows: async (query) => {
      const rows = await queries.rows(query);
      return (query.text.includes(`FROM ${table} `) ? change_(rows as unknown as readonly unknown[][]) : rows) as never;
    },
  });
  return {
    ...engine,
    read: (work) => engine.read((queries) => work(side === 'read' ? wrong(queries) : queries)),
    write: (work, options) => engine.write((queries) => work(side === 'write' ? wrong(queries) : queries), options),
  };
}
