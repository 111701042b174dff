import type { CountWriter } from '../../domain/counts/count-table.js';
import type { MissingPolicy, PetAtClose } from '../../domain/counts/count-rules.js';
import type { Slice } from '../../domain/values/pages.js';
import type { Queries } from '../queries.js';
import { any, list, raw, sql, type Sql } from '../sql.js';
import { partsOf } from './columns.js';
import type { Stamp } from './ledger-table.js';
import { countRows, sliceOf } from './slices.js';
import { highest } from './ids.js';

interface Stored {
  readonly petId: number;
  readonly name: string;
  readonly counted: number | null;
  readonly expected: number | null;
  readonly quantity: number | null;
  readonly reserved: number | null;
}

function toPetAtClose({ petId, name, counted, expected, quantity, reserved }: Stored): PetAtClose {
  return {
    petId,
    name,
    tally: counted === null || expected === null ? undefined : { counted, expected },
    stock: quantity === null || reserved === null ? undefined : { quantity, reserved },
  };
}

// Looked up for each pet, not joined: the pets are read in the order of their ids, a page at a time, and PostgreSQL would join and sort all of them.
const ofStock = (column: 'quantity' | 'reserved'): Sql => sql`(SELECT s.${raw(column)} FROM stock s WHERE s.pet_id = t.pet_id)`;
const isLive = sql`EXISTS (SELECT 1 FROM stock s WHERE s.pet_id = t.pet_id)`;

/** The condition of the pets that a close is about. */
function isAtClose(countId: number, missing: MissingPolicy): Sql {
  const ofCount = sql`t.count_id = ${countId} AND t.open = 1`;
  return missing === 'keep' ? sql`${ofCount} AND t.counted IS NOT NULL` : sql`${ofCount} AND (t.counted IS NOT NULL OR ${isLive})`;
}

/** The pets that a close would change, or would have to refuse: those that `closeOutcomeOf` does not leave as they are. A test compares the two. */
function isChanging(countId: number, missing: MissingPolicy): Sql {
  const isMissing = sql`(t.counted IS NULL AND ${ofStock('quantity')} > 0)`;
  const isDifferent = sql`(t.counted IS NOT NULL AND (t.counted <> t.expected OR NOT ${isLive}))`;
  return sql`t.count_id = ${countId} AND t.open = 1 AND ${any(missing === 'keep' ? [isDifferent] : [isDifferent, isMissing])}`;
}

/** The movements of a close (pet_id, before, after, reserved, low_at): of the counted pets that differ and are not left as they are. */
function movements(countId: number): Sql {
  return sql`SELECT t.pet_id, s.quantity AS before, s.quantity + t.counted - t.expected AS after, s.reserved, s.low_at
    FROM count_pets t JOIN stock s ON s.pet_id = t.pet_id WHERE t.count_id = ${countId} AND t.refused IS NULL AND t.counted <> t.expected`;
}

const wasLow = sql`(m.low_at IS NOT NULL AND m.before - m.reserved <= m.low_at)`;
const isLow = sql`(m.low_at IS NOT NULL AND m.after - m.reserved <= m.low_at)`;

/** The ledger entries of a close: `levelCrossing` of the domain in SQL follows each movement. A test compares the two. */
export function closingEntries(countId: number): Sql {
  return sql`WITH moved AS (${movements(countId)})
    SELECT m.pet_id, 0 AS place, CAST('count' AS TEXT) AS kind, m.after - m.before AS delta, m.after AS quantity_after,
      CASE WHEN m.after < m.reserved THEN 1 END AS shortage FROM moved m
    UNION ALL SELECT m.pet_id, 1, CASE WHEN ${isLow} THEN 'inventory.low' ELSE 'inventory.restocked' END, NULL, NULL, NULL FROM moved m
      WHERE ${wasLow} <> ${isLow}`;
}

/** What closing a count reads and changes, in one transaction. */
export function countClosing(
  queries: Queries,
  stamp: Stamp,
): Pick<CountWriter, 'changing' | 'totalChanging' | 'atClose' | 'setMissingToZero' | 'markRefused' | 'apply'> {
  const petsWhere = async (condition: Sql, slice: Slice<'petId'>): Promise<readonly PetAtClose[]> => {
    const select = sql`SELECT t.pet_id AS "petId", (SELECT p.name FROM pets p WHERE p.id = t.pet_id) AS name, t.counted, t.expected,
      ${ofStock('quantity')} AS quantity, ${ofStock('reserved')} AS reserved FROM count_pets t`;
    return (await queries.all<Stored>(sliceOf(select, [condition], slice, sql`t.pet_id`))).map(toPetAtClose);
  };
  return {
    changing: (countId, missing, slice) => petsWhere(isChanging(countId, missing), slice),
    totalChanging: (countId, missing) => countRows(queries, sql`count_pets t`, isChanging(countId, missing)),
    atClose: (countId, missing, slice) => petsWhere(isAtClose(countId, missing), slice),
    setMissingToZero: async (countId) => {
      const missing =
        await queries.runAndCount(sql`UPDATE count_pets SET counted = 0, expected = s.quantity, counted_by = ${stamp.actor}, counted_at = ${stamp.at}
        FROM stock s WHERE count_pets.count_id = ${countId} AND count_pets.counted IS NULL AND s.pet_id = count_pets.pet_id`);
      const differing = await countRows(queries, sql`count_pets`, sql`count_id = ${countId} AND lines = 0 AND counted <> expected`);
      await queries.run(sql`UPDATE counts SET counted = counted + ${missing}, differing = differing + ${differing} WHERE id = ${countId}`);
    },
    markRefused: async (countId, pets) => {
      for (const code of new Set(pets.map((pet) => pet.code))) {
        const petIds = pets.flatMap((pet) => (pet.code === code ? [pet.petId] : []));
        for (const part of partsOf(petIds))
          await queries.run(sql`UPDATE count_pets SET refused = ${code} WHERE count_id = ${countId} AND pet_id IN ${list(part)}`);
      }
    },
    apply: async (countId, batchId) => {
      await queries.run(sql`INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, shortage)
        SELECT m.id + row_number() OVER (ORDER BY e.pet_id, e.place), e.kind, e.pet_id, e.delta, e.quantity_after, CAST(${batchId} AS BIGINT), e.shortage
        FROM (SELECT ${highest('ledger')} AS id) AS m CROSS JOIN (${closingEntries(countId)}) AS e`);
      await queries.run(sql`UPDATE stock SET quantity = stock.quantity + t.counted - t.expected FROM count_pets t
        WHERE t.count_id = ${countId} AND t.refused IS NULL AND t.counted <> t.expected AND stock.pet_id = t.pet_id`);
    },
  };
}
