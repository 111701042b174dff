import Database from 'better-sqlite3';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { testInShop } from '../support/cli.js';

const endless = 'CREATE VIEW evil AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r';
const hugeIndex =
  "CREATE INDEX evil ON pets (length(name)); UPDATE sqlite_schema SET sql = 'CREATE INDEX evil ON pets (length(hex(zeroblob(100000000))))' WHERE name = 'evil'";
const foreign: readonly (readonly [what: string, statement: string, named: string])[] = [
  ['an index on a huge expression', hugeIndex, 'index evil not created by petstore'],
  [
    'a generated column',
    "UPDATE sqlite_schema SET sql = replace(sql, 'name TEXT', 'boom TEXT GENERATED ALWAYS AS (zeroblob(2000000000)) VIRTUAL, name TEXT') WHERE name = 'pets'",
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
    const database = new Database(path('b.db'));
    database.unsafeMode(true);
    database.pragma('writable_schema = ON');
    database.exec(statement);
    database.close();
    const refused = await petstore(['restore', path('b.db'), '--dry-run', '--store', store]);
    expect([refused.exitCode, refused.stderr]).toEqual([7, expect.stringContaining(`does not have the schema of a petstore shop: ${named}.`)]);
    const { stdout } = await petstore(['doctor', '--store', path('b.db'), '--json']);
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly name: string; readonly message: string }[] };
    expect(checks.find(({ name }) => name === 'schema')).toMatchObject({ status: 'fail', message: expect.stringContaining(named) as string });
    expect(checks.map(({ name }) => name)).not.toContain('integrity');
    for (const line of [
      ['pet', 'list'],
      ['inventory', 'set', '1', '2'],
      ['backup', path('c.db')],
      ['copy', '--from', path('b.db'), '--to', path('d.db')],
    ]) {
      const opened = await petstore([...line, '--store', path('b.db')]);
      expect([opened.exitCode, opened.stderr]).toEqual([7, expect.stringMatching(/has objects that petstore did not create|does not have the schema/)]);
    }
  });
}

testInShop('doctor fails names with control characters, which only another program writes, and names the records', async (cli) => {
  const database = new Database(cli.store);
  database.prepare('UPDATE pets SET name = ? WHERE id = 2').run('Bel\u001b[2Jla');
  database.prepare('UPDATE pets SET name = ? WHERE id = 4').run('Koi\u202e');
  database.prepare('UPDATE categories SET name = ? WHERE id = 1').run('Do\ngs');
  database.close();
  const { stdout, exitCode } = await cli.petstore('doctor --json');
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly name: string; readonly message: string }[] };
  const messageOf = (wanted: string): string | undefined => checks.find(({ name }) => name === wanted)?.message;
  expect([exitCode, messageOf('pets names'), messageOf('categories names')]).toEqual([
    1,
    'Pets 2, 4: the name has control characters or bidi controls; give it another one.',
    'Category 1: the name has control characters or bidi controls; give it another one.',
  ]);
});

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
    const database = new Database(store);
    database.unsafeMode(true);
    database.pragma('writable_schema = ON');
    database.exec(`${hugeIndex}; PRAGMA user_version = ${version}`);
    database.close();
    for (const line of [['pet', 'list'], ['backup', path('c.db')], ['init'], ['restore', store, '--store', path('d.db')]]) {
      const { exitCode, stderr } = await petstore(line);
      expect([exitCode, stderr]).toEqual([7, expect.stringContaining(`has schema version ${version}, which petstore never writes`)]);
    }
  });
}

testInShop('doctor --repair removes an index on a huge expression, and reads no figure of an endless view', async ({ petstore, store }) => {
  const hostile = (statement: string): void => {
    const database = new Database(store);
    database.unsafeMode(true);
    database.pragma('writable_schema = ON');
    database.exec(statement);
    database.close();
  };
  hostile(hugeIndex);
  const mended = await petstore(['doctor', '--repair', '--yes']);
  expect([mended.exitCode, mended.stdout]).toEqual([0, expect.stringContaining('repaired: Remove the index evil, which petstore did not create.')]);
  const view = endless.replace('evil', 'PETS');
  hostile(`DELETE FROM sqlite_schema WHERE tbl_name = 'pets'; INSERT INTO sqlite_schema VALUES ('view', 'PETS', 'PETS', 0, '${view}')`);
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
