import Database from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Engine } from '../../src/storage/engine.js';
import { sql } from '../../src/storage/sql.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { categories, insert, withEngine } from '../support/sqlite-engine.js';

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
