import { describe, expect, test } from 'vitest';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import { reportStock } from '../../src/domain/reports/report-stock.js';
import type { Call } from '../../src/domain/call.js';
import type { Engine } from '../../src/storage/engine.js';
import { localShop } from '../../src/storage/shop.js';
import type { Sql } from '../../src/storage/sql.js';
import { observeQueries } from '../support/observe-queries.js';
import { addressOf, freshDatabase, openShop } from '../support/postgres.js';

const raw = (text: string): Sql => ({ text, values: [] });
const series = (length: number): string => `generate_series(1, ${length}) AS g (i)`;

/** Enough pets and entries for PostgreSQL to prefer an index to a sequential scan of the ledger. */
async function fill(engine: Engine): Promise<void> {
  await engine.write(async ({ run }) => {
    await run(raw("INSERT INTO categories (id, name, folded) VALUES (1, 'Dogs', 'dogs')"));
    await run(raw(`INSERT INTO pets (id, name, folded, category_id) SELECT i, 'Rex', 'rex', 1 FROM ${series(1000)}`));
    await run(raw(`INSERT INTO stock (pet_id, quantity) SELECT i, 20 FROM ${series(1000)}`));
    await run(
      raw(`INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, at, actor, source)
        SELECT i, 'adjust', 1 + i % 1000, 1, 1 + i / 1000, i * 1000, 'ana', 'cli' FROM ${series(20_000)}`),
    );
    await run(raw('ANALYZE'));
  });
}

/** The PostgreSQL query plan of each query of a request, one step per line. */
async function plansOf(engine: Engine, request: (call: Call) => Promise<unknown>): Promise<readonly string[]> {
  const queries: Sql[] = [];
  const heard = observeQueries(engine, (query) => queries.push(query));
  await request(localShop(heard, { actor: 'ana', source: 'cli', clock: () => 0 }, '').call);
  const steps: string[] = [];
  for (const { text, values } of queries) {
    const plan = await engine.read((reading) => reading.all<Readonly<Record<string, string>>>({ text: `EXPLAIN ${text}`, values }));
    steps.push(...plan.flatMap((row) => Object.values(row)));
  }
  return steps;
}

const lastEntries = /Index Scan Backward using ledger_by_pet on ledger m\b/;

describe.skipIf(addressOf('') === undefined)('PostgreSQL', () => {
  test('stock at a past time and searches of the ledger read entries by an index', async () => {
    const { address, drop } = await freshDatabase();
    try {
      const engine = await openShop(address, { waitSeconds: 30 });
      try {
        await fill(engine);
        const at = '1970-01-01T02:46:40Z';
        const asked = [(call: Call) => call(reportStock, { at }), (call: Call) => call(listInventory, { at, limit: 50 })];
        for (const request of asked) {
          const steps = await plansOf(engine, request);
          expect(steps.filter((step) => lastEntries.test(step))).not.toEqual([]);
          expect(steps.filter((step) => /Seq Scan on ledger [mkh]\b/.test(step))).toEqual([]);
        }
        const searches = [
          { index: 'ledger_by_kind', request: (call: Call) => call(listLedger, { kind: ['sale'], limit: 50 }) },
          { index: 'ledger_by_actor', request: (call: Call) => call(listLedger, { actor: 'ben', sort: '-id', limit: 50 }) },
        ];
        for (const { index, request } of searches)
          expect((await plansOf(engine, request)).join('\n')).toMatch(new RegExp(`Index (Only )?Scan (Backward )?using ${index}`));
      } finally {
        await engine.close();
      }
    } finally {
      await drop();
    }
  });
});
