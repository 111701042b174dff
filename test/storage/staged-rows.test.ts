import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ImportReport } from '../../src/domain/imports/import-report.js';
import type { Shop } from '../../src/domain/shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { localShop } from '../../src/storage/shop.js';
import { sql } from '../../src/storage/sql.js';
import { csv } from '../support/files.js';
import { addressOf, asAdmin, freshDatabase, openShop } from '../support/postgres.js';
import { expectRefusal } from '../support/expect-refusal.js';

interface Case {
  readonly table: string;
  readonly import: (shop: Shop) => Promise<ImportReport>;
  readonly says: RegExp;
}

const cases: Readonly<Record<string, Case>> = {
  'pet import': {
    table: 'staged_pets',
    import: (shop) => shop.importPets(csv('name,category', 'Tom,Dogs', 'Rex,Dogs', 'Bella,Dogs'), { mode: 'atomic', key: 'K' }),
    says: /has lost 3 of the 3 rows prepared for this import; nothing was changed/,
  },
  'stock import': {
    table: 'staged_moves',
    import: (shop) => shop.importStock(csv('petId,delta', '1,2', '2,2'), { mode: 'atomic', key: 'L' }),
    says: /has lost 2 of the 2 rows prepared for this import; nothing was changed/,
  },
};

const shopOn = (engine: Engine): Shop => localShop(engine, { actor: 'ana', source: 'cli', clock: () => Date.parse('2026-11-20T09:00:00Z') }, '');

/** Runs an action while an import has staged its rows and waits for the lock. */
async function whileWaiting<T>(other: Engine, name: string, start: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const holding = other.write(() => held);
  const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}' AND wait_event_type = 'Lock'`;
  // The other transaction must get the lock first.
  while ((await asAdmin(`SELECT 1 FROM pg_stat_activity WHERE datname = '${name}' AND state = 'idle in transaction'`)).length === 0) await sleep(5);
  const started = start();
  while ((await asAdmin(waits)).length === 0) await sleep(5);
  await meanwhile();
  release();
  await holding;
  return started;
}

describe.skipIf(addressOf('') === undefined)('PostgreSQL', () => {
  for (const [name, { table, import: run, says }] of Object.entries(cases)) {
    test(`a ${name} whose staged rows are lost is refused and changes nothing, and a repeat is applied`, async () => {
      const { address, name: database, drop } = await freshDatabase();
      const [engine, other] = await Promise.all([openShop(address, { waitSeconds: 30 }), openShop(address, { waitSeconds: 30 })]);
      try {
        const shop = shopOn(engine);
        await shop.importPets(csv('name,category', 'Ada,Dogs', 'Zoe,Dogs'), { mode: 'atomic', createCategories: true });
        const ledger = async () => (await engine.read((queries) => queries.get<{ readonly rows: number }>(sql`SELECT count(*) AS rows FROM ledger`)))?.rows;
        const before = await ledger();
        const client = new pg.Client(address);
        await client.connect();
        await expectRefusal(
          'store_unreachable',
          whileWaiting(
            other,
            database,
            () => run(shop),
            () => client.query(`DELETE FROM ${table}`),
          ),
          says,
        );
        await client.end();
        expect(await ledger()).toBe(before);
        const again = await run(shop);
        expect([again.applied, again.alreadyApplied]).toEqual([again.total, 0]);
        const repeated = await run(shop);
        expect([repeated.applied, repeated.alreadyApplied]).toEqual([0, again.total]);
      } finally {
        await Promise.all([engine.close(), other.close()]);
        await drop();
      }
    });
  }
});
