import type { Queries } from '../queries.js';
import { list, sql } from '../sql.js';

/** A setting of the planner that can be turned off. */
type PlannerSetting = 'enable_hashjoin' | 'enable_memoize' | 'enable_nestloop';

/** Runs statements with settings of the planner turned off, in the present transaction only. A database without one of them ignores it. */
export async function withPlanner(queries: Queries, off: readonly PlannerSetting[], work: () => Promise<void>): Promise<void> {
  const former = await queries.all<{ readonly name: string; readonly setting: string }>(sql`SELECT name, setting FROM pg_settings WHERE name IN ${list(off)}`);
  const set = (name: string, value: string): Promise<unknown> => queries.all(sql`SELECT set_config(${name}, ${value}, true)`);
  for (const { name } of former) await set(name, 'off');
  await work();
  // Other changes may follow in the same transaction. After a failure it is rolled back, with its settings.
  for (const { name, setting } of former) await set(name, setting);
}
