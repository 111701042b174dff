import { expect } from 'vitest';
import type { TestShop } from '../support/test-shop.js';
import { testOnSqlite } from '../support/stores.js';
import { brokenInvariants } from '../support/invariants.js';

/** A consistent shop: pet 1 has 5 on hand, 2 of them reserved for order 1; pet 2 has one. */
async function createValidShop({ pet }: TestShop): Promise<void> {
  await pet({ quantity: 5, reserved: 2 });
  await pet();
}

async function violation({ engine }: TestShop, statements: readonly string[]): Promise<void> {
  await engine.write(async (queries) => {
    for (const text of statements) await queries.run({ text, values: [] });
  });
}

const row = "INSERT INTO ledger (kind, pet_id, order_id, delta, quantity_after, at, actor, source) SELECT 'sale', ";
const now = "max(at), 'ana', 'cli' FROM ledger";

/** Changes that no operation makes, and the invariant that each breaks. */
const violations: readonly (readonly [says: string, statements: readonly string[]])[] = [
  ['I1 quantities', ['PRAGMA ignore_check_constraints = ON', 'UPDATE stock SET quantity = -1 WHERE pet_id = 1', 'PRAGMA ignore_check_constraints = OFF']],
  ['I2 the quantity equals the last', ['UPDATE stock SET quantity = 6 WHERE pet_id = 1']],
  ['I2 the quantity equals the sum', ['UPDATE stock SET quantity = 6 WHERE pet_id = 1']],
  ['I3 each ledger quantity', [`${row} 1, NULL, -1, 5, ${now}`]],
  ['I4 reserved units', ['UPDATE stock SET quantity = 1 WHERE pet_id = 1']],
  ['I5 a complete order', ["UPDATE orders SET state = 'complete'"]],
  ['I5 a complete order', [`${row} 1, 1, -2, 3, ${now}`]],
  ['I5 an order has no net movement', [`${row} 2, 1, -1, 0, ${now}`]],
  ['I7 every row has an actor', ["INSERT INTO ledger (kind, batch_id) VALUES ('sale', 1)"]],
  ['I7 time never decreases', ["INSERT INTO ledger (kind, at, actor, source) VALUES ('sale', 1, 'ana', 'cli')"]],
  ['I9 every pet has a category', ['UPDATE categories SET archived = 1']],
  ['I9 every order has its pet', ['UPDATE pets SET archived = 1 WHERE id = 1']],
  ['I9 every live pet has stock', ['DELETE FROM stock WHERE pet_id = 2']],
  ['I9 the ledger refers', [`${row} 99, NULL, NULL, NULL, ${now}`]],
  [
    'I10 no row is reversed twice',
    [
      'DROP INDEX ledger_reversed_once',
      'DROP TRIGGER ledger_keeps_order',
      ...[1, 2].map(() => "INSERT INTO ledger (kind, at, actor, source, reverses) VALUES ('undo', 9e12, 'ana', 'cli', 1)"),
    ],
  ],
];

for (const [says, statements] of violations) {
  testOnSqlite(`detects that "${says}" is broken by ${statements[0]?.slice(0, 60)}`, async (scene) => {
    await createValidShop(scene);
    expect(await brokenInvariants(scene)).toEqual([]);
    await violation(scene, statements);
    expect((await brokenInvariants(scene)).filter((found) => found.includes(says))).not.toEqual([]);
  });
}
