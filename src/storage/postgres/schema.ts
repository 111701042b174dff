import type { Check } from '../../domain/maintenance/maintenance.js';
import type { Queries } from '../queries.js';
import { migrations } from '../migrations/migrations.js';
import { join, sql } from '../sql.js';

interface Trigger {
  readonly name: string;
  readonly table: string;
  readonly enabled: string;
  readonly definition: string;
  readonly source: string;
}

/** The name of the trigger or function that a statement creates; undefined for any other statement. */
function createdName(statement: string, what: 'TRIGGER' | 'FUNCTION'): string | undefined {
  return new RegExp(`^CREATE ${what} (\\w+)`).exec(statement)?.[1];
}

const statements = migrations.flatMap(({ postgres }) => postgres);
const bodies = new Map(statements.map((text) => [createdName(text, 'FUNCTION'), /\$\$(.*)\$\$/s.exec(text)?.[1]?.trim()]));
const created = statements.flatMap((text) => {
  const name = createdName(text, 'TRIGGER');
  const [, timing = '', table = ''] = /^CREATE TRIGGER \w+ ((?:BEFORE|AFTER) \w+(?: OF \w+)?) ON (\w+)/.exec(text) ?? [];
  const calls = /EXECUTE FUNCTION (\w+)\(\)$/.exec(text)?.[1];
  return name === undefined ? [] : [{ name, timing, table, calls, body: bodies.get(calls) }];
});
// A later migration may create a trigger again.
const wanted = created.filter(({ name }, index) => created.findLastIndex((other) => other.name === name) === index);

const advice = 'Copy the shop into an empty database, which gets all triggers (petstore copy).';

const guarded = [...new Set(wanted.map(({ table }) => table))].map((table) => sql`CAST(${table} AS REGCLASS)`);

/** Checks that the triggers exist, are enabled and unchanged, and that there are no others. */
export async function checkGuards(queries: Queries): Promise<Check> {
  const found = await queries.all<Trigger>(sql`SELECT t.tgname AS name, c.relname AS "table", CAST(t.tgenabled AS TEXT) AS enabled,
    pg_get_triggerdef(t.oid) AS definition, p.prosrc AS source
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND c.oid IN (${join(guarded, ', ')})`);
  const problems: string[] = [];
  for (const { name, timing, table, calls, body } of wanted) {
    const trigger = found.find((one) => one.name === name && one.table === table);
    if (trigger === undefined) problems.push(`trigger ${name} missing`);
    else if (trigger.enabled !== 'O' && trigger.enabled !== 'A') problems.push(`trigger ${name} disabled`);
    else if (!trigger.definition.includes(` ${timing} ON `) || !trigger.definition.endsWith(`${calls}()`) || trigger.source.trim() !== body)
      problems.push(`trigger ${name} changed`);
  }
  for (const { name } of found) if (!wanted.some((one) => one.name === name)) problems.push(`trigger ${name} not created by petstore`);
  if (problems.length === 0) return { name: 'triggers', status: 'pass', message: 'All triggers are present and unchanged.' };
  return { name: 'triggers', status: 'fail', message: `${problems.join('; ')}. ${advice}` };
}
