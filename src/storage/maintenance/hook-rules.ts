import { maximumHooks, type Hook } from '../../domain/hooks/hook.js';
import type { Check } from '../../domain/maintenance/maintenance.js';
import { oldestRows } from '../../domain/values/pages.js';
import { pluralize } from '../../domain/values/text.js';
import type { Queries } from '../queries.js';
import { sql } from '../sql.js';
import { hookTable } from '../tables/hook-table.js';
import type { Rule } from './ledger-rules.js';

/** The rules of webhooks. */
export const hookRules: readonly Rule[] = [
  {
    name: 'hook positions',
    noun: 'hook',
    query: sql`SELECT id FROM hooks WHERE position > (SELECT coalesce(max(id), 0) FROM ledger)`,
    holds: 'Every webhook has a position in the ledger.',
    broken: 'the position is after the newest ledger entry; choose another one (petstore hook resend)',
  },
  {
    name: 'hook deliveries',
    noun: 'hook',
    query: sql`SELECT DISTINCT d.hook_id AS id FROM hook_deliveries d LEFT JOIN hooks h ON h.id = d.hook_id WHERE h.id IS NULL`,
    holds: 'Every delivery belongs to a webhook.',
    broken: 'it has deliveries but does not exist',
  },
];

function unhealthyText({ id, state, position, waiting, attempts, lastError = '' }: Hook): string {
  const how = state === 'paused' ? 'is paused' : `failed ${pluralize(attempts, 'time')}`;
  return `Hook ${id} ${how} after ledger entry ${position}, ${waiting} waiting.${lastError === '' ? '' : ` ${lastError}`}`;
}

const namedHooks = 5;

/** Warns of the webhooks that are paused or failing. */
export async function checkHooks(queries: Queries): Promise<Check> {
  const name = 'webhooks';
  const unhealthy = await hookTable(queries).list({ unhealthy: true }, oldestRows(maximumHooks));
  if (unhealthy.length === 0) return { name, status: 'pass', message: 'No webhook is paused or failing.' };
  const more = unhealthy.length > namedHooks ? ` And ${unhealthy.length - namedHooks} more (petstore hook list).` : '';
  return { name, status: 'warn', message: `${unhealthy.slice(0, namedHooks).map(unhealthyText).join(' ')}${more}` };
}
