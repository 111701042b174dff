import { StoreError } from '../../domain/errors.js';
import type { Queries, Work, WriteOptions } from '../queries.js';
import { sql, type Sql } from '../sql.js';
import { highestId } from '../tables/ids.js';
import type { BulkOutcome, BulkStockChange, RecordedBatch } from './bulk-port.js';
import { stageRows, type EvaluationTotals } from './stage-stock.js';
import { stagedRowAt, stagedRowColumns, stagedRowWidth, type StagedRows, type StagedTotals } from './staged-rows.js';

/** The rows that a bulk stock change writes to the ledger, in their order. */
export interface RowsToWrite extends Pick<BulkStockChange, 'kind' | 'notes'> {
  readonly blocks: StagedRows['blocks'];
}

/** What an engine does for a bulk import, on a connection that nothing else uses meanwhile. */
export interface BulkPort {
  /** Runs work in one write transaction, as `Engine.write` does. */
  readonly write: <T>(work: Work<T>, options?: WriteOptions) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** What an engine does for a bulk stock change. */
export interface StockPort extends BulkPort {
  /** Runs work on one read snapshot; again from the start after a lost connection. */
  readonly read: <T>(work: Work<T>) => Promise<T>;
  /** Inserts the rows into the ledger as entries of a batch, and sets the stock to the quantities that they state. */
  readonly insert: (queries: Queries, rows: RowsToWrite, batch: RecordedBatch) => Promise<void>;
}

/** The staged rows and the state of the shop they are based on. */
interface Staged {
  readonly change: BulkStockChange;
  readonly totals: EvaluationTotals;
  /** The newest ledger entry at that time. */
  readonly newest: number;
  readonly livePets: number;
  readonly rows: StagedRows;
}

/** Rows that replace those of pets that changed since they were staged. */
interface Restaged {
  readonly changedPets: ReadonlySet<number>;
  readonly rows: StagedRows;
}

/** Evaluates all rows on a snapshot. */
async function stageAll(queries: Queries, change: BulkStockChange): Promise<Staged> {
  change.refused.clearProvisional();
  const livePets = (await queries.get<{ readonly live: number }>(sql`SELECT count(*) AS live FROM stock`))?.live ?? 0;
  const totals: EvaluationTotals = { evaluated: 0, alreadyApplied: 0, notInFile: livePets, changes: [] };
  return { change, totals, livePets, newest: await highestId(queries, 'ledger'), rows: await stageRows(queries, change, totals, undefined) };
}

/** The pets that changed after a ledger entry. For DISTINCT alone SQLite would read its index of all pets, which the sign prevents, while the shop is locked. */
export function changedPets(newest: number): Sql {
  return sql`SELECT DISTINCT +pet_id FROM ledger WHERE id > ${newest} AND pet_id IS NOT NULL`;
}

/** Evaluates again the pets that changed since staging; every change has a ledger entry. */
async function restage(queries: Queries, { change, totals, newest }: Staged): Promise<Restaged | undefined> {
  if ((await queries.get(sql`SELECT 1 FROM ledger WHERE id > ${newest} AND kind = 'shop.restored'`)) !== undefined)
    throw new StoreError('store_busy', 'The shop was restored from a backup in the meantime; nothing was changed.', {
      advice: 'Check the shop, then run the command again.',
    });
  const changed = new Set((await queries.rows(changedPets(newest))).map(([petId]) => Number(petId)));
  return changed.size === 0 ? undefined : { changedPets: changed, rows: await stageRows(queries, change, { ...totals, changes: [] }, changed) };
}

/** The rows of a block that hold: those of pets that have not changed. */
function withoutPets(block: Readonly<Float64Array>, pets: ReadonlySet<number>): Readonly<Float64Array> {
  const held = new Float64Array(block.length);
  let filled = 0;
  for (let at = 0; at < block.length; at += stagedRowWidth) {
    if (pets.has(block[at + stagedRowColumns.petId] ?? 0)) continue;
    held.set(block.subarray(at, at + stagedRowWidth), filled);
    filled += stagedRowWidth;
  }
  return held.subarray(0, filled);
}

/** The rows to write; those that were staged again come last. */
function* blocksToWrite({ rows }: Staged, again: Restaged | undefined): Generator<Readonly<Float64Array>, void> {
  for (const block of rows.blocks()) yield again ? withoutPets(block, again.changedPets) : block;
  if (again) yield* again.rows.blocks();
}

/** What the rows to write do. */
function totalsOf(staged: Staged, again: Restaged | undefined): Readonly<StagedTotals> {
  if (again === undefined) return staged.rows.totals;
  const totals = { rows: 0, applied: 0, toZero: 0 };
  for (const block of blocksToWrite(staged, again)) {
    for (let at = 0; at < block.length; at += stagedRowWidth) {
      const { after, isLast } = stagedRowAt(block, at);
      totals.rows += 1;
      if (after !== null) totals.applied += 1;
      if (after === 0 && isLast) totals.toZero += 1;
    }
  }
  return totals;
}

function outcomeOf({ change, totals }: Staged, { rows, applied, toZero }: Readonly<StagedTotals>): BulkOutcome {
  const { evaluated, alreadyApplied, notInFile, changes } = totals;
  return { applied, entries: rows, unchanged: evaluated - applied - change.refused.countProvisional(), alreadyApplied, notInFile, toZero, changes };
}

/** A bulk stock change in two steps: staged privately without a lock on the shop, then applied in one short write transaction. */
export function bulkStock({ read, write, insert, close }: StockPort) {
  let staged: Staged | undefined;
  const discard = (): void => {
    staged?.rows.close();
    staged = undefined;
  };
  return {
    /** Evaluates the change on a read snapshot. Refused rows go to `change.refused`. Refuses with `store_full` when there is no room for staging. */
    stage: async (change: BulkStockChange): Promise<BulkOutcome> => {
      discard();
      staged = await read((queries) => stageAll(queries, change));
      return outcomeOf(staged, staged.rows.totals);
    },
    /**
     * Evaluates again the pets that changed since `stage`, then calls `decide`, which records the batch or returns undefined
     * to apply nothing. Refuses with `store_busy` when the lock is not released in time, or the shop was restored from a backup
     * since `stage`. A refusal changes nothing.
     */
    apply: (decide: (queries: Queries, outcome: BulkOutcome) => Promise<RecordedBatch | undefined>): Promise<BulkOutcome> =>
      write(async (queries) => {
        if (staged === undefined) throw new Error('Nothing was staged.');
        const present = staged;
        const again = await restage(queries, present);
        try {
          const outcome = outcomeOf(present, totalsOf(present, again));
          const batch = await decide(queries, outcome);
          const { kind, notes } = present.change;
          if (batch) await insert(queries, { kind, notes, blocks: () => blocksToWrite(present, again) }, batch);
          return outcome;
        } finally {
          again?.rows.close();
        }
      }),
    close: async () => {
      discard();
      await close();
    },
  };
}

/** A bulk stock change that an engine has opened. */
export type BulkStock = ReturnType<typeof bulkStock>;
