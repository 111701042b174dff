import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { testInShop } from '../support/cli.js';
import type { Check } from '../support/doctor.js';
import { changeFile, changeSchema } from '../support/raw-store.js';

const endless = 'CREATE VIEW evil AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r';
const hugeIndex =
  "CREATE INDEX evil ON pets (length(name)); UPDATE sqlite_schema SET sql = 'CREATE INDEX evil ON pets (length(hex(zeroblob(100000000))))' WHERE name = 'evil'";
const foreign: readonly (readonly [what: string, statement: string, named: string])[] = [
  ['an index on a huge expression', hugeIndex, 'index evil not created by petstore'],
  [
    'a generated column',
    `UPDATE sqlite_schema SET sql = replace(sql, '"name" TEXT', 'boom TEXT GENERATED ALWAYS AS (zeroblob(2000000000)) VIRTUAL, "name" TEXT') WHERE name = 'pets'`,
    'table pets changed',
  ],
  [
    'an endless view',
    `DROP TABLE replays; ${endless.replace('evil', 'replays')}`,
    'table replays, index replays_by_age missing; view replays not created by petstore',
  ],
  [
    'an endless view with the name of a table in capital letters',
    `DROP TABLE replays; ${endless.replace('evil', 'REPLAYS')}`,
    'table replays, index replays_by_age missing; view REPLAYS not created by petstore',
  ],
  ['an index on an expression without a function', 'CREATE INDEX evil ON pets (name || name || name)', 'index evil not created by petstore'],
  ['an index with a condition', 'CREATE INDEX evil ON pets (id) WHERE name LIKE folded', 'index evil not created by petstore'],
  [
    'an index with a collation of another program',
    `${hugeIndex}; UPDATE sqlite_schema SET sql = 'CREATE INDEX evil ON pets (name COLLATE other)' WHERE name = 'evil'`,
    'index evil not created by petstore',
  ],
  [
    'a virtual table',
    "CREATE TABLE evil (a); UPDATE sqlite_schema SET rootpage = 0, sql = 'CREATE VIRTUAL TABLE evil USING fts5 (a)' WHERE name = 'evil'",
    'table evil not created by petstore',
  ],
  ['a generated column behind a comment', 'CREATE TABLE evil (a, b AS/**/(hex(zeroblob(a))) VIRTUAL)', 'table evil not created by petstore'],
];

for (const [what, statement, named] of foreign) {
  testInShop(`restore names ${what}, and no command runs it`, async ({ petstore, path, store }) => {
    expect((await petstore(['backup', path('b.db')])).exitCode).toBe(0);
    rmSync(path('b.db.sha256'));
    changeSchema(path('b.db'), statement);
    const refused = await petstore(['restore', path('b.db'), '--dry-run', '--store', store]);
    expect([refused.exitCode, refused.stderr]).toEqual([7, expect.stringContaining(`does not have the schema of a petstore shop: ${named}.`)]);
    // Copies and backups of such a file: test/cli/restore-refusals.test.ts.
    const opened = await petstore(['pet', 'list', '--store', path('b.db')]);
    expect([opened.exitCode, opened.stderr]).toEqual([7, expect.stringMatching(/has objects that petstore did not create|does not have the schema/)]);
  });
}

testInShop('doctor names foreign objects and runs none, and no change is made beside them', async ({ petstore, store }) => {
  changeSchema(store, hugeIndex);
  const { checks } = JSON.parse((await petstore('doctor --json')).stdout) as { readonly checks: readonly Check[] };
  expect(checks.find(({ name }) => name === 'schema')).toMatchObject({ status: 'fail', message: expect.stringContaining('index evil not created') as string });
  expect(checks.map(({ name }) => name)).not.toContain('integrity');
  expect(await petstore('inventory set 1 2')).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('has objects that petstore did not create') });
});

for (const version of [0, -5]) {
  testInShop(`a shop of schema version ${version} is refused before anything in it runs`, async ({ petstore, path, store }) => {
    changeSchema(store, `${hugeIndex}; PRAGMA user_version = ${version}`);
    for (const line of [['pet', 'list'], ['backup', path('c.db')], ['init'], ['restore', store, '--store', path('d.db')]]) {
      const { exitCode, stderr } = await petstore(line);
      expect([exitCode, stderr]).toEqual([7, expect.stringContaining(`has schema version ${version}, which petstore never writes`)]);
    }
  });
}

testInShop('doctor --repair removes an index on a huge expression, and reads no figure of an endless view', async ({ petstore, store }) => {
  changeSchema(store, hugeIndex);
  const mended = await petstore(['doctor', '--repair', '--yes']);
  expect([mended.exitCode, mended.stdout]).toEqual([0, expect.stringContaining('repaired: Remove the index evil, which petstore did not create.')]);
  const view = endless.replace('evil', 'PETS');
  changeSchema(store, `DELETE FROM sqlite_schema WHERE tbl_name = 'pets'; INSERT INTO sqlite_schema VALUES ('view', 'PETS', 'PETS', 0, '${view}')`);
  const refused = await petstore(['doctor', '--repair', '--yes']);
  expect([refused.exitCode, refused.stderr]).toEqual([7, expect.stringContaining('nothing was changed')]);
});

testInShop('doctor names a foreign table that refers to no key of petstore', async ({ petstore, store }) => {
  changeFile(store, 'CREATE TABLE other (a REFERENCES pets (name))');
  const mismatch = 'foreign key mismatch - "other" referencing "pets"';
  const checked = await petstore(['doctor']);
  expect([checked.exitCode, checked.stdout]).toEqual([1, expect.stringContaining(mismatch)]);
});

testInShop('a copy names the table of a row that breaks its rules', async (cli) => {
  changeFile(cli.store, 'PRAGMA ignore_check_constraints = ON', 'UPDATE stock SET quantity = -5 WHERE pet_id = 4');
  const { exitCode, stderr } = await cli.petstore(['copy', '--from', cli.store, '--to', cli.path('c.db')]);
  expect([exitCode, stderr]).toEqual([
    7,
    `error: A row of stock in ${cli.store} (pet_id 1 to 5) is damaged: CHECK constraint failed: quantity BETWEEN 0 AND 2147483647. Nothing was copied.\nhint: petstore doctor\n`,
  ]);
});
