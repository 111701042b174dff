import type { BulkOutcome, BulkStock, BulkStockChange, RecordedBatch } from '../bulk/bulk-port.js';
import type { Engine, TableLayout } from '../engine.js';
import type { Cell, Queries } from '../queries.js';
import { petIdsIn, petRange, type FigureBlock } from '../bulk/figure-blocks.js';
import { addToTotals, type StagedTotals } from '../bulk/staged-rows.js';
import { stockPass, type AddStagedRow, type Pass, type PassTotals, type StagedRow, type StockOfPet } from '../bulk/stage-stock.js';
import { stagedRowsLost } from '../errors.js';
import { sql, type Sql } from '../sql.js';
import { highestId } from '../tables/ids.js';
import { numbersText } from './arrays.js';
import { copyLine } from './copy-rows.js';
import { insertRows } from './insert.js';
import { withPlanner } from './statements.js';
import type { Staging, StagingConnection } from './staging.js';

/** Figures per block: with more of them the garbage collector copies the objects of a block, which takes memory. */
const blockRows = 1 << 11;
/** A change of more than this part of all pets updates them in the order of their ids, which reads every page once. */
const largePart = 0.1;

/** The staged rows of up to this many figures are sent after the snapshot, so that the import takes one connection at a time. */
const figuresSentLater = 1 << 15;

/** The number of staged rows, and what they do. */
interface RowTotals extends Readonly<StagedTotals> {
  readonly rows: number;
}

/** The staged rows and the state of the shop they are based on. */
interface Staged extends RowTotals {
  readonly change: BulkStockChange;
  readonly totals: PassTotals;
  /** The newest ledger entry at that time. */
  readonly newest: number;
  readonly livePets: number;
}

/** Reads the stock of the pets of a block. */
async function stockOf(queries: Queries, block: FigureBlock): Promise<readonly StockOfPet[]> {
  const { low, high, isDense } = petRange(block);
  const ids = isDense ? '' : numbersText(petIdsIn(block));
  const wanted = isDense ? sql`pet_id BETWEEN ${low} AND ${high}` : sql`pet_id = ANY(CAST(${ids} AS BIGINT[]))`;
  const rows = await queries.rows(sql`SELECT pet_id, quantity, reserved, low_at FROM stock WHERE ${wanted} ORDER BY pet_id`);
  return rows as readonly (readonly Cell[])[] as readonly StockOfPet[];
}

const stagedMovesLayout = {
  name: 'staged_moves',
  columns: {
    run: 'text',
    number: 'number',
    pet_id: 'number',
    before: 'number',
    after: 'number',
    origin: 'number',
    superseded: 'number',
    shortage: 'number',
    kind: 'text',
    note: 'text',
  },
} as const satisfies TableLayout;

const stagedMovesColumns = Object.keys(stagedMovesLayout.columns);

/** The cells of a staged row in the order of `stagedMovesLayout`. */
function cellsOf(run: string, number: number, row: StagedRow, notes: BulkStockChange['notes']): readonly Cell[] {
  const { petId, before, after, origin, isLast, isShortage, kind, note } = row;
  return [run, number, petId, before, after, origin, isLast ? null : 1, isShortage ? 1 : null, kind, note === 0 ? null : notes.at(note)];
}

/** Sends lines of COPY. */
type SendLines = (lines: string) => Promise<void>;

/** Writes the cells of staged rows, in chunks. */
type WriteCells = (rows: readonly (readonly Cell[])[]) => Promise<void>;

/** Evaluates all blocks; reads the stock of the next block at the same time. */
async function walk(pass: Pass, queries: Queries, afterEach: () => Promise<void>): Promise<void> {
  const blocks = pass.blocks();
  const startNext = (): { readonly block: FigureBlock; readonly stock: ReturnType<typeof stockOf> } | undefined => {
    const { value: block } = blocks.next();
    if (!block) return undefined;
    const stock = stockOf(queries, block);
    stock.catch(() => undefined);
    return { block, stock };
  };
  for (let next = startNext(); next !== undefined;) {
    const { block, stock } = next;
    const found = await stock;
    next = startNext();
    pass.evaluate(block, found);
    await afterEach();
  }
}

/** Evaluates the figures, optionally only of the wanted pets, and stages the changes, numbered after `last`. */
async function stageFigures(
  { queries, write, run, last }: { readonly queries: Queries; readonly write: WriteCells; readonly run: string; readonly last: number },
  change: BulkStockChange,
  totals: PassTotals,
  wanted: ReadonlySet<number> | undefined,
): Promise<RowTotals> {
  let cells: (readonly Cell[])[] = [];
  const rowTotals = { rows: 0, applied: 0, toZero: 0 };
  const add: AddStagedRow = (row) => {
    rowTotals.rows += 1;
    addToTotals(rowTotals, row);
    cells.push(cellsOf(run, last + rowTotals.rows, row, change.notes));
  };
  const pass = stockPass({ change, wanted, figuresTogether: blockRows, totals, add });
  const flush = async (): Promise<void> => {
    const full = cells;
    cells = [];
    if (full.length > 0) await write(full);
  };
  await walk(pass, queries, flush);
  pass.end();
  await flush();
  return rowTotals;
}

/** The pets that changed between two ledger entries. */
function changedPets(after: number, newestNow: number): Sql {
  return sql`SELECT pet_id FROM ledger WHERE id > ${after} AND id <= ${newestNow} AND pet_id IS NOT NULL`;
}

/** Evaluates again the pets that changed since staging; every change has a ledger entry. Returns the new totals. */
async function restage(queries: Queries, run: string, staged: Staged, newestNow: number): Promise<RowTotals> {
  const { change, totals, newest, rows } = staged;
  const changed = await queries.all<{ readonly petId: number }>(sql`SELECT DISTINCT c.pet_id AS "petId" FROM (${changedPets(newest, newestNow)}) AS c`);
  if (changed.length === 0) return staged;
  const gone = await queries.get<RowTotals>(sql`SELECT count(*) AS rows, count(s.after) AS applied,
    count(CASE WHEN s.after = 0 AND s.superseded IS NULL THEN 1 END) AS "toZero"
    FROM staged_moves s WHERE s.run = ${run} AND s.pet_id IN (${changedPets(newest, newestNow)})`);
  const pets = new Set(changed.map(({ petId }) => petId));
  const write: WriteCells = (cells) => insertRows(queries, stagedMovesLayout, cells);
  const again = await stageFigures({ queries, write, run, last: rows }, change, { ...totals, changes: [] }, pets);
  const sum = (name: keyof RowTotals): number => staged[name] - (gone?.[name] ?? 0) + again[name];
  return { rows: sum('rows'), applied: sum('applied'), toZero: sum('toZero') };
}

function outcomeOf({ change, totals }: Staged, { applied, toZero }: RowTotals): BulkOutcome {
  const { evaluated, alreadyApplied, notInFile, changes } = totals;
  return { applied, unchanged: evaluated - applied - change.refused.countProvisional(), alreadyApplied, notInFile, toZero, changes };
}

/** What is written: the staged rows, and what has changed since they were staged. */
interface Written {
  readonly staged: Staged;
  /** The newest ledger entry under the lock. */
  readonly newestNow: number;
  /** The number of rows to write. */
  readonly rows: number;
}

/** Writes the staged rows: ledger entries ordered by pet, then quantities. */
async function writeStaged(queries: Queries, staging: Staging, { staged, newestNow, rows }: Written, { batchId, stamp }: RecordedBatch): Promise<void> {
  const { change, newest, livePets, rows: stagedRows } = staged;
  const nothingChanged = newestNow === newest;
  const ofRun = sql`s.run = ${staging.run()}`;
  // Rows of changed pets were staged again, after all others.
  const valid = nothingChanged ? ofRun : sql`${ofRun} AND (s.number > ${stagedRows} OR s.pet_id NOT IN (${changedPets(newest, newestNow)}))`;
  const number = nothingChanged ? sql`s.number` : sql`row_number() OVER (ORDER BY s.number)`;
  const isUndo = change.kind === 'undo';
  const [column, origin] = isUndo ? [sql`reverses`, sql`CASE WHEN s.kind IS NULL THEN s.origin END`] : [sql`line`, sql`s.origin`];
  const written =
    await queries.runAndCount(sql`INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, ${column}, shortage, at, actor, source, note)
    SELECT ${newestNow} + ${number}, coalesce(s.kind, ${change.kind}), s.pet_id, s.after - s.before, s.after, CAST(${batchId} AS BIGINT), ${origin}, s.shortage,
    CAST(${stamp?.at ?? null} AS BIGINT), CAST(${stamp?.actor ?? null} AS TEXT), CAST(${stamp?.source ?? null} AS TEXT), coalesce(s.note, CAST(${stamp?.note ?? null} AS TEXT))
    FROM staged_moves s WHERE ${valid}`);
  if (written !== rows) throw stagedRowsLost(staging.where, rows, written);
  const isLarge = rows > livePets * largePart;
  await withPlanner(queries, isLarge ? ['enable_nestloop', 'enable_hashjoin'] : ['enable_memoize'], async () => {
    await queries.run(sql`UPDATE stock SET quantity = s.after FROM staged_moves s
      WHERE ${valid} AND s.kind IS NULL AND s.superseded IS NULL AND stock.pet_id = s.pet_id`);
  });
}

/** Sends staged rows as lines of COPY, and checks that all were stored. */
async function copyRows<T extends Pick<RowTotals, 'rows'>>(
  staging: Staging,
  copy: StagingConnection['copy'],
  send: (write: SendLines) => Promise<T>,
): Promise<T> {
  const { write, end } = copy(stagedMovesColumns);
  const sent = await send(write);
  const stored = await end();
  if (stored !== sent.rows) throw stagedRowsLost(staging.where, sent.rows, stored);
  return sent;
}

/** Evaluates a change on a read snapshot; sends the staged rows meanwhile, or adds them to `later` if they are few. */
async function stageChange(queries: Queries, staging: Staging, change: BulkStockChange, later: string[]): Promise<Staged> {
  change.refused.clearProvisional();
  const livePets = (await queries.get<{ readonly live: number }>(sql`SELECT count(*) AS live FROM stock`))?.live ?? 0;
  const totals: PassTotals = { evaluated: 0, alreadyApplied: 0, notInFile: livePets, changes: [] };
  const newest = await highestId(queries, 'ledger');
  staging.beginRun();
  const run = staging.run();
  const stage = (write: SendLines): Promise<RowTotals> =>
    stageFigures({ queries, write: (cells) => write(cells.map(copyLine).join('')), run, last: 0 }, change, totals, undefined);
  const rowTotals =
    change.figures.size() <= figuresSentLater
      ? await stage(async (lines) => void later.push(lines))
      : await staging.connected(({ copy, transaction }) => transaction(() => copyRows(staging, copy, stage)));
  return { change, totals, newest, livePets, ...rowTotals };
}

/** Evaluates and stages a change. */
async function stageOnSnapshot(engine: Pick<Engine, 'read'>, staging: Staging, change: BulkStockChange): Promise<Staged> {
  const later: string[] = [];
  const staged = await engine.read((queries) => stageChange(queries, staging, change, later));
  const sendAll = async (write: SendLines): Promise<Staged> => {
    for (const lines of later) await write(lines);
    return staged;
  };
  return later.length === 0 ? staged : staging.connected(({ copy }) => copyRows(staging, copy, sendAll));
}

/** Bulk stock changes, staged as private rows of a table. */
export function bulkStock(engine: Pick<Engine, 'read' | 'write'>, staging: Staging): BulkStock {
  let staged: Staged | undefined;
  return {
    stage: async (change) => {
      staged = await staging
        .untilConnected(() => stageOnSnapshot(engine, staging, change))
        .catch((error: unknown) => {
          throw staging.explain(error);
        });
      return outcomeOf(staged, staged);
    },
    apply: async (decide) => {
      if (staged === undefined) throw new Error('Nothing was staged.');
      const prepared = staged;
      const applied = await engine.write(async (queries) => {
        const newestNow = await highestId(queries, 'ledger');
        const rowTotals = await restage(queries, staging.run(), prepared, newestNow);
        const outcome = outcomeOf(prepared, rowTotals);
        const decision = await decide(queries, outcome);
        if (decision) await writeStaged(queries, staging, { staged: prepared, newestNow, rows: rowTotals.rows }, decision);
        return outcome;
      });
      await staging.updateStatistics(applied.applied);
      return applied;
    },
    close: staging.close,
  };
}
