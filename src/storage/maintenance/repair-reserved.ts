import type { Queries } from '../queries.js';
import { pluralize } from '../../domain/values/text.js';
import { sql } from '../sql.js';
import { wrongReservedUnits } from './check-rules.js';

/** The most pets that the repairs of a shop name: any number of them may need a repair. */
export const namedPets = 10;

/** A pet whose reserved units are not those of its open orders. */
interface WrongReservedUnits {
  readonly id: number;
  /** The units of its open orders. */
  readonly units: number;
  /** The number of all such pets. */
  readonly total: number;
}

/** The repairs of reserved units that a shop needs, as sentences: one for each of the first pets, and one for the others. */
export async function planReservedRepairs(queries: Queries): Promise<readonly string[]> {
  const wrong = await queries.all<WrongReservedUnits>(
    sql`SELECT id, units, count(*) OVER () AS total FROM (${wrongReservedUnits}) AS wrong ORDER BY id LIMIT ${namedPets}`,
  );
  const more = (wrong[0]?.total ?? 0) - wrong.length;
  return [
    ...wrong.map(({ id, units }) => `Set the reserved units of pet ${id} to ${units}, the sum of its open orders.`),
    ...(more > 0 ? [`Set the reserved units of ${pluralize(more, 'more pet')} to the sum of their open orders.`] : []),
  ];
}

/** Sets the reserved units of pets to those of their open orders; returns what was repaired. */
export async function repairReserved(queries: Queries): Promise<readonly string[]> {
  const repairs = await planReservedRepairs(queries);
  await queries.run(sql`UPDATE stock SET reserved = wrong.units FROM (${wrongReservedUnits}) AS wrong WHERE stock.pet_id = wrong.id`);
  return repairs;
}
