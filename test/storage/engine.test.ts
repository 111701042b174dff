import Database from 'better-sqlite3';
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Engine, Queries } from '../../src/storage/engine.js';
import { sql, type Sql } from '../../src/storage/sql.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { inDirectory } from '../support/stores.js';
import { expectRefusal } from '../support/expect-refusal.js';

const names = sql`SELECT name FROM categories ORDER BY id`;

function insert(name: string): Sql {
  return sql`INSERT INTO categories (name, folded) VALUES (${name}, ${name})`;
}

async function categories(engine: Engine): Promise<readonly string[]> {
  return (await engine.read((queries) => queries.all<{ readonly name: string }>(names))).map(({ name }) => name);
}

async function withEngine(work: (engine: Engine, path: string) => Promise<void>, waitSeconds = 5): Promise<void> {
  await inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    const engine = await openSqlite(path, { create: true, waitSeconds });
    try {
      await work(engine, path);
    } finally {
      await engine.close();
    }
  });
}

/** Another process that holds the write lock until it is told to release it. */
function holdLock(path: string): { readonly release: () => void } {
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  return {
    release: () => {
      other.exec('ROLLBACK');
      other.close();
    },
  };
}

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

test('a transaction that waits and rolls back does not affect another one', () =>
  withEngine(async (engine) => {
    const order: string[] = [];
    const first = engine.write(async (queries) => {
      await queries.run(insert('A'));
      order.push('A wrote');
      await sleep(30);
      await queries.run(insert('A again'));
      order.push('A fails');
      throw new Error('changed my mind');
    });
    const second = engine.write(async (queries) => {
      order.push('B begins');
      await queries.run(insert('B'));
    });
    await sleep(10);
    const seen = await categories(engine);
    expect(order).toEqual(['A wrote']);
    expect(seen).toEqual([]);
    await expect(first).rejects.toThrow('changed my mind');
    await second;
    // It failed after a change, so the group ran again with savepoints.
    expect(order).toEqual(['A wrote', 'A fails', 'A wrote', 'A fails', 'B begins']);
    expect(await categories(engine)).toEqual(['B']);
  }));

test('writes run in the order of their calls', () =>
  withEngine(async (engine) => {
    const asked = ['a', 'b', 'c', 'd', 'e'];
    const writes = asked.map((name, index) =>
      engine.write(async (queries) => {
        await sleep(5 - index);
        await queries.run(insert(name));
      }),
    );
    await Promise.all(writes);
    expect(await categories(engine)).toEqual(asked);
  }));

test('a failed write does not block the next one', () =>
  withEngine(async (engine) => {
    const outcomes = await Promise.allSettled([engine.write((queries) => queries.run(insert(''))), engine.write((queries) => queries.run(insert('kept')))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await categories(engine)).toEqual(['kept']);
  }));

test('a read sees one state from its first to its last query', () =>
  withEngine(async (engine) => {
    await engine.write((queries) => queries.run(insert('before')));
    const seen = await engine.read(async (queries) => {
      const first = await queries.all(names);
      await engine.write((writing) => writing.run(insert('meanwhile')));
      return [first, await queries.all(names)];
    });
    expect(seen).toEqual([[{ name: 'before' }], [{ name: 'before' }]]);
    expect(await categories(engine)).toEqual(['before', 'meanwhile']);
  }));

test('a write sees its own changes', () =>
  withEngine(async (engine) => {
    const seen = await engine.write(async (queries) => {
      expect(await queries.run(insert('mine'))).toBe(1);
      return [await queries.get(names), await queries.get(sql`SELECT 1 AS one WHERE 0 = 1`)];
    });
    expect(seen).toEqual([{ name: 'mine' }, undefined]);
  }));

test('queries fail after their transaction has ended', () =>
  withEngine(async (engine) => {
    const kept: Queries[] = [];
    await engine.write(async (queries) => void kept.push(queries));
    await engine.read(async (queries) => void kept.push(queries));
    await expect(
      engine.write(async (queries) => {
        kept.push(queries);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(kept).toHaveLength(3);
    for (const queries of kept) {
      for (const use of [queries.run(insert('late')), queries.all(names), queries.get(names)]) {
        await expect(use).rejects.toThrow('This transaction has ended; an operation forgot an await.');
      }
    }
    expect(await categories(engine)).toEqual([]);
  }));

test('a query without await cannot run in the next transaction', () =>
  withEngine(async (engine) => {
    let late: Promise<unknown> = Promise.resolve();
    await engine.write(async (queries) => {
      late = sleep(5).then(() => queries.run(insert('late')));
    });
    const other = engine.write(async (queries) => {
      await queries.run(insert('other'));
      await sleep(15);
    });
    await expect(late).rejects.toThrow('This transaction has ended');
    await other;
    expect(await categories(engine)).toEqual(['other']);
  }));

test('a dry run runs everything and stores nothing', () =>
  withEngine(async (engine) => {
    const answer = await engine.write(async (queries) => {
      await queries.run(insert('dry'));
      return queries.all(names);
    }, false);
    expect(answer).toEqual([{ name: 'dry' }]);
    expect(await categories(engine)).toEqual([]);
    await engine.write((queries) => queries.run(insert('wet')), true);
    expect(await categories(engine)).toEqual(['wet']);
  }));

test('a read transaction cannot write', () =>
  withEngine(async (engine) => {
    await expectRefusal(
      'store_read_only',
      engine.read((queries) => queries.run(insert('x'))),
      /cannot be written to/,
    );
  }));

test('a lock that is not released is store_busy after the wait, and does not block the event loop', () =>
  withEngine(async (engine, path) => {
    const lock = holdLock(path);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 2);
    await expectRefusal(
      'store_busy',
      engine.write((queries) => queries.run(insert('x'))),
      new RegExp(`${path} is locked by another process; waited 0.3 s`),
    );
    clearInterval(timer);
    lock.release();
    expect(turns).toBeGreaterThan(10);
    await engine.write((queries) => queries.run(insert('later')));
    expect(await categories(engine)).toEqual(['later']);
  }, 0.3));

test('a waiting writer continues when the lock is released', () =>
  withEngine(async (engine, path) => {
    const lock = holdLock(path);
    let written = false;
    const waiting = engine.write((queries) => queries.run(insert('patient'))).then(() => (written = true));
    await sleep(50);
    expect(written).toBe(false);
    lock.release();
    await waiting;
    expect(await categories(engine)).toEqual(['patient']);
  }, 30));

test('reads work while another process holds the write lock', () =>
  withEngine(async (engine, path) => {
    await engine.write((queries) => queries.run(insert('before')));
    const lock = holdLock(path);
    expect(await categories(engine)).toEqual(['before']);
    lock.release();
  }, 0));

/** Counts the rows, waits, and inserts the count in one transaction. */
function countUp(engine: Engine): Promise<unknown> {
  return engine.write(async (queries) => {
    const { n } = (await queries.get<{ readonly n: number }>(sql`SELECT count(*) AS n FROM categories`)) ?? { n: -1 };
    await sleep(1);
    await queries.run(insert(`number ${n}`));
  });
}

test('concurrent writers on one file lose nothing', () =>
  withEngine(async (first, path) => {
    const second = await openSqlite(path, { waitSeconds: 30 });
    await Promise.all(Array.from({ length: 20 }, (_, index) => countUp(index % 2 === 0 ? first : second)));
    await second.close();
    expect(await categories(first)).toEqual(Array.from({ length: 20 }, (_, index) => `number ${index}`));
  }, 30));

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
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect([file, ((await stat(file)).mode & 0o777).toString(8)]).toEqual([file, '600']);
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

test('after a write, reads share its connection, and cannot change the shop', () =>
  withEngine(async (engine) => {
    await engine.write((queries) => queries.run(insert('kept')));
    await expect(engine.read((queries) => queries.run(insert('by a read')), true)).rejects.toThrow(/must not run a statement that writes/);
    const reads = Array.from({ length: 20 }, () => engine.read((queries) => queries.all(names), true));
    const writes = Array.from({ length: 20 }, (_, index) => engine.write((queries) => queries.run(insert(`more ${index}`))));
    for (const seen of await Promise.all(reads)) expect(seen[0]).toEqual({ name: 'kept' });
    await Promise.all(writes);
    expect(await engine.read((queries) => queries.all(names), true)).toHaveLength(21);
  }));

test('a repeatable read waits for a write that has begun, and sees its changes', () =>
  withEngine(async (engine) => {
    await engine.write((queries) => queries.run(insert('before')));
    const write = engine.write(async (queries) => {
      await queries.run(insert('begun'));
      await sleep(30);
    });
    await sleep(10);
    expect(await engine.read((queries) => queries.all(names), true)).toEqual([{ name: 'before' }, { name: 'begun' }]);
    await write;
  }));
