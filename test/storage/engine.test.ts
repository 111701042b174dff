import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Queries } from '../../src/storage/queries.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { categories, insert, names, withEngine } from '../support/sqlite-engine.js';
import Database from 'better-sqlite3';
import type { Engine } from '../../src/storage/engine.js';
import { openEngine } from '../../src/storage/engines.js';
import { sql } from '../../src/storage/sql.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { join } from 'node:path';
import { connect, queriesOf } from '../../src/storage/sqlite/connection.js';
import { driverFor } from '../../src/storage/sqlite/driver.js';
import { sharedReads } from '../../src/storage/sqlite/reads.js';
import { inDirectory } from '../support/stores.js';

test('a transaction that waits and rolls back does not affect another one', () =>
  withEngine(async (engine) => {
    const order: string[] = [];
    let [wrote, goOn] = [(): void => undefined, (): void => undefined];
    const hasWritten = new Promise<void>((resolve) => (wrote = resolve));
    const isSeen = new Promise<void>((resolve) => (goOn = resolve));
    const first = engine.write(async (queries) => {
      await queries.run(insert('A'));
      order.push('A wrote');
      wrote();
      await isSeen;
      await queries.run(insert('A again'));
      order.push('A fails');
      throw new Error('changed my mind');
    });
    const second = engine.write(async (queries) => {
      order.push('B begins');
      await queries.run(insert('B'));
    });
    await hasWritten;
    const seen = await categories(engine);
    expect(order).toEqual(['A wrote']);
    expect(seen).toEqual([]);
    goOn();
    await expect(first).rejects.toThrow('changed my mind');
    await second;
    // It failed after a change, so the group ran again, one by one.
    expect(order).toEqual(['A wrote', 'A fails', 'A wrote', 'A fails', 'B begins']);
    expect(await categories(engine)).toEqual(['B']);
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
        await expect(use).rejects.toThrow('This transaction has ended; an operation forgot an await, or went on after an error.');
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

test('a read transaction cannot write', () =>
  withEngine(async (engine) => {
    await expectRefusal(
      'store_read_only',
      engine.read((queries) => queries.run(insert('x'))),
      /cannot be written to/,
    );
  }));

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

test('a write whose caller has waited already gives up before those that came earlier', () =>
  withEngine(async (engine, path) => {
    const lock = holdLock(path);
    const patient = engine.write((queries) => queries.run(insert('patient')));
    await expectRefusal(
      'store_busy',
      engine.write((queries) => queries.run(insert('hurried')), { waitedMs: 599_900 }),
    );
    lock.release();
    await patient;
    expect(await categories(engine)).toEqual(['patient']);
  }, 600));

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

const many = 300;

/** Synchronous work of about a millisecond. */
function busy(): void {
  for (const until = performance.now() + 1; performance.now() < until;);
}

/** The number of event loop turns between the first answer and the last, and the answers in order. */
async function turnsWhile(asked: readonly (() => Promise<number>)[]): Promise<{ readonly turns: number; readonly order: readonly number[] }> {
  const order: number[] = [];
  let turns = 0;
  const count = (): void => {
    if (order.length === asked.length) return;
    if (order.length > 0) turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(asked.map(async (ask) => order.push(await ask())));
  return { turns, order };
}

const numbers = Array.from({ length: many }, (_, index) => index);
const inserted = sql`SELECT count(*) AS n FROM categories`;

test('a long queue of slow reads keeps its order and does not block the event loop', () =>
  withEngine(async (engine) => {
    const read = (index: number) => () =>
      engine.read(async (queries) => {
        await queries.get(inserted);
        busy();
        return index;
      });
    const { turns, order } = await turnsWhile(numbers.map(read));
    expect(order).toEqual(numbers);
    expect(turns).toBeGreaterThan(10);
  }));

test('a long queue of slow writes keeps its order, loses none and does not block the event loop', () =>
  withEngine(async (engine) => {
    const write = (index: number) => () =>
      engine.write(async (queries) => {
        busy();
        await queries.run(insert(`name ${index}`));
        return index;
      });
    const { turns, order } = await turnsWhile(numbers.map(write));
    expect(order).toEqual(numbers);
    expect(turns).toBeGreaterThan(10);
    expect(await engine.read((queries) => queries.get(inserted))).toEqual({ n: many });
  }));

for (const kind of ['read', 'write'] as const) {
  test(`the first ${kind} starts in the same turn of the event loop`, () =>
    withEngine(async (engine) => {
      let turned = false;
      setImmediate(() => (turned = true));
      await engine[kind]((queries) => queries.get(inserted));
      expect(turned).toBe(false);
    }));
}

test('a shop that is opened for reading only says when another process has changed it', () =>
  withEngine(async (engine, path) => {
    const reading = await openEngine({ store: path, where: path, waitSeconds: 5, readOnly: true, nativeBinding: undefined });
    await reading.read((queries) => queries.get(inserted));
    const before = reading.changeMark();
    expect(before).toBeTypeOf('number');
    expect(reading.changeMark()).toBe(before);
    await engine.write((queries) => queries.run(insert('Dogs')));
    expect(reading.changeMark()).not.toBe(before);
    await reading.close();
  }));

test('reads that wait for a snapshot share it', () =>
  inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    await (await openSqlite(path, { create: true, waitSeconds: 5 })).close();
    const database = connect(await driverFor(undefined), path, true);
    let snapshots = 0;
    const read = sharedReads(
      async () => ({ database, queries: queriesOf(database) }),
      async () => {
        await sleep(50);
        snapshots += 1;
        database.exec('BEGIN');
      },
      path,
    );
    const answers = await Promise.all(numbers.slice(0, 20).map((index) => read(async (queries) => [index, await queries.get(inserted)])));
    expect(answers).toHaveLength(20);
    // One, or a few where the machine is so busy that the reads take longer than a group may.
    expect(snapshots).toBeLessThan(10);
    // SQLite ends the transaction of a read whose temporary file does not fit on the disk; what follows has a snapshot of its own.
    const before = snapshots;
    await Promise.all([read(async () => database.exec('ROLLBACK')), read(async () => expect(database.inTransaction).toBe(true))]);
    expect(snapshots).toBe(before + 2);
    database.close();
  }));

test('a read waits for another process that keeps it from a snapshot, and is refused after the wait', () =>
  inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    await (await openSqlite(path, { create: true, waitSeconds: 5 })).close();
    const other = new Database(path);
    // Without a write-ahead log a writer excludes those that read.
    other.pragma('journal_mode = DELETE');
    const engine = await openSqlite(path, { waitSeconds: 5 });
    const count = (queries: Queries) => queries.get<{ readonly n: number }>(inserted);
    other.exec('BEGIN EXCLUSIVE');
    await expectRefusal('store_busy', engine.read(count, { waitedMs: 4900 }), /locked by another process; waited 5 s/);
    const waiting = engine.read(count);
    await sleep(100);
    other.exec('COMMIT');
    expect(await waiting).toEqual({ n: 0 });
    other.close();
    await engine.close();
  }));
