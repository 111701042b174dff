import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Queries } from '../../src/storage/queries.js';
import { sql } from '../../src/storage/sql.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { categories, insert, names, withEngine } from '../support/sqlite-engine.js';

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
      expect(await queries.runAndCount(insert('mine'))).toBe(1);
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
    const dryRun = { dryRun: true };
    const answer = await engine.write(async (queries) => {
      await queries.run(insert('dry'));
      return queries.all(names);
    }, dryRun);
    expect(answer).toEqual([{ name: 'dry' }]);
    expect(await categories(engine)).toEqual([]);
    await engine.write((queries) => queries.run(insert('wet')), { dryRun: false });
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
