import { createCategory } from '../../src/domain/categories/create-category.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import type { Shop } from '../../src/domain/shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { localShop } from '../../src/storage/shop.js';
import { checkRules } from '../../src/storage/maintenance/check-rules.js';
import { brokenRows } from './invariants.js';
import { inDatabase, withEnginesAt } from './postgres-engines.js';

const startedAt = Date.parse('2026-11-20T09:00:00Z');

/** A shop over an engine of the tests. */
export function shopOn(engine: Engine, actor = 'ana', clock = () => startedAt): Shop {
  return localShop(engine, { actor, source: 'cli', clock }, 'here');
}

/** Runs work with engines on one new database. */
export async function withEngines(count: number, work: (engines: readonly Engine[], name: string) => Promise<void>, waitSeconds = 20): Promise<void> {
  await inDatabase((address, name) => withEnginesAt(count, address, (engines) => work(engines, name), waitSeconds));
}

/** The broken invariants and the findings of `doctor`. */
export async function problemsOf(engine: Engine): Promise<readonly string[]> {
  const found = await brokenRows({ rows: (query) => engine.read((queries) => queries.all(query)) });
  const checks = await engine.read((queries) => checkRules(queries));
  return [...found, ...checks.filter(({ status }) => status !== 'pass').map(({ name, message }) => `${name}: ${message}`)];
}

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
