import type { BulkStockChange, RecordedBatch } from '../bulk/bulk-port.js';
import type { RowsToWrite, StockPort } from '../bulk/bulk-stock.js';
import { stagedRowAt, stagedRowWidth, type StagedRows } from '../bulk/staged-rows.js';
import type { Engine, TableLayout } from '../engine.js';
import { stagedRowsLost } from '../errors.js';
import type { Cell, Queries } from '../queries.js';
import { sql } from '../sql.js';
import { copyLine } from './copy-rows.js';
import { arrayOf, insertRows } from './insert.js';
import type { Staging } from './staging.js';
import { withPlanner } from './statements.js';

/** A change of more than this part of all pets updates them in the order of their ids, which reads every page once. */
const largePart = 0.1;

const stagedMovesLayout = {
  name: 'staged_moves',
  columns: {
    run: 'text',
    number: 'number',
    pet_id: 'number',
    before: 'number',
    after: 'number',
    line_or_entry: 'number',
    superseded: 'number',
    shortage: 'number',
    kind: 'text',
    note: 'text',
  },
} as const satisfies TableLayout;

/** The cells of staged rows in the order of `stagedMovesLayout`, in blocks, numbered after `last`. */
function* cellsOf(run: string, { blocks }: StagedRows, notes: BulkStockChange['notes'], last: number): Generator<readonly (readonly Cell[])[], void> {
  let number = last;
  for (const block of blocks()) {
    const cells: Cell[][] = [];
    for (let at = 0; at < block.length; at += stagedRowWidth) {
      const { petId, before, after, lineOrEntry, isLast, isShortage, kind, note } = stagedRowAt(block, at);
      number += 1;
      cells.push([run, number, petId, before, after, lineOrEntry, isLast ? null : 1, isShortage ? 1 : null, kind, note === 0 ? null : notes.at(note)]);
    }
    yield cells;
  }
}

/** Sends staged rows as lines of COPY under a new name, and checks that all were stored. */
async function sendRows(staging: Staging, rows: StagedRows, notes: BulkStockChange['notes']): Promise<void> {
  staging.beginRun();
  await staging.connected(async ({ copy }) => {
    const { write, end } = copy(Object.keys(stagedMovesLayout.columns));
    for (const cells of cellsOf(staging.run(), rows, notes, 0)) await write(cells.map(copyLine).join(''));
    const stored = await end();
    if (stored !== rows.totals.rows) throw stagedRowsLost(staging.where, rows.totals.rows, stored);
  });
}

/** Inserts the rows that were sent: ledger entries ordered by pet, then quantities. */
async function insertSent(
  queries: Queries,
  staging: Staging,
  { kind, notes, count, changedPets, again, livePets }: RowsToWrite,
  { batchId, stamp }: RecordedBatch,
  sent: number,
): Promise<void> {
  const run = staging.run();
  if (again) {
    await queries.run(sql`DELETE FROM staged_moves WHERE run = ${run} AND pet_id = ANY(CAST(${arrayOf('number', [...changedPets])} AS BIGINT[]))`);
    for (const cells of cellsOf(run, again, notes, sent)) await insertRows(queries, stagedMovesLayout, cells);
  }
  const number = again ? sql`row_number() OVER (ORDER BY s.number)` : sql`s.number`;
  const [column, lineOrEntry] = kind === 'undo' ? [sql`reverses`, sql`CASE WHEN s.kind IS NULL THEN s.line_or_entry END`] : [sql`line`, sql`s.line_or_entry`];
  const written =
    await queries.runAndCount(sql`INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, ${column}, shortage, at, actor, source, note)
    SELECT (SELECT coalesce(max(id), 0) FROM ledger) + ${number}, coalesce(s.kind, ${kind}), s.pet_id, s.after - s.before, s.after, CAST(${batchId} AS BIGINT), ${lineOrEntry}, s.shortage,
    CAST(${stamp?.at ?? null} AS BIGINT), CAST(${stamp?.actor ?? null} AS TEXT), CAST(${stamp?.source ?? null} AS TEXT), coalesce(s.note, CAST(${stamp?.note ?? null} AS TEXT))
    FROM staged_moves s WHERE s.run = ${run}`);
  if (written !== count) throw stagedRowsLost(staging.where, count, written);
  const isLarge = count > livePets * largePart;
  await withPlanner(queries, isLarge ? ['enable_nestloop', 'enable_hashjoin'] : ['enable_memoize'], async () => {
    await queries.run(sql`UPDATE stock SET quantity = s.after FROM staged_moves s
      WHERE s.run = ${run} AND s.kind IS NULL AND s.superseded IS NULL AND stock.pet_id = s.pet_id`);
  });
}

/** Bulk stock changes, sent as private rows of a table. */
export function stockPort({ read, write }: Pick<Engine, 'read' | 'write'>, staging: Staging): StockPort {
  const repeated = <T>(attempt: () => Promise<T>): Promise<T> =>
    staging.untilConnected(attempt).catch((error: unknown) => {
      throw staging.explain(error);
    });
  let [sent, inserted] = [0, 0];
  return {
    read: (work) => repeated(() => read(work)),
    write,
    send: async (rows, notes) => {
      await repeated(() => sendRows(staging, rows, notes));
      sent = rows.totals.rows;
    },
    insert: async (queries, rows, batch) => {
      await insertSent(queries, staging, rows, batch, sent);
      inserted = rows.count;
    },
    close: () => staging.close(inserted),
  };
}
