import { expect } from 'vitest';
import { addCountLines } from '../../src/domain/counts/add-count-lines.js';
import { closeCount } from '../../src/domain/counts/close-count.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import type { TestShop } from '../support/test-shop.js';
import { testOnSqlite } from '../support/stores.js';
import { brokenInvariants } from '../support/invariants.js';

/** A consistent shop: pet 1 has 5 on hand, 2 of them reserved for order 1; pet 2 has one. Count 1 found one unit less of pet 1; count 2 is open. */
async function createValidShop({ pet, call }: TestShop): Promise<void> {
  await pet({ quantity: 6, reserved: 2 });
  await pet();
  await call(startCount, { body: { petIds: [1] } });
  await call(addCountLines, { countId: 1, body: { lines: [{ petId: 1, number: 5 }] } });
  await call(closeCount, { countId: 1, body: {} });
  await call(startCount, { body: { petIds: [1, 2] } });
  await call(addCountLines, {
    countId: 2,
    body: {
      lines: [
        { petId: 1, number: 3 },
        { petId: 1, number: 1, adds: true },
      ],
    },
  });
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
  ['I7 every row has an actor', ["INSERT INTO ledger (kind, batch_id) VALUES ('sale', 9)"]],
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
  ['I12 a pet is in one open count', ['DROP INDEX count_pets_open', 'UPDATE count_pets SET open = 1']],
  ['I12 the pets of an open count are marked', ['UPDATE count_pets SET open = 0']],
  ['I13 a pet is counted as its lines say', ['UPDATE count_pets SET counted = 5 WHERE count_id = 2 AND pet_id = 1']],
  ['I13 a pet is counted as its lines say', ['UPDATE count_lines SET undone = 1 WHERE id = 3']],
  ['I13 every line is about a pet of its count', ['UPDATE count_lines SET count_id = 3 WHERE id = 3']],
  ['I14 a line has the quantity on hand', ['UPDATE count_lines SET on_hand = 6 WHERE id = 3']],
  ['I14 a line has the quantity on hand', ['UPDATE count_lines SET after_entry = 1 WHERE id = 3']],
  ['I15 closing a count changes a pet once', ['UPDATE count_pets SET counted = 4 WHERE count_id = 1']],
  ['I15 closing a count changes a pet once', ["UPDATE count_pets SET refused = 'stock_reserved' WHERE count_id = 1"]],
  ['I15 closing a count changes only its pets', ['DELETE FROM count_pets WHERE count_id = 1']],
  ['I16 a closed count has one batch', ['DROP TRIGGER batches_keep_values', 'UPDATE batches SET count_id = 2']],
  ['I17 the figures of a count', ['UPDATE counts SET counted = 2 WHERE id = 2']],
];

for (const [says, statements] of violations) {
  testOnSqlite(`detects that "${says}" is broken by ${statements[0]?.slice(0, 60)}`, async (scene) => {
    await createValidShop(scene);
    expect(await brokenInvariants(scene)).toEqual([]);
    await violation(scene, statements);
    expect((await brokenInvariants(scene)).filter((found) => found.includes(says))).not.toEqual([]);
  });
}
