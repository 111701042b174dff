import type Database from 'better-sqlite3';
import { duplicateRow, quantityAfter } from '../../domain/stock-imports.js';
import { available, isLow } from '../../domain/stock.js';
import type { Bulk, Moves, Outcome, Queries } from '../engine.js';
import type { Figure } from '../runs.js';

/** Sorted figures that are worked out together. */
const chunkRows = 1 << 13;
/** Staged rows in one statement: fewer cost more calls, more cost more compiling. */
const rowsPerInsert = 40;
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
  /** Different live pets among them. */
  pets: number;
  readonly changes: Outcome['changes'][number][];
}

/** A private connection that stages moves in temporary tables and applies them with a handful of statements. */
export interface BulkConnection {
  readonly database: Database.Database;
  readonly queries: () => { readonly queries: Queries; readonly end: () => void };
  /** Takes the write lock, waiting for it as long as the settings say. */
  readonly begin: () => Promise<void>;
  readonly explain: (error: unknown) => unknown;
}

const stagingSchema = `
  CREATE TEMP TABLE staged (pet_id INTEGER NOT NULL, before INTEGER NOT NULL, after INTEGER NOT NULL, origin INTEGER NOT NULL, last INTEGER NOT NULL, shortage INTEGER);
  CREATE TEMP TABLE crossings (pet_id INTEGER NOT NULL, kind TEXT NOT NULL, origin INTEGER NOT NULL);
  CREATE TEMP TABLE notes (origin INTEGER PRIMARY KEY, note TEXT NOT NULL);
  CREATE TEMP TABLE changed (pet_id INTEGER PRIMARY KEY);`;

/** Reads the stock of the pets of a sorted chunk. */
function stockReader(database: Database.Database): (chunk: readonly Figure[]) => ReadonlyMap<number, Current> {
  const between = database.prepare<[number, number], [number, number, number | null]>('SELECT pet_id, quantity, low_at FROM stock WHERE pet_id BETWEEN ? AND ?').raw();
  const one = database.prepare<[number], [number, number, number | null]>('SELECT pet_id, quantity, low_at FROM stock WHERE pet_id = ?').raw();
  const promisedBetween = database
    .prepare<[number, number], [number, number]>("SELECT pet_id, sum(quantity) FROM orders WHERE state = 'open' AND pet_id BETWEEN ? AND ? GROUP BY pet_id")
    .raw();
  const promisedOne = database.prepare<[number], [number, number]>("SELECT pet_id, sum(quantity) FROM orders WHERE state = 'open' AND pet_id = ? GROUP BY pet_id").raw();
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

type StagedRow = [petId: number, before: number, after: number, origin: number, last: 0 | 1, shortage: 1 | null];

/** Inserts staged rows, many in one statement; of the rows of a pet, which come in a row, the last one is marked. */
function stager(database: Database.Database): { readonly add: (row: StagedRow) => void; readonly flush: () => void } {
  const compile = (rows: number): Database.Statement =>
    database.prepare(`INSERT INTO temp.staged (pet_id, before, after, origin, last, shortage) VALUES ${Array.from({ length: rows }, () => '(?,?,?,?,?,?)').join(',')}`);
  const full = compile(rowsPerInsert);
  let values: (number | null)[] = [];
  let rows = 0;
  let held: StagedRow | undefined;
  const push = (row: StagedRow): void => {
    values.push(...row);
    rows += 1;
    if (rows < rowsPerInsert) return;
    full.run(values);
    values = [];
    rows = 0;
  };
  return {
    add: (row) => {
      if (held && held[0] === row[0]) held[4] = 0;
      if (held) push(held);
      held = row;
    },
    flush: () => {
      if (held) push(held);
      if (rows > 0) compile(rows).run(values);
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

/** The line of another counted quantity for the same pet, before or after this one. */
function twinOf(figures: readonly Figure[], index: number): number | undefined {
  const petId = figures[index]?.petId;
  return [figures[index - 1], figures[index + 1]].find((other) => other?.petId === petId)?.origin;
}

interface Stage {
  readonly database: Database.Database;
  readonly moves: Moves;
  readonly tally: Tally;
  readonly rows: ReturnType<typeof stager>;
  readonly crossing: Database.Statement;
}

/** Works out one figure and stages what it changes; `current` then holds the new quantity. */
function stageFigure({ moves, tally, rows, crossing }: Stage, figure: Figure, current: Current | undefined, twin: number | undefined): void {
  const { kind, policy, refused, onMove } = moves;
  const { petId, origin, place } = figure;
  if (twin !== undefined) return refused.addForNow(petId, { place, error: duplicateRow(petId, origin, twin) });
  const after = quantityAfter(kind, figure, current, policy);
  if (typeof after === 'object') return refused.addForNow(petId, { place, error: { line: origin, petId, ...after } });
  if (current === undefined) return;
  onMove?.(place, after !== current.quantity);
  if (after === current.quantity) return;
  if (tally.changes.length < shownChanges) tally.changes.push({ petId, before: current.quantity, after });
  const next = { ...current, quantity: after };
  if (isLow(current) !== isLow(next)) crossing.run(petId, isLow(next) ? 'inventory.low' : 'inventory.restocked', origin);
  rows.add([petId, current.quantity, after, origin, 1, available(next) < 0 ? 1 : null]);
  current.quantity = after;
}

/** Works out the sorted figures, of the wanted pets only where any are named, one after the other. */
function stageFigures(database: Database.Database, moves: Moves, tally: Tally, wanted: ReadonlySet<number> | undefined): void {
  const stockOf = stockReader(database);
  const rows = stager(database);
  const crossing = database.prepare('INSERT INTO temp.crossings (pet_id, kind, origin) VALUES (?, ?, ?)');
  const stage: Stage = { database, moves, tally, rows, crossing };
  for (const chunk of wholePets(moves.figures.chunks(chunkRows))) {
    const due = chunk.filter(({ petId, place }) => (wanted === undefined || wanted.has(petId)) && !moves.skip(place));
    if (due.length === 0) continue;
    tally.due += due.length;
    const stock = stockOf(due);
    let lastPet = 0;
    for (const [index, figure] of due.entries()) {
      const current = stock.get(figure.petId);
      if (current && figure.petId !== lastPet) tally.pets += 1;
      lastPet = figure.petId;
      stageFigure(stage, figure, current, moves.kind === 'count' ? twinOf(due, index) : undefined);
    }
  }
  rows.flush();
}

/** Works out again the figures of pets that changed after they were staged; every change has its ledger row. */
function restage(database: Database.Database, moves: Moves, tally: Tally, since: number): void {
  const changed = database.prepare<[number], number>('SELECT DISTINCT pet_id FROM ledger WHERE id > ? AND pet_id IS NOT NULL').pluck().all(since);
  if (changed.length === 0) return;
  const mark = database.prepare('INSERT INTO temp.changed (pet_id) VALUES (?)');
  for (const petId of changed) mark.run(petId);
  for (const table of ['staged', 'crossings']) database.exec(`DELETE FROM temp.${table} WHERE pet_id IN (SELECT pet_id FROM temp.changed)`);
  const pets = new Set(changed);
  moves.refused.reconsider(pets);
  stageFigures(database, moves, { ...tally, changes: [] }, pets);
}

function outcomeOf(database: Database.Database, { refused }: Moves, { due, pets, changes }: Tally): Outcome {
  const [applied = 0, toZero = 0] = database.prepare<[], [number, number]>('SELECT count(*), count(CASE WHEN after = 0 AND last = 1 THEN 1 END) FROM temp.staged').raw().get() ?? [];
  return { applied, unchanged: due - applied - refused.countForNow(), pets, toZero, changes };
}

/** Writes what was staged: the ledger rows in the order of the pets, then the quantities, then the crossings. */
function write(database: Database.Database, { kind, notes }: Moves, batchId: number): void {
  const origin = kind === 'undo' ? 'reverses' : 'line';
  const note = notes.size > 0 ? '(SELECT n.note FROM temp.notes n WHERE n.origin = s.origin)' : 'NULL';
  database
    .prepare(
      `INSERT INTO ledger (kind, pet_id, delta, quantity_after, batch_id, ${origin}, shortage, note)
       SELECT ?, s.pet_id, s.after - s.before, s.after, ?, s.origin, s.shortage, ${note} FROM temp.staged s ORDER BY s.rowid`,
    )
    .run(kind, batchId);
  // "+" keeps the staged rows, which are few beside the stock, on the outside of the join.
  database.exec('UPDATE stock SET quantity = s.after FROM temp.staged s WHERE s.last = 1 AND stock.pet_id = +s.pet_id');
  database.prepare('INSERT INTO ledger (kind, pet_id, batch_id, line) SELECT kind, pet_id, ?, origin FROM temp.crossings').run(batchId);
}

/** Opens the bulk port on a private connection. */
export function bulkOf({ database, queries, begin, explain }: BulkConnection): Bulk {
  database.exec(stagingSchema);
  const newestRow = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM ledger').pluck();
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
        const tally: Tally = { due: 0, pets: 0, changes: [] };
        // The first read fixes the snapshot; nothing but temporary tables is written, so the shop stays unlocked.
        database.exec('BEGIN');
        for (const table of ['staged', 'crossings', 'notes', 'changed']) database.exec(`DELETE FROM temp.${table}`);
        staged = { moves, tally, newest: newestRow.get() ?? 0 };
        const keep = database.prepare('INSERT INTO temp.notes (origin, note) VALUES (?, ?)');
        for (const [origin, text] of moves.notes) keep.run(origin, text);
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
        const batchId = await decide(scope.queries, outcome);
        if (batchId !== undefined) write(database, moves, batchId);
        database.exec('COMMIT');
        return outcome;
      } catch (error) {
        if (database.inTransaction) database.exec('ROLLBACK');
        throw explain(error);
      } finally {
        scope.end();
      }
    },
    close: () => database.close(),
  };
}
