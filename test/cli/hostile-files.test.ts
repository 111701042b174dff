import Database from 'better-sqlite3';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { nativeBinding } from '../../src/app/native-binding.js';
import { driverFor } from '../../src/storage/sqlite/driver.js';
import { lookFirst } from '../../src/storage/sqlite/maintenance/first-look.js';
import { testInShop, type CliFixture } from '../support/cli.js';
import { builtFolder } from '../support/program.js';
import { changeSchema } from '../support/raw-store.js';
import { repeatPages } from '../support/repeated-pages.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
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
  [
    'an index whose type is in capital letters',
    `${hugeIndex}; UPDATE sqlite_schema SET type = 'INDEX' WHERE name = 'evil'`,
    'index evil not created by petstore',
  ],
  [
    'an index whose statement is a blob',
    `${hugeIndex}; UPDATE sqlite_schema SET sql = CAST(sql AS BLOB) WHERE name = 'evil'`,
    'index evil not created by petstore',
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
  testInShop(`restore and doctor name ${what} and do not run it`, async ({ petstore, path, store }) => {
    expect((await petstore(['backup', path('b.db')])).exitCode).toBe(0);
    rmSync(path('b.db.sha256'));
    changeSchema(path('b.db'), statement);
    const refused = await petstore(['restore', path('b.db'), '--dry-run', '--store', store]);
    expect([refused.exitCode, refused.stderr]).toEqual([7, expect.stringContaining(`does not have the schema of a petstore shop: ${named}.`)]);
    const { stdout } = await petstore(['doctor', '--store', path('b.db'), '--json']);
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly name: string; readonly message: string }[] };
    expect(checks.find(({ name }) => name === 'schema')).toMatchObject({ status: 'fail', message: expect.stringContaining(named) as string });
    expect(checks.map(({ name }) => name)).not.toContain('integrity');
    // Copies and backups of such a file: test/cli/restore-refusals.test.ts.
    for (const line of [
      ['pet', 'list'],
      ['inventory', 'set', '1', '2'],
    ]) {
      const opened = await petstore([...line, '--store', path('b.db')]);
      expect([opened.exitCode, opened.stderr]).toEqual([7, expect.stringMatching(/has objects that petstore did not create|does not have the schema/)]);
    }
  });
}

testInShop('a trigger whose type is in capital letters stops every write', async ({ petstore, store }) => {
  const database = new Database(store);
  database.exec('CREATE TRIGGER evil AFTER INSERT ON ledger BEGIN UPDATE stock SET quantity = 777; END');
  database.unsafeMode(true);
  database.pragma('writable_schema = ON');
  database.exec("UPDATE sqlite_schema SET type = 'TRIGGER' WHERE name = 'evil'");
  database.close();
  const { exitCode, stderr } = await petstore(['inventory', 'set', '1', '2']);
  expect([exitCode, stderr]).toEqual([7, expect.stringContaining('has objects that petstore did not create: trigger evil')]);
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
  const database = new Database(store);
  database.exec('CREATE TABLE other (a REFERENCES pets (name))');
  database.close();
  const mismatch = 'foreign key mismatch - "other" referencing "pets"';
  const checked = await petstore(['doctor']);
  expect([checked.exitCode, checked.stdout]).toEqual([1, expect.stringContaining(mismatch)]);
});

testInShop('a pipe in place of the journal or the log of a shop is refused, not waited for', async ({ petstore, path }) => {
  expect((await petstore(['backup', path('b.db')])).exitCode).toBe(0);
  for (const suffix of ['-journal', '-wal']) {
    spawnSync('mkfifo', [path(`b.db${suffix}`)]);
    for (const line of [
      ['pet', 'list', '--store', path('b.db')],
      ['restore', path('b.db'), '--store', path('d.db')],
      ['backup', path('c.db'), '--store', path('b.db')],
    ]) {
      const { exitCode, stderr } = await petstore(line);
      expect([exitCode, stderr]).toEqual([7, expect.stringContaining(`b.db${suffix} is not a file.`)]);
    }
    rmSync(path(`b.db${suffix}`));
  }
});

/** Changes the shop without the checks of its tables, as another program can. */
function changeUnchecked({ store }: CliFixture, statement: string, ...values: readonly string[]): void {
  const database = new Database(store);
  database.unsafeMode(true);
  database.pragma('ignore_check_constraints = ON');
  database.pragma('writable_schema = ON');
  if (values.length > 0) database.prepare(statement).run(...values);
  else database.exec(statement);
  database.close();
}

/** What the commands that read a whole file say of the shop. */
async function refusals({ petstore, path, store }: CliFixture): Promise<readonly (readonly [exitCode: number, message: string])[]> {
  const found: (readonly [number, string])[] = [];
  for (const line of [
    ['restore', store, '--yes', '--store', path('r.db')],
    ['backup', path('b.db')],
    ['copy', '--from', store, '--to', path('c.db')],
    ['doctor'],
  ]) {
    const { exitCode, stdout, stderr } = await petstore(line);
    found.push([exitCode, stderr === '' ? (stdout.split('\n').find((text) => text.startsWith('FAIL')) ?? '') : (stderr.split('\n')[0] ?? '')]);
  }
  return found;
}

testInShop('a text of many megabytes is refused before it is shown, copied or restored', async (cli) => {
  changeUnchecked(cli, 'UPDATE pets SET name = ? WHERE id = 3', 'x'.repeat(5 * 2 ** 20));
  for (const line of ['pet list', 'sell 3', 'pet view 3', 'inventory list']) {
    const { exitCode, stderr } = await cli.petstore(line);
    expect([line, exitCode, stderr]).toEqual([
      line,
      7,
      'error: The shop is damaged: a text in it (name) has 5242880 characters; nothing was changed.\nhint: petstore doctor\n',
    ]);
  }
  const problem = `${cli.store} is damaged: a row of pets has a text of more than 4 MiB`;
  const error = [7, `error: ${problem}; nothing was changed.`];
  expect(await refusals(cli)).toEqual([error, error, error, [1, `FAIL  integrity    ${problem}. Restore a backup.`]]);
});

testInShop('a statement of the schema of many megabytes is not taken for a plain one', async (cli) => {
  changeUnchecked(cli, `CREATE TABLE evil (a /*${'x'.repeat(30_000)}*/)`);
  const { exitCode, stderr } = await cli.petstore('pet list');
  expect([exitCode, stderr]).toEqual([7, expect.stringContaining('has objects that petstore did not create: table evil; nothing was changed.')]);
});

testInShop('a table whose pages are used more than once is refused before it is read without end', async (cli) => {
  repeatPages(cli.store, 'pets');
  const problem = `${cli.store} is damaged: some of its pages are used more than once`;
  const error = [7, `error: ${problem}; nothing was changed.`];
  expect(await refusals(cli)).toEqual([error, error, error, [1, `FAIL  integrity    ${problem}. Restore a backup.`]]);
});

testInShop('a schema that takes all time to be read is left after a deadline', async ({ store }) => {
  repeatPages(store, 'sqlite_schema');
  const access = {
    waitSeconds: 0,
    nativeBinding: nativeBinding(root),
    driver: await driverFor(undefined),
    lookCommand: [process.execPath, join(builtFolder(), 'look.cjs')],
  };
  await expect(lookFirst(store, access, 1)).rejects.toMatchObject({
    code: 'store_unreadable',
    message: `${store} is damaged: it could not be read within 2 s; nothing was changed.`,
  });
});

testInShop('a copy names the table of a row that breaks its rules', async (cli) => {
  changeUnchecked(cli, 'UPDATE stock SET quantity = -5 WHERE pet_id = 4');
  const { exitCode, stderr } = await cli.petstore(['copy', '--from', cli.store, '--to', cli.path('c.db')]);
  expect([exitCode, stderr]).toEqual([
    7,
    `error: A row of stock in ${cli.store} (pet_id 1 to 5) is damaged: CHECK constraint failed: quantity BETWEEN 0 AND 2147483647. Nothing was copied.\nhint: petstore doctor\n`,
  ]);
});

testInShop('doctor does not promise a repair of an index whose type is in capital letters', async (cli) => {
  changeUnchecked(cli, `${hugeIndex}; UPDATE sqlite_schema SET type = 'INDEX' WHERE name = 'evil'`);
  const { stdout } = await cli.petstore('doctor');
  expect(stdout).toContain('index evil not created by petstore. Restore a backup.');
  expect((await cli.petstore('doctor --repair --yes --dry-run')).stdout).not.toContain('evil, which');
  for (const line of ['doctor --repair --yes', 'pet list']) {
    const { exitCode, stderr } = await cli.petstore(line);
    expect([line, exitCode, stderr]).toEqual([line, 7, expect.stringContaining('index evil; nothing was changed.\nhint: petstore restore --help')]);
  }
});
