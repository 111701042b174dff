import { StoreError } from '../../domain/errors.js';
import { checkedSecret } from '../../domain/hooks/hook-secret.js';
import type { SendingHook } from '../../domain/hooks/hook-queue.js';
import { checkedHookUrl } from '../../domain/hooks/hook-url.js';
import { maximumHooks, type Hook } from '../../domain/hooks/hook.js';
import { ledgerKind } from '../../domain/ledger/ledger-entry.js';
import type { Check } from '../../domain/maintenance/maintenance.js';
import { oldestRows } from '../../domain/values/pages.js';
import { pluralize } from '../../domain/values/text.js';
import type { Queries } from '../queries.js';
import { raw, sql } from '../sql.js';
import { findSendingHook, hookTable } from '../tables/hook-table.js';
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

async function exists(queries: Queries, table: 'pets' | 'categories', id: number): Promise<boolean> {
  return (await queries.get(sql`SELECT id FROM ${raw(table)} WHERE id = ${id}`)) !== undefined;
}

/** What is wrong with a hook that petstore did not write; never its secret. */
async function problemOf(queries: Queries, hook: SendingHook): Promise<string | undefined> {
  const { url, allowPrivate, secrets, kinds = [], petId = [], categoryId } = hook;
  try {
    checkedHookUrl(url, allowPrivate);
    for (const secret of secrets) checkedSecret(secret);
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
  const kind = kinds.find((one) => !ledgerKind.options.includes(one));
  if (kind !== undefined) return 'it names a kind of ledger entry that does not exist.';
  for (const id of petId) if (!(await exists(queries, 'pets', id))) return `pet ${id} does not exist.`;
  if (categoryId !== undefined && !(await exists(queries, 'categories', categoryId))) return `category ${categoryId} does not exist.`;
  return undefined;
}

function unhealthyText({ id, state, position, waiting, attempts, lastError = '' }: Hook): string {
  const how = state === 'paused' ? 'is paused' : `failed ${pluralize(attempts, 'time')}`;
  return `Hook ${id} ${how} after ledger entry ${position}, ${waiting} waiting.${lastError === '' ? '' : ` ${lastError}`}`;
}

const namedHooks = 5;

/** Checks each webhook, and warns of those that are paused or failing. */
export async function checkHooks(queries: Queries): Promise<Check> {
  const name = 'webhooks';
  const hooks = await hookTable(queries).list({}, oldestRows(maximumHooks));
  for (const { id } of hooks) {
    const hook = await findSendingHook(queries, id, 0);
    const problem = hook && (await problemOf(queries, hook));
    if (problem !== undefined) return { name, status: 'fail', message: `Hook ${id}: ${problem} Change it (petstore hook edit ${id}) or delete it.` };
  }
  const unhealthy = await hookTable(queries).list({ unhealthy: true }, oldestRows(maximumHooks));
  if (unhealthy.length === 0) return { name, status: 'pass', message: 'No webhook is paused or failing.' };
  const more = unhealthy.length > namedHooks ? ` And ${unhealthy.length - namedHooks} more (petstore hook list).` : '';
  return { name, status: 'warn', message: `${unhealthy.slice(0, namedHooks).map(unhealthyText).join(' ')}${more}` };
}
