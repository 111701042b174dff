import Database from 'better-sqlite3';
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Queries } from '../../src/storage/queries.js';
import { sql } from '../../src/storage/sql.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { inDirectory, withTestShop } from '../support/stores.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { categories, insert, withEngine } from '../support/sqlite-engine.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { checkpointer } from '../../src/storage/sqlite/checkpoints.js';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { file } from '../support/files.js';

test('opening a shop to read rolls back the journal of a killed process', () =>
  inDirectory(async (directory) => {
    const [path, killed] = [join(directory, 'shop.db'), join(directory, 'killed.db')];
    const engine = await openSqlite(path, { create: true, waitSeconds: 5 });
    await engine.write((queries) => queries.run(insert('before')));
    await engine.close();
    const other = new Database(path);
    other.exec('PRAGMA journal_mode = DELETE; PRAGMA cache_size = 5; BEGIN');
    for (let index = 0; index < 2000; index += 1) other.prepare('INSERT INTO settings VALUES (?, ?)').run(`n${index}`, 'x'.repeat(500));
    for (const ending of ['', '-journal']) await copyFile(`${path}${ending}`, `${killed}${ending}`);
    other.close();
    const found = await openSqlite(killed, { waitSeconds: 5 });
    expect(await categories(found)).toEqual(['before']);
    expect(await found.read((queries) => queries.get(sql`SELECT count(*) AS n FROM settings`))).toEqual({ n: 0 });
    await found.close();
  }));

test('a full disk is store_full, and the request is rolled back', () =>
  withEngine(async (engine) => {
    await engine.write((queries) => queries.run(insert('before')));
    const flood = engine.write(async (queries) => {
      await queries.get(sql`PRAGMA max_page_count = 60`);
      for (let index = 0; index < 10_000; index += 1) await queries.run(sql`INSERT INTO settings (name, value) VALUES (${`n${index}`}, ${'x'.repeat(1000)})`);
    });
    await expectRefusal('store_full', flood, /No space left .* nothing was changed/);
    expect(await engine.read((queries) => queries.get(sql`SELECT count(*) AS n FROM settings`))).toEqual({ n: 0 });
    expect(await categories(engine)).toEqual(['before']);
  }));

async function pragmas(queries: Queries): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of ['synchronous', 'foreign_keys', 'recursive_triggers', 'trusted_schema', 'cell_size_check', 'journal_mode', 'busy_timeout']) {
    Object.assign(found, await queries.get({ text: `PRAGMA ${name}`, values: [] }));
  }
  return found;
}

test('every connection is durable and enforces foreign keys', () =>
  withEngine(async (engine) => {
    const always = { foreign_keys: 1, recursive_triggers: 1, trusted_schema: 0, cell_size_check: 1, journal_mode: 'wal', timeout: 0 };
    expect(await engine.write(pragmas)).toEqual({ ...always, synchronous: 2 });
    expect(await engine.read(pragmas)).toMatchObject(always);
    await expect(engine.write((queries) => queries.run(sql`INSERT INTO pets (name, folded, category_id) VALUES ('x', 'x', 99)`))).rejects.toThrow(
      /FOREIGN KEY/,
    );
  }));

test('the files of a shop are readable only by their owner', () =>
  withEngine(async (engine, path) => {
    await engine.write((queries) => queries.run(insert('x')));
    for (const name of [path, `${path}-wal`, `${path}-shm`]) expect([name, ((await stat(name)).mode & 0o777).toString(8)]).toEqual([name, '600']);
  }));

test('a folder created by init is accessible only to its owner', async () => {
  await inDirectory(async (directory) => {
    const engine = await openSqlite(join(directory, 'new', 'deep', 'shop.db'), { create: true, waitSeconds: 1 });
    await engine.close();
    for (const folder of ['new', 'new/deep']) expect(((await stat(join(directory, folder))).mode & 0o777).toString(8)).toBe('700');
  });
});

test('a read without space for temporary files reports that, not that nothing was written', () =>
  withEngine(async (engine) => {
    const noRoom = (): never => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    };
    const { advice } = await expectRefusal('store_full', engine.read(noRoom), /^No space left for the temporary files that reading .*shop\.db needs\.$/);
    expect(advice).toContain('TMPDIR');
    await expectRefusal('store_full', engine.write(noRoom), /^No space left to write to .*shop\.db; nothing was changed\.$/);
  }));

/** A process that keeps a read transaction open for a while. */
const reader = `
const database = new (require('better-sqlite3'))(process.argv[1], { readonly: true });
database.exec('BEGIN; SELECT count(*) FROM things');
process.stdout.write('reading');
setTimeout(() => database.exec('COMMIT'), 400);`;

test('an oversized WAL is reset after a long read has ended', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    const database = new Database(path);
    database.pragma('journal_mode = WAL');
    database.pragma('wal_autocheckpoint = 0');
    database.exec('CREATE TABLE things (content TEXT)');
    const write = (): unknown => database.prepare('INSERT INTO things VALUES (?)').run('x'.repeat(3000));
    const framesInLog = (): number => (database.pragma('wal_checkpoint(PASSIVE)') as readonly { readonly log: number }[])[0]?.log ?? 0;
    for (let count = 0; count < 100; count += 1) write();
    const env = { PATH: process.env['PATH'], NODE_PATH: join(process.cwd(), 'node_modules') };
    const child = spawn(process.execPath, ['-e', reader, path], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const { run, close } = await checkpointer(path, undefined, 4096);
    run();
    write();
    expect(framesInLog()).toBeLessThan(10);
    close();
    database.close();
    if (child.exitCode === null) await once(child, 'exit');
  });
});

const opened = '/proc/self/fd';

/** The open files of this process that have no directory entry: temporary files. */
function namelessFiles(): readonly string[] {
  const links = readdirSync(opened).flatMap((name) => {
    try {
      return readlinkSync(`${opened}/${name}`);
    } catch {
      // The descriptor of the listing itself, which is closed by now.
      return [];
    }
  });
  return links.filter((link) => link.endsWith(' (deleted)'));
}

const reason = existsSync(opened) ? '' : ` (left out: there is no ${opened} here to count them in)`;

test.skipIf(reason !== '')(`an import that fails while it reads leaves no file open${reason}`, () =>
  withTestShop(async ({ shop, pet }) => {
    await pet();
    const before = namelessFiles();
    const onRejected = async (): Promise<void> => undefined;
    const broken = ['petId,quantity\n1,"5', 'petId,quantiy\n1,5\n', '', Buffer.from([0x70, 0xff, 0xfe])];
    for (const content of broken) {
      await expect(shop.importStock(file(content, { format: 'csv' }), { mode: 'atomic', onRejected })).rejects.toMatchObject({ name: 'StoreError' });
      await expect(shop.importPets(file(content, { format: 'csv' }), { mode: 'atomic', onRejected })).rejects.toMatchObject({ name: 'StoreError' });
    }
    // More rows than are sorted in memory at a time, the last one truncated.
    const long = `petId,delta\n${'1,1\n'.repeat(270_000)}1,"`;
    await expectRefusal('malformed_csv', shop.importStock(file(long, { format: 'csv' }, 1 << 16), { mode: 'atomic' }));
    // Files opened before may be closed late.
    expect(namelessFiles().filter((link) => !before.includes(link))).toEqual([]);
  }),
);
