import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dump } from '../support/cli.js';
import { password } from '../support/postgres-server.js';
import { addressOf, freshDatabase, openShop, shown } from '../support/postgres.js';
import { built, environment, petstore, prepare, runProgram, start, stockedShop, type Ended } from '../support/program.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-copy-'));
const [store, large] = [join(folder, 'shop.db'), join(folder, 'large.db')];
const pets = 20_000;

beforeAll(async () => {
  await built();
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
  expect((await runProgram(store, ['inventory', 'import', delivery])).exitCode).toBe(6);
  expect((await runProgram(store, ['inventory', 'import', delivery, '--keep-going', '--key', 'van'])).exitCode).toBe(5);
  await prepare(store, ['inventory', 'undo', '2']);
  await stockedShop(large, pets, 3);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What people read out of a shop, byte for byte. */
async function readings(where: string): Promise<readonly string[]> {
  const lines = ['pet export', 'inventory export', 'order export', 'log --json', 'inventory batch list --json', 'token list', 'report movements'];
  return Promise.all(lines.map(async (line) => (await runProgram(where, line.split(' '))).stdout));
}

function copy(from: string, to: string): Promise<Ended> {
  return runProgram(join(folder, 'none.db'), ['copy', '--from', from, '--to', to]);
}

/** Copies the large shop and kills that after some time, unless it ends before. */
async function killed(to: string, milliseconds: number): Promise<Ended> {
  const { child, ended } = start(process.execPath, [petstore, 'copy', '--from', large, '--to', to], environment(store));
  child.stdin.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const end = await ended;
  clearTimeout(timer);
  return end;
}

const moments = [120, 200, 300, 400, 500];

test('a copy into a file that is killed at any moment left it empty or whole, and the next run succeeds', async () => {
  const ends: string[] = [];
  for (const moment of moments) {
    const to = join(folder, `killed-${moment}.db`);
    const { signal } = await killed(to, moment);
    const again = await copy(large, to);
    ends.push(`${signal ?? 'ended'} ${again.exitCode ?? 'killed'}`);
    expect(dump(to)['pets']).toHaveLength(pets);
    expect(dump(to)['ledger']).toEqual(dump(large)['ledger']);
  }
  // After a run that was killed in time the place was empty, or it would have been refused.
  expect(ends.filter((end) => !['SIGKILL 0', 'ended 4', 'SIGKILL 4'].includes(end))).toEqual([]);
  expect(ends).toContain('SIGKILL 0');
});

describe.skipIf(addressOf('') === undefined)('PostgreSQL', () => {
  test('a shop that moved to a database and back reads the same, and no password is told', async () => {
    const { address, drop } = await freshDatabase(true);
    const back = join(folder, 'back.db');
    try {
      const there = await copy(store, address);
      expect(there).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('There are two shops now') as unknown });
      expect(there.stdout).toMatch(new RegExp(`✓ \\d+ rows are copied from ${store} to ${shown(address)}, and compared\\.\\n$`));
      expect(await readings(address)).toEqual(await readings(store));
      const onto = await copy(store, address);
      expect([onto.exitCode, onto.stderr]).toEqual([4, expect.stringContaining(`${shown(address)} is not empty (categories 6, pets 36, stock 35, `)]);
      const home = await copy(address, back);
      expect(home).toMatchObject({ exitCode: 0 });
      const checksums = ({ stdout }: Ended): string => stdout.slice(0, stdout.indexOf('✓'));
      expect(checksums(home)).toBe(checksums(there));
      expect(dump(back)).toEqual(dump(store));
      expect(await readings(back)).toEqual(await readings(store));
      for (const { stdout, stderr } of [there, onto, home]) expect(stdout + stderr).not.toContain(password);
    } finally {
      await drop();
    }
  });

  test('a dry run makes no tables; a database that is not there is refused', async () => {
    const { address, drop } = await freshDatabase(true);
    try {
      const dry = await runProgram(store, ['copy', '--from', store, '--to', address, '--dry-run']);
      expect([dry.exitCode, dry.stderr]).toEqual([0, 'Dry run: nothing was written.\n']);
      expect(await runProgram(address, ['status'])).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('There is no shop at') as unknown });
      const nowhere = address.replace(/\/[^/]*$/, '/nowhere');
      for (const more of [[], ['--dry-run']]) {
        const refused = await runProgram(store, ['copy', '--from', store, '--to', nowhere, ...more]);
        expect([refused.exitCode, refused.stderr]).toEqual([7, expect.stringContaining('There is no database at')]);
      }
    } finally {
      await drop();
    }
  });

  test('a copy into a database that is killed at any moment left it empty or whole, and the next run succeeds', async () => {
    const ends: string[] = [];
    for (const moment of moments) {
      const { address, drop } = await freshDatabase();
      const { signal } = await killed(address, moment);
      // The server hears of the end of the program when it next speaks to it.
      await sleep(100);
      const again = await runProgram(store, ['copy', '--from', large, '--to', address, '--wait', '30']);
      ends.push(`${signal ?? 'ended'} ${again.exitCode ?? 'killed'}`);
      const engine = await openShop(address);
      const found = await engine.read((queries) =>
        queries.get({ text: 'SELECT (SELECT count(*) FROM pets) AS pets, (SELECT count(*) FROM ledger) AS ledger', values: [] }),
      );
      expect(found).toEqual({ pets, ledger: dump(large)['ledger']?.length });
      await engine.close();
      await drop();
    }
    expect(ends.filter((end) => !['SIGKILL 0', 'ended 4', 'SIGKILL 4'].includes(end))).toEqual([]);
    expect(ends).toContain('SIGKILL 0');
  });
});
