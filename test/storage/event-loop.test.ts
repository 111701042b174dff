import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Engine } from '../../src/storage/engine.js';
import { sql } from '../../src/storage/sql.js';
import { connect, queriesOf } from '../../src/storage/sqlite/connection.js';
import { driverFor } from '../../src/storage/sqlite/driver.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { sharedReads } from '../../src/storage/sqlite/reads.js';
import { inDirectory } from '../support/stores.js';

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

async function withEngine(work: (engine: Engine) => Promise<void>): Promise<void> {
  await inDirectory(async (directory) => {
    const engine = await openSqlite(join(directory, 'shop.db'), { create: true, waitSeconds: 60 });
    try {
      await work(engine);
    } finally {
      await engine.close();
    }
  });
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
        await queries.run(sql`INSERT INTO categories (name, folded) VALUES (${`name ${index}`}, ${`name ${index}`})`);
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

test('reads that wait for a snapshot share it', () =>
  inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    await (await openSqlite(path, { create: true, waitSeconds: 5 })).close();
    const database = connect(await driverFor(undefined), path, true);
    let snapshots = 0;
    const read = sharedReads(
      async () => ({ database, queries: queriesOf(database) }),
      async () => {
        await setTimeout(50);
        snapshots += 1;
        database.exec('BEGIN');
      },
      path,
    );
    const answers = await Promise.all(numbers.slice(0, 20).map((index) => read(async (queries) => [index, await queries.get(inserted)])));
    expect(answers).toHaveLength(20);
    // One, or a few where the machine is so busy that the reads take longer than a group may.
    expect(snapshots).toBeLessThan(10);
    database.close();
  }));
