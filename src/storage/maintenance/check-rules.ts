import { maximumHooks, type Hook } from '../../domain/hooks/hook.js';
import type { Check } from '../../domain/maintenance/maintenance.js';
import { oldestRows } from '../../domain/values/pages.js';
import { pluralize } from '../../domain/values/text.js';
import type { Queries } from '../queries.js';
import { hookTable } from '../tables/hook-table.js';
import { countRules } from './count-rules.js';
import { authorRules, entriesAfterGap, quantityRules, unitsOfOpenOrders, wrongReservedUnits, type Rule } from './ledger-rules.js';
import { raw, sql, type Sql } from '../sql.js';
import { highest } from '../tables/ids.js';

/** The ids after a gap; ids are consecutive and rows are never removed. */
function idsAfterGap(table: string): Sql {
  return sql`SELECT id FROM (SELECT id, lag(id, 1, 0) OVER (ORDER BY id) AS earlier FROM ${raw(table)}) AS h WHERE id <> earlier + 1`;
}

/** The rules of webhooks. */
const hookRules: readonly Rule[] = [
  {
    name: 'hook positions',
    noun: 'hook',
    query: sql`SELECT id FROM hooks WHERE position > ${highest('ledger')}`,
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

/** The tables whose rows are numbered, and what messages call them. */
const numbered = [
  ['pets', 'pet', 'pets'],
  ['orders', 'order', 'orders'],
  ['categories', 'category', 'categories'],
  ['batches', 'batch', 'batches'],
  ['counts', 'count', 'counts'],
  ['count_lines', 'line', 'lines'],
] as const;

const rules: readonly Rule[] = [
  ...quantityRules,
  {
    name: 'reservations',
    noun: 'pet',
    query: sql`SELECT s.pet_id AS id FROM stock s WHERE ${unitsOfOpenOrders} > s.quantity
      AND NOT EXISTS (SELECT 1 FROM ledger l WHERE l.pet_id = s.pet_id AND l.shortage = 1)`,
    holds: 'No pet has more units reserved than on hand, except allowed shortages.',
    broken: 'more units are reserved than on hand, and no shortage was allowed',
  },
  {
    name: 'reserved units',
    noun: 'pet',
    query: wrongReservedUnits,
    holds: 'The reserved units of every pet are those of its open orders.',
    broken: 'the reserved units are not those of the open orders; --repair fixes this',
  },
  {
    name: 'sales',
    noun: 'order',
    query: sql`SELECT o.id FROM orders o JOIN (SELECT order_id, pet_id, sum(delta) AS units FROM ledger
      WHERE order_id IS NOT NULL AND delta IS NOT NULL GROUP BY order_id, pet_id) AS m ON m.order_id = o.id
      WHERE m.units <> CASE WHEN o.state = 'complete' AND m.pet_id = o.pet_id THEN coalesce(o.returned, 0) - o.quantity ELSE 0 END
      UNION SELECT o.id FROM orders o WHERE o.state = 'complete' AND NOT EXISTS (SELECT 1 FROM ledger l WHERE l.order_id = o.id AND l.kind = 'sale')`,
    holds: 'The units of every complete order were sold once, except those that were returned; no other order has a sale.',
    broken: 'a complete order whose units were not sold once, or another order with a sale',
  },
  {
    name: 'status',
    noun: 'pet',
    query: sql`SELECT p.id FROM pets p LEFT JOIN stock s ON s.pet_id = p.id
      WHERE CASE p.archived WHEN 0 THEN s.pet_id IS NULL ELSE coalesce(s.quantity, 0) > 0 END`,
    holds: 'Every pet in the shop has stock, and no deleted pet has any.',
    broken: 'a pet without a stock record, or a deleted pet with units',
  },
  ...authorRules,
  {
    name: 'ledger',
    noun: 'ledger entry',
    query: entriesAfterGap,
    holds: 'No entry is missing from the ledger.',
    broken: 'entries before it are missing',
  },
  ...numbered.map(([table, noun, name]): Rule => ({
    name: `${name} ids`,
    noun,
    query: idsAfterGap(table),
    holds: `The ids of ${name} have no gaps or duplicates.`,
    broken: 'rows before it are missing',
  })),
  {
    name: 'categories',
    noun: 'pet',
    query: sql`SELECT p.id FROM pets p LEFT JOIN categories c ON c.id = p.category_id WHERE c.id IS NULL OR (p.archived = 0 AND c.archived = 1)`,
    holds: 'Every pet has a category.',
    broken: 'the category does not exist',
  },
  {
    name: 'codes',
    noun: 'pet',
    query: sql`SELECT DISTINCT k.pet_id AS id FROM codes k LEFT JOIN pets p ON p.id = k.pet_id WHERE p.id IS NULL OR p.archived = 1`,
    holds: 'Every code belongs to a pet of the shop.',
    broken: 'it has codes but is not in the shop; remove them (petstore code list)',
  },
  {
    name: 'orders',
    noun: 'order',
    query: sql`SELECT o.id FROM orders o LEFT JOIN pets p ON p.id = o.pet_id
      WHERE o.pet_id IS NOT NULL AND (p.id IS NULL OR (o.state = 'open' AND p.archived = 1))`,
    holds: 'The pet of every order exists.',
    broken: 'the pet does not exist',
  },
  {
    name: 'records',
    noun: 'ledger entry',
    query: sql`SELECT l.id FROM ledger l LEFT JOIN pets p ON p.id = l.pet_id LEFT JOIN orders o ON o.id = l.order_id
      LEFT JOIN categories c ON c.id = l.category_id LEFT JOIN batches b ON b.id = l.batch_id
      WHERE (l.pet_id IS NOT NULL AND p.id IS NULL) OR (l.order_id IS NOT NULL AND o.id IS NULL)
      OR (l.category_id IS NOT NULL AND c.id IS NULL) OR (l.batch_id IS NOT NULL AND b.id IS NULL)`,
    holds: 'All records in the ledger exist.',
    broken: 'it refers to a record that does not exist',
  },
  {
    name: 'history',
    noun: 'order',
    query: sql`SELECT o.id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM ledger l WHERE l.order_id = o.id
      AND l.kind = CASE o.state WHEN 'cancelled' THEN 'order.cancelled' ELSE 'order.placed' END)`,
    holds: 'The ledger explains the state of every order.',
    broken: 'the ledger does not explain the state',
  },
  {
    name: 'holds',
    noun: 'pet',
    query: sql`SELECT p.id FROM pets p WHERE p.hold <> CASE (SELECT l.kind FROM ledger l WHERE l.pet_id = p.id
      AND l.kind IN ('pet.held', 'pet.released') ORDER BY l.id DESC LIMIT 1) WHEN 'pet.held' THEN 1 ELSE 0 END`,
    holds: 'The hold of every pet agrees with the ledger.',
    broken: 'the hold does not agree with the ledger',
  },
  ...countRules,
  ...hookRules,
];

const namedIds = 5;
const plurals: Readonly<Record<Rule['noun'], string>> = {
  pet: 'Pets',
  order: 'Orders',
  'ledger entry': 'Ledger entries',
  category: 'Categories',
  batch: 'Batches',
  count: 'Counts',
  line: 'Lines',
  hook: 'Hooks',
};

/** The ids in a sentence: "Pets 3, 9 and 2 more". */
function namesOf(noun: Rule['noun'], ids: readonly number[], total: number): string {
  if (total === 1) return `${noun[0]?.toUpperCase()}${noun.slice(1)} ${ids[0]}`;
  return `${plurals[noun]} ${ids.join(', ')}${total > ids.length ? ` and ${total - ids.length} more` : ''}`;
}

/** Checks a shop against one rule. */
export async function checkRule(queries: Queries, { name, noun, query, holds, broken }: Rule): Promise<Check> {
  const found = await queries.all<{ readonly id: number; readonly total: number }>(
    sql`SELECT id, count(*) OVER () AS total FROM (${query}) AS broken ORDER BY id LIMIT ${namedIds}`,
  );
  const total = found[0]?.total ?? 0;
  const ids = found.map(({ id }) => id);
  return total === 0 ? { name, status: 'pass', message: holds } : { name, status: 'fail', message: `${namesOf(noun, ids, total)}: ${broken}.` };
}

function unhealthyText({ id, state, position, waiting, attempts, lastError = '' }: Hook): string {
  const how = state === 'paused' ? 'is paused' : `failed ${pluralize(attempts, 'time')}`;
  return `Hook ${id} ${how} after ledger entry ${position}, ${waiting} waiting.${lastError === '' ? '' : ` ${lastError}`}`;
}

const namedHooks = 5;

/** Warns of the webhooks that are paused or failing. */
async function checkHooks(queries: Queries): Promise<Check> {
  const name = 'webhooks';
  const unhealthy = await hookTable(queries).list({ unhealthy: true }, oldestRows(maximumHooks));
  if (unhealthy.length === 0) return { name, status: 'pass', message: 'No webhook is paused or failing.' };
  const more = unhealthy.length > namedHooks ? ` And ${unhealthy.length - namedHooks} more (petstore hook list).` : '';
  return { name, status: 'warn', message: `${unhealthy.slice(0, namedHooks).map(unhealthyText).join(' ')}${more}` };
}

/** Checks a shop against its rules; `failed` returns the message for a rule that could not be checked; without it the error is thrown. */
export async function checkRules(queries: Queries, failed?: (error: unknown) => string): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const attempt = async (name: string, check: () => Promise<Check>): Promise<void> => {
    try {
      checks.push(await check());
    } catch (error) {
      if (failed === undefined) throw error;
      checks.push({ name, status: 'fail', message: failed(error) });
    }
  };
  for (const rule of rules) await attempt(rule.name, () => checkRule(queries, rule));
  await attempt('webhooks', () => checkHooks(queries));
  return checks;
}
