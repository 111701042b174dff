import type { Check } from '../../domain/maintenance/maintenance.js';
import type { Queries } from '../queries.js';
import { migrations } from '../migrations/migrations.js';
import { join, sql } from '../sql.js';

/** The triggers that petstore creates, and their tables. */
const wanted = new Map(
  migrations.flatMap(({ postgres }) =>
    postgres.flatMap((text) => {
      const [, name, table] = /^CREATE TRIGGER (\w+) (?:BEFORE|AFTER) [\w ]+? ON (\w+)/.exec(text) ?? [];
      return name === undefined || table === undefined ? [] : [[name, table] as const];
    }),
  ),
);

const advice = 'Copy the shop into an empty database, which gets all triggers (petstore copy).';

const guarded = [...new Set(wanted.values())].map((table) => sql`CAST(${table} AS REGCLASS)`);

/** Checks that the triggers exist and are enabled, and that there are no others. */
export async function checkTriggers(queries: Queries): Promise<Check> {
  const found = await queries.all<{ readonly name: string; readonly table: string; readonly enabled: string }>(sql`SELECT t.tgname AS name,
    c.relname AS "table", CAST(t.tgenabled AS TEXT) AS enabled FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND c.oid IN (${join(guarded)})`);
  const problems: string[] = [];
  for (const [name, table] of wanted) {
    const trigger = found.find((one) => one.name === name && one.table === table);
    if (trigger === undefined) problems.push(`trigger ${name} missing`);
    else if (trigger.enabled !== 'O' && trigger.enabled !== 'A') problems.push(`trigger ${name} disabled`);
  }
  for (const { name } of found) if (!wanted.has(name)) problems.push(`trigger ${name} not created by petstore`);
  if (problems.length === 0) return { name: 'triggers', status: 'pass', message: 'All triggers are present and enabled.' };
  return { name: 'triggers', status: 'fail', message: `${problems.join('; ')}. ${advice}` };
}
