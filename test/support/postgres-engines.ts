import { createCategory } from '../../src/domain/categories/create-category.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import type { Engine } from '../../src/storage/engine.js';
import { localShop } from '../../src/storage/shop.js';
import { sql, type Sql } from '../../src/storage/sql.js';
import { emptyShop, freshDatabase, openShop } from './postgres.js';

/** The clock of these shops stands still. */
export const clock = (): number => Date.parse('2026-11-20T09:00:00Z');
/** A shop over an engine of the tests. */
export const shopOn = (engine: Engine, actor = 'ana') => localShop(engine, { actor, source: 'cli', clock }, '');

/** Runs work with a new database, which has an empty shop or, with `empty`, nothing. */
export async function inDatabase(work: (address: string, name: string) => Promise<void>, empty = false): Promise<void> {
  const { address, name, drop } = await freshDatabase(empty);
  try {
    await work(address, name);
  } finally {
    await drop();
  }
}

/** Runs work with engines on one database. */
export async function withEnginesAt(count: number, address: string, work: (engines: readonly Engine[]) => Promise<void>, waitSeconds = 30): Promise<void> {
  const engines = await Promise.all(Array.from({ length: count }, () => openShop(address, { waitSeconds })));
  try {
    await work(engines);
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
}

/** Runs work that changes only rows with a database that tests use one after the other, without rows. That of a failed test is not used again. */
export async function inEmptyShop(work: (address: string, name: string) => Promise<void>): Promise<void> {
  const { address, giveBack } = await emptyShop();
  await work(address, new URL(address).pathname.slice(1));
  await giveBack();
}

/** Runs work that changes only rows with engines on one database. */
export async function withEngines(count: number, work: (engines: readonly Engine[], name: string) => Promise<void>, waitSeconds = 20): Promise<void> {
  await inEmptyShop((address, name) => withEnginesAt(count, address, (engines) => work(engines, name), waitSeconds));
}

/** Inserts a category without the rules of the shop. */
export function addCategory(name: string): Sql {
  return sql`INSERT INTO categories (id, name, folded) SELECT coalesce(max(id), 0) + 1, ${name}, ${name} FROM categories`;
}

/** The names of all categories in the order of their ids. */
export async function categoryNames(engine: Engine): Promise<readonly string[]> {
  return (await engine.read((queries) => queries.all<{ readonly name: string }>(sql`SELECT name FROM categories ORDER BY id`))).map(({ name }) => name);
}

/** Creates a category and a pet with this quantity. */
export async function createOnePet(engine: Engine, quantity: number): Promise<void> {
  await shopOn(engine).call(createCategory, { body: { name: 'Dogs' } });
  await shopOn(engine).call(createPet, { quantity, body: { name: 'Rex', categoryId: 1 } });
}

/** Loses the connection that runs it. */
export const terminateOwnConnection = sql`SELECT pg_terminate_backend(pg_backend_pid())`;

/** The number of pets, and of orders, in the shop of `fill`. */
export const pets = 6;

/** A shop with some pets and orders. */
export async function fill(engine: Engine): Promise<void> {
  const { call } = shopOn(engine, 'eva');
  for (const name of ['Dogs', 'Cats']) await call(createCategory, { body: { name } });
  for (let petId = 1; petId <= pets; petId += 1) await call(createPet, { quantity: petId * 2, body: { name: `Pet ${petId}`, categoryId: 1 } });
  for (let petId = 1; petId <= pets; petId += 1) await call(placeOrder, { body: { petId } });
  await call(setLowAt, { petId: 1, body: { lowAt: 1 } });
}
