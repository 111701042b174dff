import type { Count } from '../../domain/counts/count.js';
import { figuresChange } from '../../domain/counts/count-rules.js';
import type { CountFilter, CountWriter } from '../../domain/counts/count-table.js';
import type { PetFilter } from '../../domain/pets/pet-filter.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { Queries } from '../queries.js';
import { columnsOf } from '../migrations/migrations.js';
import { sql, type Sql } from '../sql.js';
import { partsOf, selection, valuesTable, withoutNulls, type Columns, type Nullable } from './columns.js';
import { countClosing } from './count-closing.js';
import { countLineTable } from './count-line-table.js';
import { countPetTable } from './count-pet-table.js';
import type { Stamp } from './ledger-table.js';
import { idsQuery } from './pet-query.js';
import { insertReturningId, nextId } from './ids.js';
import { countRows, sliceOf } from './slices.js';

/** A count as the database returns it; times are in ms since 1970. */
type Stored = Nullable<Omit<Count, 'startedAt' | 'endedAt' | 'blind'>> & {
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly blind: 0 | 1;
};

const columns: Columns<Stored> = {
  id: sql`id`,
  state: sql`state`,
  blind: sql`blind`,
  note: sql`note`,
  startedBy: sql`started_by`,
  startedAt: sql`started_at`,
  endedBy: sql`ended_by`,
  endedAt: sql`ended_at`,
  pets: sql`pets`,
  counted: sql`counted`,
  agreeing: sql`counted - differing`,
  differing: sql`differing`,
  batchId: sql`batch_id`,
};

const select = sql`SELECT ${selection(columns)} FROM counts`;

function toCount(row: Stored): Count {
  const { blind, startedAt, endedAt } = row;
  return withoutNulls<Count>({
    ...row,
    blind: blind === 1,
    startedAt: formatDateTime(startedAt),
    endedAt: endedAt === null ? null : formatDateTime(endedAt),
  });
}

function matching({ state }: CountFilter): Sql | undefined {
  return state && sql`state = ${state}`;
}

/** Starts a count of the pets that match a filter, and returns its id. */
async function insertCount(queries: Queries, stamp: Stamp, { blind, note }: Pick<Count, 'blind' | 'note'>, filter: PetFilter): Promise<number> {
  const row = {
    id: nextId('counts'),
    state: 'open',
    blind: blind ? 1 : 0,
    note: note ?? stamp.note ?? null,
    started_by: stamp.actor,
    started_at: stamp.at,
    ended_by: null,
    ended_at: null,
    pets: 0,
    counted: 0,
    differing: 0,
    batch_id: null,
  };
  const id = await insertReturningId(queries, 'counts', row);
  const pets = await queries.runAndCount(
    sql`INSERT INTO count_pets (count_id, pet_id, open, lines) SELECT CAST(${id} AS BIGINT), found.id, 1, 0 FROM (${idsQuery(filter)}) AS found`,
  );
  await queries.run(sql`UPDATE counts SET pets = ${pets} WHERE id = ${id}`);
  return id;
}

/** The counts of one transaction. */
export function countTable(queries: Queries, stamp: Stamp): CountWriter {
  return {
    get: async (id) => {
      const found = await queries.get<Stored>(sql`${select} WHERE id = ${id}`);
      return found && toCount(found);
    },
    list: async (filter, slice) => (await queries.all<Stored>(sliceOf(select, [matching(filter)], slice, sql`id`))).map(toCount),
    count: (filter) => countRows(queries, sql`counts`, matching(filter)),
    insert: (draft, filter) => insertCount(queries, stamp, draft, filter),
    setTallies: async (countId, changes) => {
      let [counted, differing] = [0, 0];
      for (const { before, after } of changes.values()) {
        const figures = figuresChange(before, after);
        counted += figures.counted;
        differing += figures.differing;
      }
      for (const part of partsOf([...changes])) {
        const rows = part.map(([petId, { after }]) => ({
          pet_id: petId,
          counted: after?.counted,
          expected: after?.expected,
          counted_by: after?.by,
          counted_at: after && Date.parse(after.at),
          lines: after?.lines ?? 0,
        }));
        await queries.run(sql`WITH ${valuesTable('t', rows, columnsOf('count_pets'))} UPDATE count_pets SET counted = t.counted, expected = t.expected,
          counted_by = t.counted_by, counted_at = t.counted_at, lines = t.lines FROM t WHERE count_pets.count_id = ${countId} AND count_pets.pet_id = t.pet_id`);
      }
      if (counted === 0 && differing === 0) return;
      await queries.run(sql`UPDATE counts SET counted = counted + ${counted}, differing = differing + ${differing} WHERE id = ${countId}`);
    },
    end: async (countId, ending) => {
      const batchId = ending.state === 'closed' ? ending.batchId : null;
      await queries.run(
        sql`UPDATE counts SET state = ${ending.state}, batch_id = ${batchId}, ended_by = ${stamp.actor}, ended_at = ${stamp.at} WHERE id = ${countId}`,
      );
      await queries.run(sql`UPDATE count_pets SET open = 0 WHERE count_id = ${countId}`);
    },
    // Last: V8 adds each member after a spread to the object slowly.
    ...countPetTable(queries),
    ...countLineTable(queries, stamp),
    ...countClosing(queries, stamp),
  };
}
