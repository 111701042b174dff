import { expect, test } from 'vitest';
import type { Queries } from '../../src/storage/queries.js';
import { withPlanner } from '../../src/storage/postgres/statements.js';
import { sql } from '../../src/storage/sql.js';
import { freshDatabase, openShop } from '../support/postgres.js';

async function settings(queries: Queries): Promise<readonly unknown[]> {
  const rows = await queries.rows(sql`SELECT name || ' ' || setting FROM pg_settings WHERE name IN ('enable_hashjoin', 'enable_nestloop') ORDER BY name`);
  return rows.flat();
}

test('settings of the planner return to the values of the session, not to their defaults', async () => {
  const { address, drop } = await freshDatabase();
  const engine = await openShop(address);
  try {
    await engine.write(async (queries) => {
      await queries.all(sql`SELECT set_config('enable_hashjoin', 'off', true)`);
      await withPlanner(queries, ['enable_hashjoin', 'enable_nestloop'], async () => {
        expect(await settings(queries)).toEqual(['enable_hashjoin off', 'enable_nestloop off']);
      });
      expect(await settings(queries)).toEqual(['enable_hashjoin off', 'enable_nestloop on']);
    });
  } finally {
    await engine.close();
    await drop();
  }
});
