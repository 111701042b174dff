import { reservedByPet } from '../tables/fragments.js';
import type { BulkStock, RecordedBatch, Engine, BulkStockChange, BulkOutcome, Queries } from '../engine.js';
import { petIdsIn, petRange, type FigureBlock } from '../bulk/figure-blocks.js';
import { movementRow, stockPass, type Pass, type StagedRow, type StockOfPets, type Tally } from '../bulk/stage-stock.js';
import { stagedRowsLost } from '../errors.js';
import { numbersIn } from '../bulk/number-list.js';
import { join, sql, type Sql } from '../sql.js';
import { arrayText, numbersText, textCell, textsText, type Staging } from './staging.js';

/** Figures per block. */
const chunkRows = 1 << 13;
/** Staged rows per table row: as many as fit in 2 kB, because PostgreSQL compresses larger rows, which takes longer. */
const rowsTogether = 48;

/** Counts of the staged rows. */
interface Counts {
  readonly rows: number;
  readonly applied: number;
  readonly toZero: number;
}

const nothing: Counts = { rows: 0, applied: 0, toZero: 0 };

/** The staged rows and the state of the shop they are based on. */
interface Staged extends Counts {
  readonly change: BulkStockChange;
  readonly tally: Tally;
  /** The newest ledger entry at that time. */
  readonly newest: number;
  readonly chunks: number;
}

interface StoredStock {
  readonly pets: string | null;
  readonly quantities: string | null;
}

/** Reads the stock of a block as lists; one row per pet is many times slower. */
async function stockOf(queries: Queries, due: FigureBlock): Promise<StockOfPets> {
  const { low, high, dense } = petRange(due);
  const ids = dense ? '' : numbersText(petIdsIn(due));
  const wanted = dense ? sql`pet_id BETWEEN ${low} AND ${high}` : sql`pet_id = ANY(CAST(${ids} AS BIGINT[]))`;
  const found = await queries.get<StoredStock>(sql`SELECT string_agg(CAST(pet_id AS TEXT), ',' ORDER BY pet_id) AS pets,
    string_agg(CAST(quantity AS TEXT), ',' ORDER BY pet_id) AS quantities FROM stock WHERE ${wanted}`);
  const levels = await queries.all<{ readonly pet_id: number; readonly low_at: number }>(
    sql`SELECT pet_id, low_at FROM stock WHERE ${wanted} AND low_at IS NOT NULL`,
  );
  const open = await queries.all<{ readonly pet_id: number; readonly units: number }>(reservedByPet(wanted));
  return {
    petIds: numbersIn(found?.pets ?? ''),
    quantities: numbersIn(found?.quantities ?? ''),
    reserved: new Map(open.map(({ pet_id: petId, units }) => [petId, units])),
    levels: new Map(levels.map(({ pet_id: petId, low_at: lowAt }) => [petId, lowAt])),
  };
}

/** Packs staged rows into table rows; `chunk` numbers the first, `first` counts the rows before. Columns without values are NULL. */
function chunksQuery(run: string, chunk: number, first: number, rows: readonly StagedRow[], notes: BulkStockChange['notes']): Sql {
  const starts = Array.from({ length: Math.ceil(rows.length / rowsTogether) }, (_, index) => index * rowsTogether);
  const cut = (cells: readonly string[]): string => textsText(starts.map((start) => arrayText(cells.slice(start, start + rowsTogether))));
  const numbers = (numberOf: (row: StagedRow) => number | null): string => cut(rows.map((row) => String(numberOf(row) ?? 'NULL')));
  const texts = (textOf: (row: StagedRow) => string | null): string => cut(rows.map((row) => textCell(textOf(row))));
  const lasts = rows.every(({ isLast }) => isLast) ? null : numbers(({ isLast }) => (isLast ? 1 : 0));
  const shortages = rows.some(({ isShortage }) => isShortage) ? numbers(({ isShortage }) => (isShortage ? 1 : null)) : null;
  const kinds = rows.every(({ kind }) => kind === null) ? null : texts(({ kind }) => kind);
  const noteTexts = rows.every(({ note }) => note === 0) ? null : texts(({ note }) => (note === 0 ? null : notes.at(note)));
  const [petIds, befores, afters] = [numbers(({ petId }) => petId), numbers(({ before }) => before), numbers(({ after }) => after)];
  const parts = [numbersText(starts), petIds, befores, afters, numbers(({ origin }) => origin), lasts, shortages, kinds, noteTexts];
  const arrays = join(
    parts.map((part, index) => (index === 0 ? sql`CAST(${part} AS BIGINT[])` : sql`CAST(${part} AS TEXT[])`)),
    ', ',
  );
  return sql`INSERT INTO staged_moves (run, chunk, first, pet_ids, befores, afters, origins, lasts, shortages, kinds, notes)
    SELECT CAST(${run} AS TEXT), CAST(${chunk} AS BIGINT) + u.n - 1, CAST(${first} AS BIGINT) + u.start, CAST(u.pet_ids AS BIGINT[]), CAST(u.befores AS BIGINT[]),
    CAST(u.afters AS BIGINT[]), CAST(u.origins AS BIGINT[]), CAST(u.lasts AS INTEGER[]), CAST(u.shortages AS INTEGER[]), CAST(u.kinds AS TEXT[]), CAST(u.notes AS TEXT[])
    FROM unnest(${arrays}) WITH ORDINALITY AS u (start, pet_ids, befores, afters, origins, lasts, shortages, kinds, notes, n)`;
}

/** Stages chunks; one is written while the next is evaluated. */
function stager(
  queries: Queries,
  run: string,
  from: number,
  notes: BulkStockChange['notes'],
): { readonly put: (rows: readonly StagedRow[]) => Promise<void>; readonly end: () => Promise<Counts & { readonly chunks: number }> } {
  let counts = nothing;
  let chunks = from;
  let pendingWrite: Promise<unknown> = Promise.resolve();
  return {
    put: async (rows) => {
      await pendingWrite;
      if (rows.length === 0) return;
      pendingWrite = queries.run(chunksQuery(run, chunks, counts.rows, rows, notes));
      // The next await reports a failure.
      pendingWrite.catch(() => undefined);
      chunks += Math.ceil(rows.length / rowsTogether);
      const moved = rows.filter(({ after }) => after !== null);
      const zeros = moved.filter(({ after, isLast }) => after === 0 && isLast);
      counts = { rows: counts.rows + rows.length, applied: counts.applied + moved.length, toZero: counts.toZero + zeros.length };
    },
    end: async () => {
      await pendingWrite;
      return { ...counts, chunks };
    },
  };
}

/** Evaluates all blocks; reads the stock of the next block at the same time. */
async function walk(pass: Pass, queries: Queries, afterEach: () => Promise<void>): Promise<void> {
  const blocks = pass.blocks();
  const ahead = (): { readonly due: FigureBlock; readonly stock: ReturnType<typeof stockOf> } | undefined => {
    const { value: due } = blocks.next();
    if (!due) return undefined;
    const stock = stockOf(queries, due);
    stock.catch(() => undefined);
    return { due, stock };
  };
  for (let next = ahead(); next !== undefined;) {
    const { due, stock } = next;
    const found = await stock;
    next = ahead();
    pass.evaluate(due, found);
    await afterEach();
  }
}

/** Evaluates the figures, optionally only of the wanted pets, and stages the changes from chunk `from` on. */
async function stageFigures(
  { reading, staging, run, from }: { readonly reading: Queries; readonly staging: Queries; readonly run: string; readonly from: number },
  change: BulkStockChange,
  tally: Tally,
  wanted: ReadonlySet<number> | undefined,
): Promise<Counts & { readonly chunks: number }> {
  let rows: StagedRow[] = [];
  const pass = stockPass(change, tally, wanted, chunkRows, {
    add: (row) => void rows.push(row),
    addMovement: (petId, before, after, origin, note) => void rows.push(movementRow(petId, before, after, origin, note)),
  });
  const { put, end } = stager(staging, run, from, change.notes);
  const flush = async (): Promise<void> => {
    const full = rows;
    rows = [];
    await put(full);
  };
  await walk(pass, reading, flush);
  pass.end();
  await flush();
  return end();
}

const unnested = sql`staged_moves s CROSS JOIN LATERAL
  unnest(s.pet_ids, s.befores, s.afters, s.origins, s.lasts, s.shortages, s.kinds, s.notes) WITH ORDINALITY AS u (pet_id, before, after, origin, last, shortage, kind, note, n)`;

/** Whether a row is the last movement of its pet; NULL in a chunk means all are. */
const isLast = sql`coalesce(u.last, 1) = 1`;

/** The pets that changed between two ledger entries. */
function changedPets(after: number, newestNow: number): Sql {
  return sql`SELECT pet_id FROM ledger WHERE id > ${after} AND id <= ${newestNow} AND pet_id IS NOT NULL`;
}

/** Evaluates again the pets that changed since staging; every change has a ledger entry. Returns the new totals. */
async function restage(queries: Queries, run: string, staged: Staged, newestNow: number): Promise<Counts> {
  const { change, tally, newest, chunks } = staged;
  const changed = await queries.all<{ readonly petId: number }>(sql`SELECT DISTINCT c.pet_id AS "petId" FROM (${changedPets(newest, newestNow)}) AS c`);
  if (changed.length === 0) return staged;
  const gone =
    await queries.get<Counts>(sql`SELECT count(*) AS rows, count(u.after) AS applied, count(CASE WHEN u.after = 0 AND ${isLast} THEN 1 END) AS "toZero"
    FROM ${unnested} WHERE s.run = ${run} AND u.pet_id IN (${changedPets(newest, newestNow)})`);
  const pets = new Set(changed.map(({ petId }) => petId));
  const again = await stageFigures({ reading: queries, staging: queries, run, from: chunks }, change, { ...tally, changes: [] }, pets);
  const sum = (name: keyof Counts): number => staged[name] - (gone?.[name] ?? 0) + again[name];
  return { rows: sum('rows'), applied: sum('applied'), toZero: sum('toZero') };
}

function outcomeOf({ change, tally }: Staged, { applied, toZero }: Counts): BulkOutcome {
  const { due, alreadyApplied, petsNotNamed, changes } = tally;
  return { applied, unchanged: due - applied - change.refused.countProvisional(), alreadyApplied, petsNotNamed, toZero, changes };
}

/** Writes the staged rows: ledger entries ordered by pet, then quantities. */
async function writeStaged(
  queries: Queries,
  { run, where }: Staging,
  { change, newest, chunks }: Staged,
  newestNow: number,
  rows: number,
  { batchId, stamp }: RecordedBatch,
): Promise<void> {
  const nothingChanged = newestNow === newest;
  // Rows of changed pets were staged again, after all others.
  const valid = nothingChanged ? sql`s.run = ${run}` : sql`s.run = ${run} AND (s.chunk >= ${chunks} OR u.pet_id NOT IN (${changedPets(newest, newestNow)}))`;
  const number = nothingChanged ? sql`s.first + u.n` : sql`row_number() OVER (ORDER BY s.chunk, u.n)`;
  const isUndo = change.kind === 'undo';
  const [column, origin] = isUndo ? [sql`reverses`, sql`CASE WHEN u.kind IS NULL THEN u.origin END`] : [sql`line`, sql`u.origin`];
  const written = await queries.run(sql`INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, ${column}, shortage, at, actor, source, note)
    SELECT ${newestNow} + ${number}, coalesce(u.kind, ${change.kind}), u.pet_id, u.after - u.before, u.after, CAST(${batchId} AS BIGINT), ${origin}, u.shortage,
    CAST(${stamp?.at ?? null} AS BIGINT), CAST(${stamp?.actor ?? null} AS TEXT), CAST(${stamp?.source ?? null} AS TEXT), coalesce(u.note, CAST(${stamp?.note ?? null} AS TEXT))
    FROM ${unnested} WHERE ${valid}`);
  if (written !== rows) throw stagedRowsLost(where, rows, written);
  // Each pet is looked up once, so memoizing is useless, and it would take a third of the time.
  await queries.get(sql`SELECT set_config(name, 'off', true) FROM pg_settings WHERE name = 'enable_memoize'`);
  await queries.run(sql`UPDATE stock SET quantity = u.after
    FROM staged_moves s CROSS JOIN LATERAL unnest(s.pet_ids, s.afters, s.lasts) AS u (pet_id, after, last)
    WHERE ${valid} AND ${isLast} AND stock.pet_id = u.pet_id`);
}

async function newestRow(queries: Queries): Promise<number> {
  return (await queries.get<{ readonly id: number }>(sql`SELECT coalesce(max(id), 0) AS id FROM ledger`))?.id ?? 0;
}

/** Bulk stock changes, staged in a private section of the staging table. */
export function bulkStock(engine: Pick<Engine, 'read' | 'write'>, staging: Staging): BulkStock {
  const { run } = staging;
  let staged: Staged | undefined;
  return {
    stage: (change) =>
      engine.read(async (queries) => {
        change.refused.clearProvisional();
        const live = await queries.get<{ readonly live: number }>(sql`SELECT count(*) AS live FROM stock`);
        const tally: Tally = { due: 0, alreadyApplied: 0, petsNotNamed: live?.live ?? 0, changes: [] };
        const newest = await newestRow(queries);
        const counts = await staging.transaction(async () => {
          await staging.clear();
          return stageFigures({ reading: queries, staging: staging.queries, run, from: 0 }, change, tally, undefined);
        });
        staged = { change, tally, newest, ...counts };
        return outcomeOf(staged, counts);
      }),
    apply: async (decide) => {
      if (staged === undefined) throw new Error('Nothing was staged.');
      const prepared = staged;
      return engine.write(async (queries) => {
        const newestNow = await newestRow(queries);
        const counts = await restage(queries, run, prepared, newestNow);
        const outcome = outcomeOf(prepared, counts);
        const decision = await decide(queries, outcome);
        if (decision) await writeStaged(queries, staging, prepared, newestNow, counts.rows, decision);
        return outcome;
      });
    },
    close: staging.close,
  };
}
