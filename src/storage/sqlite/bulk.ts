import type Database from 'better-sqlite3';
import { duplicateRow, quantityAfter } from '../../domain/stock-imports.js';
import type { LedgerKind } from '../../domain/ledger.js';
import { available, isLow } from '../../domain/stock.js';
import type { Bulk, Decision, Moves, Outcome, Queries } from '../engine.js';
import type { Figure } from '../runs.js';
import { batched } from './batched.js';

/** Sorted figures that are worked out together. */
const chunkRows = 1 << 13;
/** Where a chunk's pets lie at most so far apart, all stock between them is read in one sweep. */
const denseSpread = 4;
const shownChanges = 20;

/** The stock of a pet as the moves find it; `quantity` follows them. */
interface Current {
  quantity: number;
  readonly promised: number;
  readonly lowAt: number | null;
}

/** What one pass over the figures counts; the rest is counted from what was staged. */
interface Tally {
  /** Figures that an earlier run has not applied. */
  due: number;
  /** Live pets that are not named. */
  others: number;
  readonly changes: Outcome['changes'][number][];
}

/** A private connection that stages moves in temporary tables and applies them with a handful of statements. */
export interface BulkConnection {
  readonly database: Database.Database;
  readonly queries: () => { readonly queries: Queries; readonly end: () => void };
  /** Takes the write lock, waiting for it as long as the settings say. */
  readonly begin: () => Promise<void>;
  readonly explain: (error: unknown) => unknown;
  readonly close: () => Promise<void>;
}

const stagingSchema = `
  CREATE TEMP TABLE staged (pet_id INTEGER NOT NULL, before INTEGER, after INTEGER, origin INTEGER NOT NULL, last INTEGER NOT NULL, shortage INTEGER, kind TEXT, note TEXT);
  CREATE TEMP TABLE changed (pet_id INTEGER PRIMARY KEY);`;

/** Reads the stock of the pets of a sorted chunk. */
function stockReader(database: Database.Database): (chunk: readonly Figure[]) => ReadonlyMap<number, Current> {
  const between = database
    .prepare<[number, number], [number, number, number | null]>('SELECT pet_id, quantity, low_at FROM stock WHERE pet_id BETWEEN ? AND ?')
    .raw();
  const one = database.prepare<[number], [number, number, number | null]>('SELECT pet_id, quantity, low_at FROM stock WHERE pet_id = ?').raw();
  const promisedBetween = database
    .prepare<[number, number], [number, number]>("SELECT pet_id, sum(quantity) FROM orders WHERE state = 'open' AND pet_id BETWEEN ? AND ? GROUP BY pet_id")
    .raw();
  const promisedOne = database
    .prepare<[number], [number, number]>("SELECT pet_id, sum(quantity) FROM orders WHERE state = 'open' AND pet_id = ? GROUP BY pet_id")
    .raw();
  return (chunk) => {
    const low = chunk[0]?.petId ?? 0;
    const high = chunk.at(-1)?.petId ?? 0;
    const dense = high - low < chunk.length * denseSpread;
    const ids = dense ? [] : [...new Set(chunk.map(({ petId }) => petId))];
    const rows = dense ? between.all(low, high) : ids.flatMap((id) => one.all(id));
    const promised = new Map(dense ? promisedBetween.all(low, high) : ids.flatMap((id) => promisedOne.all(id)));
    const stock = new Map<number, Current>();
    for (const [petId, quantity, lowAt] of rows) stock.set(petId, { quantity, promised: promised.get(petId) ?? 0, lowAt });
    return stock;
  };
}

/** A move, or the crossing of the low level that follows from it, which has no figures but a kind of its own. */
type StagedRow = [
  petId: number,
  before: number | null,
  after: number | null,
  origin: number,
  last: 0 | 1,
  shortage: 1 | null,
  kind: LedgerKind | null,
  note: string | null,
];

/** Inserts staged rows, many in one statement; of the rows of a pet, which come in a row, the last one is marked. */
function stager(database: Database.Database): { readonly add: (row: StagedRow) => void; readonly flush: () => void } {
  const { add: push, flush } = batched(database, 'temp.staged', ['pet_id', 'before', 'after', 'origin', 'last', 'shortage', 'kind', 'note']);
  let held: StagedRow[] = [];
  return {
    add: (row) => {
      if (row[6] !== null) {
        held.push(row);
        return;
      }
      for (const one of held) {
        if (one[0] === row[0]) one[4] = 0;
        push(one);
      }
      held = [row];
    },
    flush: () => {
      for (const one of held) push(one);
      flush();
    },
  };
}

/** The same chunks cut so that all figures of a pet are in one. */
function* wholePets(chunks: Iterable<readonly Figure[]>): Generator<readonly Figure[], void> {
  let carried: readonly Figure[] = [];
  for (const chunk of chunks) {
    const joined = carried.length === 0 ? chunk : [...carried, ...chunk];
    const lastPet = joined.at(-1)?.petId;
    let end = joined.length;
    while (end > 0 && joined[end - 1]?.petId === lastPet) end -= 1;
    if (end > 0) yield joined.slice(0, end);
    carried = joined.slice(end);
  }
  if (carried.length > 0) yield carried;
}

/** The line of the first other counted quantity for the same pet; `start` is where the figures of the pet begin. */
function twinOf(figures: readonly Figure[], start: number, index: number): number | undefined {
  const other = figures[index === start ? index + 1 : start];
  return other?.petId === figures[index]?.petId ? other?.origin : undefined;
}

interface Stage {
  readonly moves: Moves;
  readonly tally: Tally;
  readonly rows: ReturnType<typeof stager>;
}

/** Works out one figure and stages what it changes; `current` then holds the new quantity. */
function stageFigure({ moves, tally, rows }: Stage, figure: Figure, current: Current | undefined, twin: number | undefined): void {
  const { kind, policy, refused, notes, onMove } = moves;
  const { petId, origin, place } = figure;
  if (twin !== undefined) return refused.addForNow(petId, { place, error: duplicateRow(petId, origin, twin) });
  const after = quantityAfter(kind, figure, current, policy);
  if (typeof after === 'object') return refused.addForNow(petId, { place, error: { line: origin, petId, ...after } });
  if (current === undefined) return;
  onMove?.(place, after !== current.quantity);
  if (after === current.quantity) return;
  if (tally.changes.length < shownChanges) tally.changes.push({ petId, before: current.quantity, after });
  const next = { ...current, quantity: after };
  const note = notes.get(place) ?? null;
  rows.add([petId, current.quantity, after, origin, 1, available(next) < 0 ? 1 : null, null, note]);
  if (isLow(current) !== isLow(next)) rows.add([petId, null, null, origin, 0, null, isLow(next) ? 'inventory.low' : 'inventory.restocked', note]);
  current.quantity = after;
}

/** Works out the sorted figures, of the wanted pets only where any are named, one after the other. */
function stageFigures(database: Database.Database, moves: Moves, tally: Tally, wanted: ReadonlySet<number> | undefined): void {
  const stockOf = stockReader(database);
  const rows = stager(database);
  const stage: Stage = { moves, tally, rows };
  const named = new Set(moves.named);
  for (const chunk of wholePets(moves.figures.chunks(chunkRows))) {
    const due = chunk.filter(({ petId, place }) => (wanted === undefined || wanted.has(petId)) && !moves.skip(place));
    if (due.length === 0) continue;
    tally.due += due.length;
    const stock = stockOf(due);
    let start = 0;
    for (const [index, figure] of due.entries()) {
      const { petId } = figure;
      const current = stock.get(petId);
      if (petId !== due[start]?.petId) start = index;
      if (current && start === index) tally.others -= 1;
      if (named.size > 0) named.delete(petId);
      stageFigure(stage, figure, current, moves.kind === 'count' ? twinOf(due, start, index) : undefined);
    }
  }
  rows.flush();
  const live = database.prepare('SELECT 1 FROM stock WHERE pet_id = ?');
  for (const petId of named) if (live.get(petId) !== undefined) tally.others -= 1;
}

/** Works out again the figures of pets that changed after they were staged; every change has its ledger row. */
function restage(database: Database.Database, moves: Moves, tally: Tally, since: number): void {
  const changed = database.prepare<[number], number>('SELECT DISTINCT pet_id FROM ledger WHERE id > ? AND pet_id IS NOT NULL').pluck().all(since);
  if (changed.length === 0) return;
  const mark = database.prepare('INSERT INTO temp.changed (pet_id) VALUES (?)');
  for (const petId of changed) mark.run(petId);
  database.exec('DELETE FROM temp.staged WHERE pet_id IN (SELECT pet_id FROM temp.changed)');
  const pets = new Set(changed);
  moves.refused.reconsider(pets);
  stageFigures(database, moves, { ...tally, changes: [] }, pets);
}

function outcomeOf(database: Database.Database, { refused }: Moves, { due, others, changes }: Tally): Outcome {
  const [applied = 0, toZero = 0] =
    database.prepare<[], [number, number]>('SELECT count(after), count(CASE WHEN after = 0 AND last = 1 THEN 1 END) FROM temp.staged').raw().get() ?? [];
  return { applied, unchanged: due - applied - refused.countForNow(), others, toZero, changes };
}

/** Writes what was staged: the ledger rows in the order of the pets, then the quantities. */
function write(database: Database.Database, { kind }: Moves, { batchId, stamp }: Decision): void {
  const [column, origin] = kind === 'undo' ? ['reverses', 'CASE WHEN s.kind IS NULL THEN s.origin END'] : ['line', 's.origin'];
  database
    .prepare(
      `INSERT INTO ledger (kind, pet_id, delta, quantity_after, batch_id, ${column}, shortage, at, actor, source, note)
       SELECT coalesce(s.kind, ?), s.pet_id, s.after - s.before, s.after, ?, ${origin}, s.shortage, ?, ?, ?, coalesce(s.note, ?)
       FROM temp.staged s ORDER BY s.rowid`,
    )
    .run(kind, batchId, stamp?.at ?? null, stamp?.actor ?? null, stamp?.source ?? null, stamp?.note ?? null);
  // Every staged pet has its row, so that this only updates; it takes less time than UPDATE … FROM.
  database.exec(
    'INSERT INTO stock (pet_id, quantity) SELECT pet_id, after FROM temp.staged WHERE last = 1 ORDER BY rowid ON CONFLICT (pet_id) DO UPDATE SET quantity = excluded.quantity',
  );
}

/** Opens the bulk port on a private connection. */
export function bulkOf({ database, queries, begin, explain, close }: BulkConnection): Bulk {
  // The figures come sorted, so a small cache does, and the memory stays the same for any number of rows.
  database.pragma('cache_size = -8192');
  database.pragma('temp.cache_size = -4096');
  database.exec(stagingSchema);
  const newestRow = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM ledger').pluck();
  const livePets = database.prepare<[], number>('SELECT count(*) FROM stock').pluck();
  let staged: { readonly moves: Moves; readonly tally: Tally; readonly newest: number } | undefined;
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw explain(error);
    }
  };
  return {
    stage: async (moves) =>
      guarded(() => {
        // The first read fixes the snapshot; nothing but temporary tables is written, so the shop stays unlocked.
        database.exec('BEGIN');
        for (const table of ['staged', 'changed']) database.exec(`DELETE FROM temp.${table}`);
        moves.refused.reconsider();
        const tally: Tally = { due: 0, others: livePets.get() ?? 0, changes: [] };
        staged = { moves, tally, newest: newestRow.get() ?? 0 };
        stageFigures(database, moves, tally, undefined);
        database.exec('COMMIT');
        return outcomeOf(database, moves, tally);
      }),
    apply: async (decide) => {
      if (staged === undefined) throw new Error('Nothing was staged.');
      const { moves, tally, newest } = staged;
      await begin();
      const scope = queries();
      try {
        restage(database, moves, tally, newest);
        const outcome = outcomeOf(database, moves, tally);
        const decision = await decide(scope.queries, outcome);
        if (decision) write(database, moves, decision);
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
