import { reservedByPet } from '../tables/fragments.js';
import type Database from 'better-sqlite3';
import { StoreError } from '../../domain/errors.js';
import type { BulkStock, RecordedBatch, BulkStockChange, BulkOutcome, Queries } from '../engine.js';
import { stockPass, petRange, stagedColumns, type CurrentStock, type Tally } from '../bulk/stage-stock.js';
import type { Figure } from '../bulk/sorted-figures.js';
import { batchedInsert } from './insert.js';

/** Figures per chunk. */
const chunkRows = 1 << 13;

/** A private connection with temporary staging tables. */
export interface BulkConnection {
  readonly database: Database.Database;
  readonly queries: () => { readonly queries: Queries; readonly end: () => void };
  /** Takes the write lock; refuses with `store_busy`. */
  readonly begin: () => Promise<void>;
  readonly explain: (error: unknown) => unknown;
  readonly close: () => Promise<void>;
}

const stagingSchema = `
  CREATE TEMP TABLE staged (pet_id INTEGER NOT NULL, before INTEGER, after INTEGER, origin INTEGER NOT NULL, last INTEGER NOT NULL, shortage INTEGER, kind TEXT, note TEXT);
  CREATE TEMP TABLE changed (pet_id INTEGER PRIMARY KEY);`;

/** Reads the stock of the pets of a sorted chunk. */
function stockReader(database: Database.Database): (chunk: readonly Figure[]) => ReadonlyMap<number, CurrentStock> {
  const between = database
    .prepare<[number, number], [number, number, number | null]>('SELECT pet_id, quantity, low_at FROM stock WHERE pet_id BETWEEN ? AND ?')
    .raw();
  const one = database.prepare<[number], [number, number, number | null]>('SELECT pet_id, quantity, low_at FROM stock WHERE pet_id = ?').raw();
  const reservedBetween = database.prepare<[number, number], [number, number]>(reservedByPet({ text: 'pet_id BETWEEN ? AND ?', values: [] }).text).raw();
  const reservedOne = database.prepare<[number], [number, number]>(reservedByPet({ text: 'pet_id = ?', values: [] }).text).raw();
  return (chunk) => {
    const { low, high, dense } = petRange(chunk);
    const ids = dense ? [] : [...new Set(chunk.map(({ petId }) => petId))];
    const rows = dense ? between.all(low, high) : ids.flatMap((id) => one.all(id));
    const reserved = new Map(dense ? reservedBetween.all(low, high) : ids.flatMap((id) => reservedOne.all(id)));
    const stock = new Map<number, CurrentStock>();
    for (const [petId, quantity, lowAt] of rows) stock.set(petId, { quantity, reserved: reserved.get(petId) ?? 0, lowAt });
    return stock;
  };
}

/** Evaluates the figures, optionally only of the wanted pets, and stages the changes. */
function stageFigures(database: Database.Database, change: BulkStockChange, tally: Tally, wanted: ReadonlySet<number> | undefined): void {
  const stockOf = stockReader(database);
  const { add, flush } = batchedInsert(database, 'temp.staged', stagedColumns);
  const pass = stockPass(change, tally, wanted, chunkRows, add);
  for (const due of pass.chunks()) pass.evaluate(due, stockOf(due));
  pass.end();
  flush();
}

/** Evaluates again the pets that changed since staging; every change has a ledger entry. */
function restage(database: Database.Database, change: BulkStockChange, tally: Tally, since: number): void {
  if (database.prepare("SELECT 1 FROM ledger WHERE id > ? AND kind = 'shop.restored'").get(since) !== undefined)
    throw new StoreError('store_busy', 'The shop was restored from a backup in the meantime; nothing was changed.', {
      advice: 'Check the shop, then run the command again.',
    });
  const changed = database.prepare<[number], number>('SELECT DISTINCT pet_id FROM ledger WHERE id > ? AND pet_id IS NOT NULL').pluck().all(since);
  if (changed.length === 0) return;
  const mark = database.prepare('INSERT INTO temp.changed (pet_id) VALUES (?)');
  for (const petId of changed) mark.run(petId);
  database.exec('DELETE FROM temp.staged WHERE pet_id IN (SELECT pet_id FROM temp.changed)');
  const pets = new Set(changed);
  stageFigures(database, change, { ...tally, changes: [] }, pets);
}

function outcomeOf(database: Database.Database, { refused }: BulkStockChange, { due, alreadyApplied, petsNotNamed, changes }: Tally): BulkOutcome {
  const [applied = 0, toZero = 0] =
    database.prepare<[], [number, number]>('SELECT count(after), count(CASE WHEN after = 0 AND last = 1 THEN 1 END) FROM temp.staged').raw().get() ?? [];
  return { applied, unchanged: due - applied - refused.countProvisional(), alreadyApplied, petsNotNamed, toZero, changes };
}

/** Writes the staged rows: ledger entries ordered by pet, then quantities. */
function writeStaged(database: Database.Database, { kind }: BulkStockChange, { batchId, stamp }: RecordedBatch): void {
  const [column, origin] = kind === 'undo' ? ['reverses', 'CASE WHEN s.kind IS NULL THEN s.origin END'] : ['line', 's.origin'];
  // Unused columns are left out: with a trigger on the ledger SQLite first copies all rows with every named column.
  const [stampColumns, stampMarks] = stamp ? [', at, actor, source', ', ?, ?, ?'] : ['', ''];
  const stampValues = stamp ? [stamp.at, stamp.actor, stamp.source] : [];
  database
    .prepare(
      `INSERT INTO ledger (kind, pet_id, delta, quantity_after, batch_id, ${column}, shortage${stampColumns}, note)
       SELECT coalesce(s.kind, ?), s.pet_id, s.after - s.before, s.after, ?, ${origin}, s.shortage${stampMarks}, coalesce(s.note, ?)
       FROM temp.staged s ORDER BY s.rowid`,
    )
    .run(kind, batchId, ...stampValues, stamp?.note ?? null);
  // Every staged pet has a row, so this only updates; it is faster than UPDATE … FROM.
  database.exec(
    'INSERT INTO stock (pet_id, quantity) SELECT pet_id, after FROM temp.staged WHERE last = 1 ORDER BY rowid ON CONFLICT (pet_id) DO UPDATE SET quantity = excluded.quantity',
  );
}

/** Bulk stock changes, staged in temporary tables of a private connection. */
export function bulkStock({ database, queries, begin, explain, close }: BulkConnection): BulkStock {
  // In KiB. Figures are sorted by pet, so a small cache is enough.
  database.pragma('cache_size = -8192');
  database.pragma('temp.cache_size = -4096');
  database.exec(stagingSchema);
  const newestRow = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM ledger').pluck();
  const livePets = database.prepare<[], number>('SELECT count(*) FROM stock').pluck();
  let staged: { readonly change: BulkStockChange; readonly tally: Tally; readonly newest: number } | undefined;
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw explain(error);
    }
  };
  return {
    stage: async (change) =>
      guarded(() => {
        // The first read takes the snapshot. Only temporary tables are written, so the shop is not locked.
        database.exec('BEGIN');
        for (const table of ['staged', 'changed']) database.exec(`DELETE FROM temp.${table}`);
        change.refused.clearProvisional();
        const tally: Tally = { due: 0, alreadyApplied: 0, petsNotNamed: livePets.get() ?? 0, changes: [] };
        staged = { change, tally, newest: newestRow.get() ?? 0 };
        stageFigures(database, change, tally, undefined);
        database.exec('COMMIT');
        return outcomeOf(database, change, tally);
      }),
    apply: async (decide) => {
      if (staged === undefined) throw new Error('Nothing was staged.');
      const { change, tally, newest } = staged;
      await begin();
      const scope = queries();
      try {
        restage(database, change, tally, newest);
        const outcome = outcomeOf(database, change, tally);
        const decision = await decide(scope.queries, outcome);
        if (decision) writeStaged(database, change, decision);
        database.exec('COMMIT');
        return outcome;
      } catch (error) {
        if (database.inTransaction) database.exec('ROLLBACK');
        throw explain(error);
      } finally {
        scope.end();
      }
    },
    close,
  };
}
