import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { StoreError } from '../../src/domain/errors.js';
import { groupedWrites } from '../../src/storage/writes/grouped-writes.js';
import type { WritePort } from '../../src/storage/writes/write-port.js';
import { sql } from '../../src/storage/sql.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { categories, insert, withEngine } from '../support/sqlite-engine.js';

/** Counts the commits, by checking whenever a write of the group continues. */
function commitsOf(path: string): { readonly count: () => number; readonly close: () => void } {
  const other = new Database(path, { readonly: true });
  let seen = other.pragma('data_version', { simple: true });
  let commits = 0;
  return {
    count: () => {
      const now = other.pragma('data_version', { simple: true });
      if (now !== seen) commits += 1;
      seen = now;
      return commits;
    },
    close: () => other.close(),
  };
}

const many = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

test('writes that wait at the same time share a commit', () =>
  withEngine(async (engine, path) => {
    const commits = commitsOf(path);
    await Promise.all(
      many(50).map(async (index) => {
        await engine.write(async (queries) => queries.run(insert(`name ${index}`)));
        commits.count();
      }),
    );
    expect(commits.count()).toBeLessThanOrEqual(2);
    // One after the other, each has its own commit before it returns.
    for (let index = 0; index < 5; index += 1) {
      const before = commits.count();
      await engine.write((queries) => queries.run(insert(`late ${index}`)));
      expect(commits.count()).toBe(before + 1);
    }
    commits.close();
    expect(await categories(engine)).toHaveLength(55);
  }));

test('a write settles only after its commit is visible to others', () =>
  withEngine(async (engine, path) => {
    const other = new Database(path, { readonly: true });
    const standing = other.prepare('SELECT count(*) FROM categories WHERE name = ?').pluck();
    await Promise.all(
      many(300).map(async (index) => {
        await engine.write(async (queries) => queries.run(insert(`name ${index}`)));
        expect(standing.get(`name ${index}`)).toBe(1);
      }),
    );
    other.close();
  }));

test('a refusal or a dry run inside a group does not affect the others', () =>
  withEngine(async (engine) => {
    const outcomes = await Promise.allSettled(
      many(30).map((index) =>
        engine.write(
          async (queries) => {
            await queries.run(insert(`name ${index}`));
            if (index % 3 === 1) throw new StoreError('pet_on_hold', `Not ${index}.`);
            const found = await queries.get<{ readonly count: number }>(sql`SELECT count(*) AS count FROM categories WHERE name LIKE 'name %'`);
            return found?.count;
          },
          { dryRun: index % 3 === 2 },
        ),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(many(30).map((index) => (index % 3 === 1 ? 'rejected' : 'fulfilled')));
    expect(await categories(engine)).toEqual(many(10).map((index) => `name ${index * 3}`));
    // Each saw the changes of the writes before it, and its own.
    expect(outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))).toEqual(many(20).map((index) => 1 + Math.ceil(index / 2)));
  }));

test('a failed statement rolls back only its own write', () =>
  withEngine(async (engine) => {
    const good = engine.write((queries) => queries.run(insert('good')));
    const bad = engine.write(async (queries) => {
      await queries.run(insert('half'));
      await queries.run(sql`INSERT INTO categories (name) VALUES (NULL)`);
    });
    const swallowing = engine.write(async (queries) => {
      await queries.run(sql`INSERT INTO categories (name) VALUES (NULL)`).catch(() => undefined);
      await queries.run(insert('goes on'));
    });
    await good;
    await expect(bad).rejects.toThrow(/NOT NULL/);
    await swallowing;
    expect(await categories(engine)).toEqual(['good', 'goes on']);
  }));

test('a statement sent with one whose failure rolls back the transaction is not kept', () =>
  withEngine(async (engine) => {
    // As an error of the disk does.
    const failing = sql`INSERT OR ROLLBACK INTO categories (name) VALUES (NULL)`;
    const together = engine.write(async ({ run }) => void (await Promise.all([insert('before'), failing, insert('after')].map(run))));
    await expect(together).rejects.toThrow(/NOT NULL/);
    const swallowing = engine.write(async ({ run }) => {
      await run(failing).catch(() => undefined);
      await run(insert('goes on'));
    });
    await expect(swallowing).rejects.toThrow(/went on after an error/);
    expect(await categories(engine)).toEqual([]);
    await engine.write(({ run }) => run(insert('later')));
    expect(await categories(engine)).toEqual(['later']);
  }));

test('a failed commit fails all writes of its group and stores nothing', () =>
  withEngine(async (engine, path) => {
    const text = 'x'.repeat(80);
    const grow = (index: number) =>
      engine.write(async (queries) => {
        await queries.run(insert(`small ${index}`));
        if (index === 7) for (let turn = 0; turn < 600; turn += 1) await queries.run(insert(`${index} ${turn} ${text}`));
      });
    const pages = await engine.write(async (queries) => {
      const found = await queries.get<{ readonly page_count: number }>(sql`PRAGMA page_count`);
      await queries.get(sql`PRAGMA max_page_count = ${{ text: String((found?.page_count ?? 0) + 8), values: [] }}`);
      return found?.page_count;
    });
    expect(pages).toBeGreaterThan(10);
    const outcomes = await Promise.allSettled(many(12).map(grow));
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' ? ((outcome.reason as StoreError).code ?? String(outcome.reason)) : 'kept').toMatch(/^(store_full|kept)$/);
    }
    expect(outcomes[7]?.status).toBe('rejected');
    const kept = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [`small ${index}`] : []));
    expect(await categories(engine)).toEqual(kept);
    // When there is space again, the same connection continues.
    await engine.write((queries) => queries.get(sql`PRAGMA max_page_count = 1000000`));
    await grow(7);
    expect((await categories(engine)).length).toBe(kept.length + 601);
    const other = new Database(path, { readonly: true });
    expect(other.pragma('integrity_check', { simple: true })).toBe('ok');
    other.close();
  }));

test('each write waits its own time for a locked shop without blocking the event loop', () =>
  withEngine(async (engine, path) => {
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    let turns = 0;
    const counter = setInterval(() => (turns += 1), 5);
    const order: string[] = [];
    const first = expectRefusal(
      'store_busy',
      engine.write((queries) => queries.run(insert('early'))),
    ).then(() => order.push('early'));
    await new Promise((resolve) => setTimeout(resolve, 750));
    const second = engine.write((queries) => queries.run(insert('late'))).then(() => order.push('late'));
    await first;
    // The later write still waits when the earlier one has timed out.
    other.exec('ROLLBACK');
    other.close();
    await second;
    clearInterval(counter);
    expect(order).toEqual(['early', 'late']);
    expect(turns).toBeGreaterThan(10);
    expect(await categories(engine)).toEqual(['late']);
  }, 1.5));

test('a write started at any moment of another one settles', () =>
  withEngine(async (engine) => {
    for (let steps = 0; steps < 40; steps += 1) {
      await engine.write((queries) => queries.run(insert(`${steps} one`)));
      // No write is lost with any number of microtask turns in between.
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      await engine.write((queries) => queries.run(insert(`${steps} two`)));
    }
    expect(await categories(engine)).toHaveLength(80);
  }));

test.each(['commit', 'work'])('all waiting writes are rejected when the %s fails and the rollback too', async (failing) => {
  const broken = (name: string) => () => Promise.reject(new Error(`${name} failed`));
  const port: WritePort = {
    lock: async () => undefined,
    queries: {
      all: async () => [],
      rows: async () => [],
      get: async () => undefined,
      run: async () => undefined,
      runAndCount: async () => 0,
      clock: { at: () => 0, advanceTo: () => undefined },
    },
    commit: broken('commit'),
    rollback: broken('rollback'),
    endsTransaction: () => true,
    isTransient: () => true,
    explain: (error) => error,
  };
  const write = groupedWrites(async () => port, 5);
  const writes = many(3).map(() => write(failing === 'work' ? broken('work') : async () => undefined));
  const outcomes = await Promise.allSettled(writes);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(outcomes[0]).toMatchObject({ reason: { message: `${failing} failed` } });
});
