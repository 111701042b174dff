import type { Queries } from '../queries.js';
import { sql } from '../sql.js';
import { wrongReservedUnits } from './check-rules.js';

/** A pet whose reserved units are not those of its open orders. */
interface WrongReservedUnits {
  readonly id: number;
  /** The units of its open orders. */
  readonly units: number;
}

/** The repairs of reserved units that a shop needs, as sentences. */
export async function planReservedRepairs(queries: Queries): Promise<readonly string[]> {
  const wrong = await queries.all<WrongReservedUnits>(sql`${wrongReservedUnits} ORDER BY s.pet_id`);
  return wrong.map(({ id, units }) => `Set the reserved units of pet ${id} to ${units}, the sum of its open orders.`);
}

/** Sets the reserved units of pets to those of their open orders; returns what was repaired. */
export async function repairReserved(queries: Queries): Promise<readonly string[]> {
  const repairs = await planReservedRepairs(queries);
  await queries.run(sql`UPDATE stock SET reserved = wrong.units FROM (${wrongReservedUnits}) AS wrong WHERE stock.pet_id = wrong.id`);
  return repairs;
}
