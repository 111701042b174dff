import type { CountPet } from '../../domain/counts/count-pet.js';
import type { CountPetFilter, CountWriter, PetToCount, PetInOpenCount } from '../../domain/counts/count-table.js';
import type { Tally } from '../../domain/counts/count-rules.js';
import type { CategoryFigures } from '../../domain/counts/count.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { Queries } from '../queries.js';
import { all, list, sql, type Sql } from '../sql.js';
import { partsOf, selection, withoutNulls, type Columns, type Nullable } from './columns.js';
import { containing, idsQuery } from './pet-query.js';
import { countRows, sliceOf } from './slices.js';

/** A pet of a count as the database returns it. */
type Stored = Nullable<Omit<CountPet, 'countedAt' | 'state'>> & { readonly countedAt: number | null };

const columns: Columns<Stored> = {
  petId: sql`t.pet_id`,
  name: sql`p.name`,
  category: sql`c.name`,
  counted: sql`t.counted`,
  onHand: sql`s.quantity`,
  expected: sql`t.expected`,
  difference: sql`t.counted - t.expected`,
  countedBy: sql`t.counted_by`,
  countedAt: sql`t.counted_at`,
  lines: sql`t.lines`,
  refused: sql`t.refused`,
};

const tables = sql`count_pets t JOIN pets p ON p.id = t.pet_id JOIN categories c ON c.id = p.category_id LEFT JOIN stock s ON s.pet_id = t.pet_id`;

function toCountPet(row: Stored): CountPet {
  const { countedAt, counted, ...others } = row;
  const state = counted === null ? 'not-counted' : 'counted';
  return withoutNulls<CountPet>({ ...others, counted, state, countedAt: countedAt === null ? null : formatDateTime(countedAt) });
}

const conditions = {
  counted: sql`t.counted IS NOT NULL`,
  'not-counted': sql`t.counted IS NULL`,
  agreeing: sql`t.counted = t.expected`,
  differing: sql`t.counted <> t.expected`,
};

function matching(countId: number, { state, q, petId }: CountPetFilter): Sql {
  return all([sql`t.count_id = ${countId}`, state && conditions[state], petId !== undefined && sql`t.pet_id = ${petId}`, containing(q)]);
}

/** A pet as a line needs it, as the database returns it. */
interface StoredToCount {
  readonly petId: number;
  readonly name: string;
  readonly onHand: number | null;
  readonly lines: number | null;
  readonly counted: number | null;
  readonly expected: number | null;
  readonly by: string | null;
  readonly at: number | null;
}

function toPetToCount({ petId, name, onHand, lines, counted, expected, by, at }: StoredToCount): PetToCount {
  const isCounted = counted !== null && expected !== null && by !== null && at !== null;
  const tally: Tally | undefined = isCounted ? { counted, expected, by, at: formatDateTime(at), lines: lines ?? 0 } : undefined;
  return { petId, name, onHand: onHand ?? undefined, isInCount: lines !== null, tally };
}

const selectInOpenCounts = sql`SELECT t.pet_id AS "petId", p.name, t.count_id AS "countId" FROM count_pets t JOIN pets p ON p.id = t.pet_id WHERE t.open = 1`;

/** The pets of counts in one transaction. */
export function countPetTable(
  queries: Queries,
): Pick<CountWriter, 'pets' | 'totalPets' | 'categories' | 'inOpenCounts' | 'inOpenCountsAmong' | 'petsToCount' | 'addPets'> {
  return {
    pets: async (countId, filter, slice) => {
      const page = sliceOf(sql`SELECT ${selection(columns)} FROM ${tables}`, [matching(countId, filter)], slice, sql`t.pet_id`);
      return (await queries.all<Stored>(page)).map(toCountPet);
    },
    totalPets: (countId, filter) => countRows(queries, tables, matching(countId, filter)),
    categories: (countId) =>
      queries.all<CategoryFigures>(sql`SELECT c.id AS "categoryId", c.name AS category, f.pets, f.counted, f.counted - f.differing AS agreeing, f.differing FROM
        (SELECT p.category_id, count(*) AS pets, count(t.counted) AS counted, count(CASE WHEN t.counted <> t.expected THEN 1 END) AS differing
        FROM count_pets t JOIN pets p ON p.id = t.pet_id WHERE t.count_id = ${countId} GROUP BY p.category_id) AS f
        JOIN categories c ON c.id = f.category_id ORDER BY c.folded, c.id`),
    inOpenCounts: async (filter, limit) => {
      const isCounting = await queries.get(sql`SELECT id FROM counts WHERE state = 'open' LIMIT 1`);
      if (isCounting === undefined) return [];
      return queries.all<PetInOpenCount>(sql`${selectInOpenCounts} AND t.pet_id IN (${idsQuery(filter)}) ORDER BY t.pet_id LIMIT ${limit}`);
    },
    inOpenCountsAmong: async (petIds) => {
      const found: PetInOpenCount[] = [];
      for (const part of partsOf(petIds)) found.push(...(await queries.all<PetInOpenCount>(sql`${selectInOpenCounts} AND t.pet_id IN ${list(part)}`)));
      return found;
    },
    petsToCount: async (countId, petIds) => {
      // Look-ups for each pet: without statistics PostgreSQL would read the whole count for a join.
      const ofPet = (column: Sql): Sql => sql`(SELECT ${column} FROM count_pets t WHERE t.count_id = ${countId} AND t.pet_id = p.id)`;
      const found = new Map<number, PetToCount>();
      for (const part of partsOf(petIds)) {
        const rows = await queries.all<StoredToCount>(sql`SELECT p.id AS "petId", p.name, (SELECT s.quantity FROM stock s WHERE s.pet_id = p.id) AS "onHand",
          ${ofPet(sql`t.lines`)} AS lines, ${ofPet(sql`t.counted`)} AS counted, ${ofPet(sql`t.expected`)} AS expected, ${ofPet(sql`t.counted_by`)} AS "by",
          ${ofPet(sql`t.counted_at`)} AS "at" FROM pets p WHERE p.id IN ${list(part)}`);
        for (const row of rows) found.set(row.petId, toPetToCount(row));
      }
      return found;
    },
    addPets: async (countId, petIds) => {
      for (const part of partsOf(petIds))
        await queries.run(
          sql`INSERT INTO count_pets (count_id, pet_id, open, lines) SELECT CAST(${countId} AS BIGINT), p.id, 1, 0 FROM pets p WHERE p.id IN ${list(part)}`,
        );
      await queries.run(sql`UPDATE counts SET pets = pets + ${petIds.length} WHERE id = ${countId}`);
    },
  };
}
