import { expect } from 'vitest';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import type { Call } from '../../src/domain/call.js';
import type { Shop } from '../../src/domain/shop.js';
import { localShop } from '../../src/storage/shop.js';
import type { Sql } from '../../src/storage/sql.js';
import { observeQueries } from './observe-queries.js';
import type { TestShop } from './test-shop.js';

/** The SQLite query plan of each query of a request, one step per line. */
export async function plansOf({ engine, clock }: TestShop, request: (call: Call, shop: Shop) => Promise<unknown>): Promise<readonly string[]> {
  const queries: Sql[] = [];
  const shop = localShop(
    observeQueries(engine, (query) => queries.push(query)),
    { actor: 'ana', source: 'cli', clock: clock.now },
    '',
  );
  await request(shop.call, shop);
  const steps: string[] = [];
  for (const { text, values } of queries) {
    // The newest row of a table is the first step of an index scan with LIMIT 1.
    if (text.endsWith('ORDER BY id DESC LIMIT 1')) continue;
    const plan = await engine.read((reading) => reading.all<{ readonly detail: string }>({ text: `EXPLAIN QUERY PLAN ${text}`, values }));
    steps.push(...plan.map(({ detail }) => detail));
  }
  expect(queries.length).toBeGreaterThan(0);
  return steps;
}

/** A few rows of every table. Without statistics SQLite plans the same for a dozen rows as for millions. */
export async function stocked({ category, pet, call }: TestShop): Promise<void> {
  const [dogs, cats] = [await category('Dogs'), await category('Cats')];
  for (let index = 0; index < 4; index += 1) {
    await pet({ categoryId: dogs, quantity: 0 });
    const held = await pet({ categoryId: cats, quantity: 5, reserved: 1, hold: true });
    await call(setLowAt, { petId: held, body: { lowAt: 9 } });
    await pet({ categoryId: dogs, quantity: 1, reserved: 3 });
    await call(placeOrder, { body: { petId: await pet({ quantity: 9, categoryId: dogs }), complete: true } });
  }
  await call(placeOrder, { body: { petId: 4 } });
}
