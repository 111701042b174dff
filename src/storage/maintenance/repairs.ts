import type { Check, DoctorReport, DoctorRequest } from '../../domain/maintenance/maintenance.js';
import { maximumQuantity } from '../../domain/values/numbers.js';
import { pluralize } from '../../domain/values/text.js';
import type { Queries } from '../queries.js';
import { sql, type Sql } from '../sql.js';
import { settingValue } from '../tables/setting-table.js';
import { brokenChains, entriesAfterGap, wrongReservedUnits } from './ledger-rules.js';

/** A number of the stock that other rows determine. */
interface Repair {
  readonly what: string;
  /** What its right value is the sum of. */
  readonly source: string;
  /** The pets for which it is wrong: `id`, `was` and `units`, the right value. */
  readonly wrong: Sql;
  readonly statement: (wrong: Sql) => Sql;
}

/** Where the entries of the ledger are consistent and none is missing; otherwise their sum is not reliable. */
const quantities: Repair = {
  what: 'stock',
  source: 'the ledger',
  wrong: sql`SELECT p.id AS id, s.quantity AS was, m.units AS units FROM pets p LEFT JOIN stock s ON s.pet_id = p.id
    JOIN (SELECT pet_id, CAST(sum(delta) AS BIGINT) AS units FROM ledger WHERE delta IS NOT NULL GROUP BY pet_id) AS m ON m.pet_id = p.id
    WHERE p.archived = 0 AND s.quantity IS DISTINCT FROM m.units AND m.units BETWEEN 0 AND ${maximumQuantity}
    AND p.id NOT IN (${brokenChains}) AND NOT EXISTS (${entriesAfterGap})`,
  statement: (wrong) => sql`INSERT INTO stock (pet_id, quantity, low_at) SELECT id, units, ${settingValue('lowAt')} FROM (${wrong}) AS wrong WHERE 1 = 1
    ON CONFLICT (pet_id) DO UPDATE SET quantity = excluded.quantity`,
};

const reservedUnits: Repair = {
  what: 'reserved units',
  source: 'the open orders',
  wrong: wrongReservedUnits,
  statement: (wrong) => sql`UPDATE stock SET reserved = wrong.units FROM (${wrong}) AS wrong WHERE stock.pet_id = wrong.id`,
};

/** The most pets that a repair names: any number of them may need it. */
const namedPets = 10;

type WrongNumber = Readonly<{ id: number; was: number | null; units: number; total: number }>;

/** Sets the numbers of the stock that other rows determine; returns what was repaired, as sentences. */
export async function repairStock(queries: Queries): Promise<readonly string[]> {
  const done: string[] = [];
  for (const { what, source, wrong, statement } of [quantities, reservedUnits]) {
    const found = await queries.all<WrongNumber>(sql`SELECT id, was, units, count(*) OVER () AS total FROM (${wrong}) AS wrong ORDER BY id LIMIT ${namedPets}`);
    if (found.length === 0) continue;
    await queries.run(statement(wrong));
    done.push(...found.map(({ id, was, units }) => `Set the ${what} of pet ${id} to ${units}, the sum of ${source} (was ${was ?? 'missing'}).`));
    const more = (found[0]?.total ?? 0) - found.length;
    if (more > 0) done.push(`Set the ${what} of ${pluralize(more, 'more pet')} to the sum of ${source}.`);
  }
  return done;
}

/**
 * Checks a shop. With `repair` it is also repaired, after `confirm`, and checked again. `repairShop` repairs what has only one correct
 * value, or rolls that back, and answers what it did.
 */
export async function checkAndRepair(
  { repair, dryRun, confirm }: DoctorRequest,
  examine: () => Promise<readonly Check[]>,
  repairShop: (found: readonly Check[], isDryRun: boolean) => Promise<readonly string[]>,
): Promise<DoctorReport> {
  const report = async (): Promise<DoctorReport> => {
    const checks = await examine();
    return { ok: checks.every(({ status }) => status !== 'fail'), checks };
  };
  const found = await report();
  if (!repair) return found;
  const plan = await repairShop(found.checks, true);
  if (plan.length > 0) await confirm(plan);
  if (dryRun || plan.length === 0) return { ...found, repaired: plan };
  const repaired = await repairShop(found.checks, false);
  return { ...(await report()), repaired };
}
