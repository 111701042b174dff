import type { Queries } from '../engine.js';
import { list, sql } from '../sql.js';

/** A setting of the planner that can be turned off. */
type PlannerSetting = 'enable_hashjoin' | 'enable_memoize' | 'enable_nestloop';

/** Runs statements with settings of the planner turned off, in the present transaction only. A database without one of them ignores it. */
export async function withPlanner(queries: Queries, off: readonly PlannerSetting[], work: () => Promise<void>): Promise<void> {
  const set = (value: string): Promise<unknown> => queries.all(sql`SELECT set_config(name, ${value}, true) FROM pg_settings WHERE name IN ${list(off)}`);
  await set('off');
  await work();
  // Other changes may follow in the same transaction. After a failure it is rolled back, with its settings.
  await set('on');
}
