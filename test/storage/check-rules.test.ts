import { expect } from 'vitest';
import { closeCount } from '../../src/domain/counts/close-count.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import { checkRules } from '../../src/storage/maintenance/check-rules.js';
import type { TestShop } from '../support/test-shop.js';
import { testOnSqlite } from '../support/stores.js';
import { brokenRules } from '../support/invariants.js';

/** A consistent shop: pet 1 has 5 on hand, 2 of them reserved for order 1; pet 2 has one. Count 1 found one unit less of pet 1; count 2 is open. */
async function createValidShop({ pet, call, countLines }: TestShop): Promise<void> {
  await pet({ quantity: 6, reserved: 2 });
  await pet();
  await call(startCount, { body: { petIds: [1] } });
  await countLines(1, { petId: 1, number: 5 });
  await call(closeCount, { countId: 1, body: {} });
  await call(startCount, { body: { petIds: [1, 2] } });
  await countLines(2, { petId: 1, number: 3 }, { petId: 1, number: 1, adds: true });
}

/** The rules that statements break, which are then rolled back. */
async function brokenBy({ engine }: TestShop, statements: readonly string[]): Promise<readonly string[]> {
  const broken: string[] = [];
  const work = engine.write(async (queries) => {
    for (const text of statements) await queries.run({ text, values: [] });
    for (const { name, status } of await checkRules(queries)) if (status !== 'pass') broken.push(name);
    throw new Error('roll back');
  });
  await expect(work).rejects.toThrow('roll back');
  return broken;
}

const row = "INSERT INTO ledger (kind, pet_id, order_id, delta, quantity_after, at, actor, source) SELECT 'sale', ";
const now = "max(at), 'ana', 'cli' FROM ledger";

/** Changes that no operation makes, and the rule that each breaks. */
const violations: readonly (readonly [rule: string, statements: readonly string[]])[] = [
  ['stock', ['PRAGMA ignore_check_constraints = ON', 'UPDATE stock SET quantity = -1 WHERE pet_id = 1', 'PRAGMA ignore_check_constraints = OFF']],
  ['stock', ['UPDATE stock SET quantity = 6 WHERE pet_id = 1']],
  ['chain', [`${row} 1, NULL, -1, 5, ${now}`]],
  ['reservations', ['UPDATE stock SET quantity = 1 WHERE pet_id = 1']],
  ['sales', ["UPDATE orders SET state = 'complete'"]],
  ['sales', [`${row} 1, 1, -2, 3, ${now}`]],
  ['sales', [`${row} 2, 1, -1, 0, ${now}`]],
  ['authors', ["INSERT INTO ledger (kind, batch_id) VALUES ('sale', 9)"]],
  ['time', ["INSERT INTO ledger (kind, at, actor, source) VALUES ('sale', 1, 'ana', 'cli')"]],
  ['categories', ['UPDATE categories SET archived = 1']],
  ['orders', ['UPDATE pets SET archived = 1 WHERE id = 1']],
  ['status', ['DELETE FROM stock WHERE pet_id = 2']],
  ['records', [`${row} 99, NULL, NULL, NULL, ${now}`]],
  ['count figures', ['DROP INDEX count_pets_open', 'UPDATE count_pets SET open = 1']],
  ['count figures', ['UPDATE count_pets SET open = 0']],
  ['counted pets', ['UPDATE count_pets SET counted = 5 WHERE count_id = 2 AND pet_id = 1']],
  ['counted pets', ['UPDATE count_lines SET undone = 1 WHERE id = 3']],
  ['counted pets', ['UPDATE count_lines SET count_id = 3 WHERE id = 3']],
  ['counted lines', ['UPDATE count_lines SET on_hand = 6 WHERE id = 3']],
  ['counted lines', ['UPDATE count_lines SET after_entry = 1 WHERE id = 3']],
  ['count changes', ['UPDATE count_pets SET counted = 4 WHERE count_id = 1']],
  ['count changes', ["UPDATE count_pets SET refused = 'stock_reserved' WHERE count_id = 1"]],
  ['count changes', ['DELETE FROM count_pets WHERE count_id = 1']],
  ['count changes', ['DROP TRIGGER batches_keep_values', 'UPDATE batches SET count_id = 2']],
  ['count figures', ['UPDATE counts SET counted = 2 WHERE id = 2']],
];

testOnSqlite('doctor finds each rule that is broken', async (scene) => {
  await createValidShop(scene);
  for (const [rule, statements] of violations) expect([statements, await brokenBy(scene, statements)]).toEqual([statements, expect.arrayContaining([rule])]);
  expect(await brokenRules(scene)).toEqual([]);
});
