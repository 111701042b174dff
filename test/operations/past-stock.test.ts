import { expect } from 'vitest';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { undoLast } from '../../src/domain/ledger/undo-last.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { reportStock } from '../../src/domain/reports/report-stock.js';
import { sql } from '../../src/storage/sql.js';
import { csv } from '../support/files.js';
import { sell } from '../support/stock.js';
import { testOnEveryStore } from '../support/stores.js';

const day = 24 * 60 * 60 * 1000;

testOnEveryStore('the stock of each day is that of the pets of its inventory', async (testShop) => {
  const { shop, call, category, pet, adjust, clock } = testShop;
  const [dogs, fish] = [await category('Dogs'), await category('Fish')];
  const undo = () => call(undoLast, { body: {} });
  const days: (() => Promise<unknown>)[] = [
    () => pet({ categoryId: fish, quantity: 5 }),
    () => pet({ categoryId: dogs, quantity: 0 }),
    () => call(deletePet, { petId: 2 }),
    undo,
    () => shop.importPets(csv('name,category,quantity', 'Koi,Fish,7', 'Eel,Fish,0', 'Cat,Dogs,2'), { mode: 'atomic' }),
    () => adjust(3, -4),
    () => call(deletePet, { petId: 4 }),
    () => sell(testShop, 1, 5),
    () => pet({ categoryId: dogs, quantity: 3 }),
    undo,
    () => call(updatePet, { petId: 1, body: { categoryId: dogs } }),
    () => call(deletePet, { petId: 1 }),
  ];
  for (const change of days) {
    await change();
    clock.pass(day);
  }
  for (const [index] of days.entries()) {
    const at = new Date(Date.UTC(2026, 10, 20) + index * day).toISOString().slice(0, 10);
    const { items } = await call(listInventory, { at, limit: 100 });
    const expected = new Map<number, { pets: number; onHand: number }>();
    for (const { petId, quantity } of items) {
      const [row] = await testShop.rows<{ readonly id: number }>(sql`SELECT category_id AS id FROM pets WHERE id = ${petId}`);
      const { pets, onHand } = expected.get(row?.id ?? 0) ?? { pets: 0, onHand: 0 };
      expected.set(row?.id ?? 0, { pets: pets + 1, onHand: onHand + quantity });
    }
    const rows = await call(reportStock, { at });
    expect(new Map(rows.map(({ categoryId, pets, onHand }) => [categoryId, { pets, onHand }]))).toEqual(expected);
  }
});
