import { expect } from 'vitest';
import { runAll, testWithoutShop, done, lines, refused, type CliFixture } from '../support/cli.js';
import { type Check, failedChecks, testInValidShop, runUnchecked, ledgerTriggers, triggersOf, withoutTriggers } from '../support/doctor.js';

testInValidShop('a valid shop passes every check, in a table and in JSON', async ({ petstore, allRows, expectUnchanged }) => {
  const before = allRows();
  const { exitCode, stdout, stderr } = await expectUnchanged(() => petstore('doctor'));
  expect([exitCode, stderr, stdout.split('\n')[0]]).toEqual([0, '', 'PASS  integrity        The file is not damaged.']);
  expect(stdout).toMatch(/^\d+ passed, \d+ warned, 0 failed\.\n$/m);
  expect(allRows()).toEqual(before);
  const { checks, ...rest } = JSON.parse((await petstore('doctor --json')).stdout) as { readonly checks: readonly Check[] };
  expect(rest).toEqual({ ok: true });
  expect(checks.map((check) => Object.keys(check))).toEqual(checks.map(() => ['name', 'status', 'message']));
});

testInValidShop('prints the checks in every format with rows, and refuses the other formats', async ({ petstore: ask, sql, expectUnchanged }) => {
  // The free space can change between the runs.
  const petstore: CliFixture['petstore'] = async (...asked) => {
    const ran = await ask(...asked);
    return { ...ran, stdout: ran.stdout.replace(/\d+ MiB free/, 'some MiB free') };
  };
  const { checks } = JSON.parse((await petstore('doctor --json')).stdout) as { readonly checks: readonly Check[] };
  const rows = checks.map(({ name, status, message }) => [name, status, message]);
  const tsv = lines(...rows.map((row) => row.join('\t')));
  expect(await petstore('doctor --format tsv')).toEqual(done(tsv));
  expect(await petstore('doctor', { environment: { PETSTORE_FORMAT: 'tsv' } })).toEqual(done(tsv));
  expect((await petstore('doctor --format csv')).stdout).toMatch(/^name,status,message\nintegrity,pass,The file is not damaged\.\n/);
  expect((await petstore('doctor --format table')).stdout).toMatch(/^Check +Result +Message\nintegrity +pass +The file is not damaged\.\n/);
  expect(await petstore('doctor --fields status,name')).toEqual(done(lines(...rows.map(([name, status]) => `${status}\t${name}`))));
  expect(JSON.parse((await petstore('doctor --json name')).stdout)).toEqual(checks.map(({ name }) => ({ name })));
  sql('UPDATE stock SET quantity = quantity + 7 WHERE pet_id = 1');
  for (const format of ['ids', 'count']) {
    const refusal = refused(2, `error: doctor has no format ${format}.`, 'hint: petstore doctor --format tsv');
    expect(await expectUnchanged(() => petstore(`doctor --repair --yes --format ${format}`))).toEqual(refusal);
  }
  expect((await expectUnchanged(() => petstore('doctor --repair --yes --fields nope'))).exitCode).toBe(2);
  const mended = await petstore('doctor --repair --yes --format tsv');
  expect(mended).toEqual(done(tsv, 'repaired: Set the stock of pet 1 to 1, the sum of the ledger (was 8).\n'));
});

testInValidShop('finds a deleted count, whose pets could be in no other one', async (cli) => {
  await cli.petstore('count start');
  cli.sql('DELETE FROM counts');
  expect((await failedChecks(cli)).found).toEqual({
    'count figures': 'fail: Count 1: the figures are not those of its pets.',
    'count history': 'fail: Count 1: the ledger does not explain the state.',
  });
});

testInValidShop('finds a deleted ledger entry, with and without the triggers', async (cli) => {
  const kept = triggersOf(cli);
  // Deleting the last entry leaves no gap, but the order refers to it.
  runUnchecked(cli, ...withoutTriggers, "DELETE FROM ledger WHERE kind = 'order.cancelled'", ...kept);
  expect((await failedChecks(cli)).found).toEqual({ history: 'fail: Order 4: the ledger does not explain the state.' });
  runUnchecked(cli, ...withoutTriggers, 'DELETE FROM ledger WHERE id = 13', ...kept);
  expect((await failedChecks(cli)).found).toMatchObject({ ledger: 'fail: Ledger entry 14: entries before it are missing.' });
  runUnchecked(cli, ...withoutTriggers, "DELETE FROM ledger WHERE kind = 'opening' AND pet_id = 4");
  const { found } = await failedChecks(cli);
  expect(Object.keys(found).toSorted()).toEqual(['chain', 'history', 'ledger', 'schema', 'stock']);
  expect(found['schema']).toBe(`fail: ${ledgerTriggers.map((name) => `trigger ${name}`).join(', ')} missing; --repair fixes this.`);
  // The sum of the remaining entries is not used.
  const { stdout } = await cli.petstore('doctor --repair --yes --json');
  expect((JSON.parse(stdout) as { readonly repaired: readonly string[] }).repaired).toEqual(ledgerTriggers.map((name) => `Recreate the trigger ${name}.`));
  expect(triggersOf(cli)).toEqual(kept);
});

testInValidShop('finds a changed ledger entry by the chain of quantities', async (cli) => {
  runUnchecked(cli, ...withoutTriggers, "UPDATE ledger SET delta = -2 WHERE kind = 'sale'", ...triggersOf(cli));
  expect((await failedChecks(cli)).found).toEqual({
    stock: 'fail: Pet 4: the stock is not the sum of the ledger entries.',
    chain: 'fail: Ledger entry 14: the quantity is not the previous one plus the change.',
    sales: 'fail: Order 2: a complete order whose units were not sold once, or another order with a sale.',
  });
  expect((JSON.parse((await cli.petstore('doctor --repair --yes --json')).stdout) as { readonly repaired: unknown }).repaired).toEqual([]);
});

testInValidShop('repairs a changed quantity from the ledger', async (cli) => {
  const before = cli.allRows();
  cli.sql('UPDATE stock SET quantity = quantity + 7 WHERE pet_id IN (1, 4)');
  expect(await failedChecks(cli)).toEqual({ exitCode: 1, found: { stock: 'fail: Pets 1, 4: the stock is not the sum of the ledger entries.' } });
  const mends = ['Set the stock of pet 1 to 1, the sum of the ledger (was 8).', 'Set the stock of pet 4 to 37, the sum of the ledger (was 44).'];
  expect(await cli.expectUnchanged(() => cli.petstore('doctor --repair', { stdin: '' }))).toEqual(
    refused(2, `error: ${mends.join(' ')} Repair the shop at ${cli.store}? Confirmation required.`, 'hint: Confirm with --yes, or preview with --dry-run.'),
  );
  const dry = await cli.expectUnchanged(() => cli.petstore('doctor --repair --dry-run'));
  expect([dry.exitCode, dry.stdout]).toEqual([1, expect.stringContaining(lines(...mends.map((mend) => `would repair: ${mend}`)))]);
  const mended = await cli.petstore('doctor --repair --yes');
  expect([mended.exitCode, mended.stdout]).toEqual([0, expect.stringContaining(lines(...mends.map((mend) => `repaired: ${mend}`)))]);
  expect(cli.allRows()).toEqual(before);
  expect((await cli.petstore('doctor --repair --yes')).stdout).toContain('Nothing can be repaired.');
});

testInValidShop('restores deleted stock rows, with the low level of the shop', async (cli) => {
  await cli.petstore('inventory low-at --default 2');
  const before = cli.allRows();
  runUnchecked(cli, 'DELETE FROM stock WHERE pet_id = 4');
  expect(Object.keys((await failedChecks(cli)).found)).toEqual(['stock', 'status']);
  expect((await failedChecks(cli, ' --repair --yes')).exitCode).toBe(0);
  expect(cli.allRows()).toEqual(before);
});

testInValidShop('finds an order of a missing pet', async (cli) => {
  runUnchecked(cli, "INSERT INTO orders (id, pet_id, quantity, state) VALUES (5, 99, 1, 'open')");
  expect(await failedChecks(cli)).toEqual({
    exitCode: 1,
    found: {
      'foreign keys': 'fail: row 5 of orders refers to a row of pets that does not exist.',
      orders: 'fail: Order 5: the pet does not exist.',
      history: 'fail: Order 5: the ledger does not explain the state.',
    },
  });
});

testInValidShop('finds a webhook behind the end of the ledger', async (cli) => {
  await cli.petstore('hook create https://hooks.example.com/');
  cli.sql('UPDATE hooks SET position = 99');
  const problem = 'the position is after the newest ledger entry; choose another one (petstore hook resend).';
  expect((await failedChecks(cli)).found).toEqual({ 'hook positions': `fail: Hook 1: ${problem}` });
});

testInValidShop('finds deleted rows and a pet without a category', async (cli) => {
  runUnchecked(cli, 'DELETE FROM orders WHERE id = 2', 'DELETE FROM categories WHERE id = 1');
  expect(Object.keys((await failedChecks(cli)).found)).toEqual(['foreign keys', 'orders ids', 'categories ids', 'categories', 'records']);
});

testInValidShop('finds reserved units that are not those of the orders, and sets them', async (cli) => {
  const before = cli.allRows();
  runUnchecked(cli, 'UPDATE stock SET reserved = reserved + 3 WHERE pet_id IN (1, 2)');
  expect((await failedChecks(cli)).found).toEqual({
    'reserved units': 'fail: Pets 1, 2: the reserved units are not those of the open orders; --repair fixes this.',
  });
  const { stdout } = await cli.petstore('doctor --repair --yes --json');
  const { repaired } = JSON.parse(stdout) as { readonly repaired: readonly string[] };
  expect(repaired).toEqual(
    [1, 2].map((pet) => expect.stringMatching(new RegExp(`^Set the reserved units of pet ${pet} to (\\d+), the sum of the open orders \\(was \\d+\\)\\.$`))),
  );
  expect(cli.allRows()).toEqual(before);
});

testInValidShop('names ten of many pets to repair, and repairs all', async (cli) => {
  const newts = lines('name,category,quantity', ...Array.from({ length: 12 }, (_, index) => `Newt ${index},Fish,3`));
  expect(await cli.petstore('pet import -', { stdin: newts })).toMatchObject({ exitCode: 0 });
  const before = cli.allRows();
  cli.sql('UPDATE stock SET quantity = quantity + 1, reserved = reserved + 1 WHERE pet_id > (SELECT max(id) - 12 FROM pets)');
  const { stdout } = await cli.petstore('doctor --repair --yes --json');
  const { repaired } = JSON.parse(stdout) as { readonly repaired: readonly string[] };
  expect([repaired.length, repaired[10], repaired[21]]).toEqual([
    22,
    'Set the stock of 2 more pets to the sum of the ledger.',
    'Set the reserved units of 2 more pets to the sum of the open orders.',
  ]);
  expect(cli.allRows()).toEqual(before);
});

testInValidShop('a refusal says that units are reserved for no order', async (cli) => {
  runUnchecked(cli, 'UPDATE stock SET reserved = reserved + 35 WHERE pet_id = 4');
  expect((await cli.petstore('sell 4 3')).stderr).toMatch(/^error: Only 2 × Koi available \(37 on hand, 35 reserved for no order\); 3 requested\.\n/);
  expect((await cli.petstore('inventory set 4 1')).stderr).toMatch(/^error: Pet 4 has 35 units reserved for no order; 1 on hand would not be enough\.\n/);
});

testInValidShop('a change that finds too few reserved units is refused with what to do', async (cli) => {
  await cli.petstore('order place --pet 4 --quantity 2');
  runUnchecked(cli, 'UPDATE stock SET reserved = reserved - 1 WHERE pet_id = 4');
  expect(await cli.expectUnchanged(() => cli.petstore('order complete 5'))).toEqual(
    refused(7, `error: ${cli.store} is damaged: fewer units of a pet are reserved than its open orders need; nothing was changed.`, 'hint: petstore doctor'),
  );
  expect((await failedChecks(cli, ' --repair --yes')).exitCode).toBe(0);
  expect((await cli.petstore('order complete 5')).exitCode).toBe(0);
});

testInValidShop('finds reserved units above the quantity, and decreasing times', async (cli) => {
  const kept = triggersOf(cli);
  runUnchecked(cli, 'UPDATE orders SET quantity = 9 WHERE id = 1', ...withoutTriggers, 'UPDATE ledger SET at = 5 WHERE id = 15', ...kept);
  expect((await failedChecks(cli)).found).toEqual({
    reservations: 'fail: Pet 2: more units are reserved than on hand, and no shortage was allowed.',
    time: 'fail: Ledger entry 15: older than the previous entry.',
  });
});

testInValidShop('finds foreign tables, indexes and triggers', async (cli) => {
  const before = cli.allRows();
  runUnchecked(
    cli,
    'DROP INDEX orders_open',
    'CREATE INDEX orders_open ON orders (id)',
    'DROP VIEW stock_without_units',
    'CREATE TRIGGER mine AFTER INSERT ON pets BEGIN UPDATE stock SET quantity = 99; END',
    'CREATE INDEX mine_too ON pets (hold)',
  );
  expect((await failedChecks(cli)).found).toEqual({
    schema:
      'fail: view stock_without_units missing; index orders_open changed; trigger mine not created by petstore; --repair fixes this. The other checks of the contents were left out: they would run code that petstore did not create.',
  });
  expect((await failedChecks(cli, ' --repair --yes')).found).toEqual({
    schema: 'warn: index mine_too not created by petstore; drop it with SQL: backups, copies and restores refuse it.',
  });
  runUnchecked(cli, 'DROP INDEX mine_too');
  expect(await failedChecks(cli)).toEqual({ exitCode: 0, found: {} });
  expect(cli.allRows()).toEqual(before);
});

testInValidShop('finds ledger times in the future', async (cli) => {
  cli.clock.set('2031-01-01T00:00:00Z');
  await runAll(cli, ['pet hold 1']);
  cli.clock.set('2026-11-20T09:00:00Z');
  expect(await failedChecks(cli)).toEqual({
    exitCode: 0,
    found: { clock: 'warn: The newest ledger entry is dated 2031-01-01T00:00:00.000Z, which is in the future: the clock is or was wrong.' },
  });
});

testWithoutShop('doctor reports a missing shop', async ({ petstore, store, file }) => {
  expect(await petstore('doctor')).toEqual(refused(7, `error: There is no shop at ${store}.`, 'hint: petstore init'));
  file('shop.db', '');
  expect(await petstore('doctor')).toEqual(refused(7, `error: ${store} is empty; no shop was set up in it.`, 'hint: petstore init'));
  expect((await petstore('doctor --store https://shop.example')).exitCode).toBe(2);
});

testInValidShop('reports a missing table and does not repair it', async (cli) => {
  runUnchecked(cli, 'DROP TABLE replays', 'DROP TABLE orders');
  const { exitCode, found } = await failedChecks(cli);
  expect([exitCode, found['schema'], found['orders']]).toEqual([
    1,
    expect.stringMatching(/^fail: .*table orders.*missing.*\. Restore a backup\.$/),
    `fail: The check failed: ${cli.store} is damaged (no such table: orders); nothing was changed.`,
  ]);
  const mended = await cli.expectUnchanged(() => cli.petstore('doctor --repair --yes'));
  expect(mended).toEqual(refused(7, `error: ${cli.store} is damaged (no such table: main.orders); nothing was changed.`, 'hint: Restore the latest backup.'));
});

testInValidShop('does not change rows that violate an index', async (cli) => {
  runUnchecked(
    cli,
    'DROP INDEX ledger_reversed_once',
    'DROP TRIGGER ledger_keeps_rows',
    'DROP TRIGGER ledger_keeps_values',
    'UPDATE ledger SET reverses = 1 WHERE id IN (SELECT id FROM ledger ORDER BY id DESC LIMIT 2)',
  );
  const mended = await cli.expectUnchanged(() => cli.petstore('doctor --repair --yes'));
  expect(mended).toEqual(
    refused(7, `error: ${cli.store} cannot be repaired (UNIQUE constraint failed: ledger.reverses); nothing was changed.`, 'hint: petstore restore --help'),
  );
});

testInValidShop('finds a code of a deleted pet', async (cli) => {
  for (const line of ['code add 1 Ring-1 4006381333931', 'pet create --name Gone --category Dogs --quantity 1', 'pet delete Gone --yes'])
    await cli.petstore(line);
  cli.sql("UPDATE codes SET pet_id = (SELECT max(id) FROM pets) WHERE code = 'Ring-1'");
  expect((await failedChecks(cli)).found).toEqual({ codes: 'fail: Pet 6: it has codes but is not in the shop; remove them (petstore code list).' });
});
