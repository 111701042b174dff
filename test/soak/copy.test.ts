import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { dump } from '../support/cli.js';
import { password } from '../support/postgres-server.js';
import { addressOf, freshDatabase, shown } from '../support/postgres.js';
import { prepare, runHosted, type CommandResult } from '../support/program.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');

beforeAll(async () => {
  const delivery = join(folder, 'delivery.csv');
  writeFileSync(delivery, 'petId,delta\n3,+30\n99,+1\n7,+12\n');
  await prepare(
    store,
    ['init', '--sample'],
    ['inventory', 'adjust', '7', '+2', '--note', 'für „Zoë” 🦜'],
    ['inventory', 'adjust', '7', '-1', '--key', 'k'],
    ['inventory', 'low-at', '--default', '2'],
    ['pet', 'delete', '1', '--yes'],
    ['token', 'create', 'till', '--scope', 'store:write'],
  );
  expect((await runHosted(store, ['inventory', 'import', delivery])).exitCode).toBe(6);
  expect((await runHosted(store, ['inventory', 'import', delivery, '--keep-going', '--key', 'van'])).exitCode).toBe(5);
  await prepare(store, ['inventory', 'undo', '2']);
});

/** The number of rows of a table that the planner of PostgreSQL knows of; -1 without statistics. */
async function plannedRows(address: string, table: string): Promise<number> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly count: number }>(`SELECT reltuples AS count FROM pg_class WHERE relname = '${table}'`);
    return rows[0]?.count ?? -1;
  } finally {
    await client.end();
  }
}

/** The output of commands that read the shop. */
async function readings(where: string): Promise<readonly string[]> {
  const lines = ['pet export', 'inventory export', 'order export', 'log --json', 'inventory batch list --json', 'token list', 'report movements'];
  return Promise.all(lines.map(async (line) => (await runHosted(where, line.split(' '))).stdout));
}

function copy(from: string, to: string): Promise<CommandResult> {
  return runHosted(join(folder, 'none.db'), ['copy', '--from', from, '--to', to]);
}

describe.skipIf(addressOf('') === undefined)('PostgreSQL', () => {
  test('a shop copied to a database and back is the same, and no password is printed', async () => {
    const { address, drop } = await freshDatabase(true);
    const back = join(folder, 'back.db');
    try {
      const there = await copy(store, address);
      expect(there).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('To use the copy, name it with --store or PETSTORE_STORE.') as unknown });
      expect(there.stdout).toMatch(new RegExp(`✓ Copied \\d+ rows from ${store} to ${shown(address)} and compared them\\.\\n$`));
      // Without statistics, lists of a large shop take many times longer.
      expect(await plannedRows(address, 'orders')).toBe(89);
      expect(await readings(address)).toEqual(await readings(store));
      const onto = await copy(store, address);
      expect([onto.exitCode, onto.stderr]).toEqual([
        4,
        expect.stringContaining(`${shown(address)} is not empty (categories 6, pets 36, orders 89, stock 35, `),
      ]);
      const home = await copy(address, back);
      expect(home).toMatchObject({ exitCode: 0 });
      const checksums = ({ stdout }: CommandResult): string => stdout.slice(0, stdout.indexOf('✓'));
      expect(checksums(home)).toBe(checksums(there));
      expect(dump(back)).toEqual(dump(store));
      expect(await readings(back)).toEqual(await readings(store));
      for (const { stdout, stderr } of [there, onto, home]) expect(stdout + stderr).not.toContain(password);
    } finally {
      await drop();
    }
  });

  test('copy --dry-run creates no tables, and a missing database is refused', async () => {
    const { address, drop } = await freshDatabase(true);
    try {
      const dry = await runHosted(store, ['copy', '--from', store, '--to', address, '--dry-run']);
      expect([dry.exitCode, dry.stderr]).toEqual([0, 'Dry run: nothing was changed.\n']);
      expect(await runHosted(address, ['status'])).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('There is no shop at') as unknown });
      const nowhere = address.replace(/\/[^/]*$/, '/nowhere');
      for (const more of [[], ['--dry-run']]) {
        const refused = await runHosted(store, ['copy', '--from', store, '--to', nowhere, ...more]);
        expect([refused.exitCode, refused.stderr]).toEqual([7, expect.stringContaining('There is no database at')]);
        expect(refused.stderr).toContain('hint: Create it first (createdb), then run: petstore init');
      }
    } finally {
      await drop();
    }
  });
});
