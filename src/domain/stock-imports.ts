import { cellError, integerIn, isBlank, malformedRow, type FileRow } from './cells.js';
import { keptErrors, refusesAll, type FileFacts, type ImportOptions, type ImportReport, type RowError } from './imports.js';
import { isIdText, maximumQuantity } from './numbers.js';
import { available, levelCrossing, type Stock } from './stock.js';
import { counted, noteProblem, tidy } from './text.js';
import type { Writing } from './transaction.js';

/** The columns of a file of stock figures, in the order in which `checkStockRow` takes their cells. */
export const stockColumns = ['petId', 'quantity', 'delta', 'expected', 'note'] as const;

/** How a file of stock figures is to be imported. */
export interface StockImportOptions extends ImportOptions {
  /** Accept figures that do not cover what open orders were promised. */
  readonly allowShortage?: boolean;
}

/** A stock figure as a file gives it: exactly one of a counted quantity and a change. */
export interface StockDraft {
  readonly line: number;
  readonly petId: number;
  readonly quantity: number | undefined;
  readonly delta: number | undefined;
  readonly expected: number | undefined;
  readonly note: string | undefined;
}

function petIdIn(line: number, cell: unknown): number | RowError {
  const digits =
    typeof cell === 'number' && Number.isInteger(cell) ? String(BigInt(cell)) : typeof cell === 'string' ? cell.trim().replace(/^0+(?=\d)/, '') : '';
  if (!isIdText(digits)) return cellError(line, 'petId', cell, 'invalid_pet_id', 'is not the id of a pet');
  // Never assigned, and not to be rounded to a neighbour.
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : cellError(line, 'petId', cell, 'unknown_pet', 'is no pet of the shop');
}

function noteIn(line: number, cell: unknown): string | undefined | RowError {
  if (isBlank(cell)) return undefined;
  if (typeof cell !== 'string') return cellError(line, 'note', cell, 'validation_failed', 'must be a text');
  const wrong = noteProblem(tidy(cell));
  return wrong === undefined ? tidy(cell) : cellError(line, 'note', cell, 'validation_failed', wrong);
}

function unitsIn(line: number, column: 'quantity' | 'delta' | 'expected', cell: unknown): number | RowError {
  const units = integerIn(cell, column === 'delta' ? 'plus' : 'no plus');
  if (units === undefined) return cellError(line, column, cell, 'invalid_quantity', 'is not a whole number');
  if (Math.abs(units) > maximumQuantity || (column !== 'delta' && units < 0)) {
    const least = column === 'delta' ? -maximumQuantity : 0;
    return cellError(line, column, cell, 'invalid_quantity', `is not between ${least} and ${maximumQuantity}`);
  }
  if (column === 'delta' && units === 0) return cellError(line, column, cell, 'invalid_quantity', 'changes nothing');
  return units;
}

/** Checks one row on its own: the figure it gives, or what is wrong with it. */
export function checkStockRow({ line, cells, problem }: FileRow): StockDraft | RowError {
  if (problem !== undefined) return malformedRow(line, problem);
  const [petCell, quantityCell, deltaCell, expectedCell, noteCell] = cells;
  const petId = petIdIn(line, petCell);
  if (typeof petId === 'object') return petId;
  const change = deltaCell === undefined ? unitsIn(line, 'quantity', quantityCell) : unitsIn(line, 'delta', deltaCell);
  if (typeof change === 'object') return { ...change, petId };
  const expected = isBlank(expectedCell) ? undefined : unitsIn(line, 'expected', expectedCell);
  if (typeof expected === 'object') return { ...expected, petId };
  const note = noteIn(line, noteCell);
  if (typeof note === 'object') return { ...note, petId };
  return { line, petId, quantity: deltaCell === undefined ? change : undefined, delta: deltaCell === undefined ? undefined : change, expected, note };
}

/** What a row does to the figures of its pet: the new quantity, or why it is refused. */
export function applyRow(stock: Stock | undefined, { line, petId, quantity, delta, expected }: StockDraft, allowShortage: boolean): number | RowError {
  const refuse = (code: RowError['code'], reason: string): RowError => ({ line, petId, code, message: `Line ${line}: ${reason}.` });
  if (stock === undefined) return refuse('unknown_pet', `there is no pet ${petId}`);
  if (expected !== undefined && expected !== stock.quantity) {
    return refuse('stock_changed', `pet ${petId} has ${stock.quantity} in stock, expected ${expected}`);
  }
  const after = quantity ?? stock.quantity + (delta ?? 0);
  if (after < 0) return refuse('out_of_stock', `pet ${petId} has ${stock.quantity} on hand; ${-(delta ?? 0)} cannot be taken away`);
  if (after > maximumQuantity) return refuse('invalid_quantity', `pet ${petId} would exceed the maximum of ${maximumQuantity}`);
  // A delivery is accepted even while it does not cover every promise yet; a count is not.
  if (after < stock.promised && (delta === undefined ? after !== stock.quantity : delta < 0) && !allowShortage) {
    return refuse('stock_promised', `pet ${petId} has ${counted(stock.promised, 'unit')} promised; ${after} on hand would not cover them`);
  }
  return after;
}

interface Planned {
  readonly row: StockDraft;
  readonly before: Stock;
  readonly after: Stock;
}

/** Applies the checked rows of a file of stock figures in one transaction, or refuses them as `options` says. */
export async function importStock(tx: Writing, rows: readonly (StockDraft | RowError)[], facts: FileFacts, options: StockImportOptions): Promise<ImportReport> {
  const fresh = rows.filter(({ line }) => !facts.alreadyApplied(line));
  const current = new Map<number, Stock | undefined>();
  const repeated = duplicates(fresh);
  const errors: RowError[] = [];
  const planned: Planned[] = [];
  let unchanged = 0;
  for (const row of fresh) {
    const outcome = 'code' in row ? row : (repeated(row) ?? (await plan(tx, row, current, options.allowShortage === true)));
    if ('code' in outcome) errors.push(outcome);
    else if (outcome.after.quantity === outcome.before.quantity) unchanged += 1;
    else planned.push(outcome);
  }
  const refused = refusesAll(options, errors.length);
  const applied = refused ? 0 : planned.length;
  const kept = refused ? 0 : unchanged;
  const state = refused || (applied + kept === 0 && errors.length > 0) ? 'refused' : errors.length > 0 ? 'partial' : 'applied';
  const counts = { total: rows.length, applied, unchanged: kept, rejected: errors.length };
  const batchId = await tx.batches.insert({ kind: 'stock', state, key: facts.key, sha256: facts.sha256, mode: options.mode, ...counts }, errors);
  for (const one of refused ? [] : planned) await write(tx, one, batchId);
  for (const error of errors) options.onRejected?.(error, facts.original(error.line));
  return {
    batch: options.dryRun === true ? null : batchId,
    dryRun: options.dryRun === true,
    mode: options.mode,
    ...counts,
    alreadyApplied: rows.length - fresh.length,
    notInFile: (await tx.pets.count({})) - (await named(tx, rows, current)),
    errors: errors.slice(0, keptErrors),
    errorsOmitted: Math.max(0, errors.length - keptErrors),
  };
}

/** How many live pets the rows name, whatever became of the rows. */
async function named(tx: Writing, rows: readonly (StockDraft | RowError)[], current: ReadonlyMap<number, Stock | undefined>): Promise<number> {
  const others = new Set(rows.flatMap(({ petId }) => (petId === undefined || current.has(petId) ? [] : [petId])));
  let live = current.size;
  for (const petId of others) if ((await tx.stock.get(petId)) !== undefined) live += 1;
  return live;
}

/** Two counted quantities for one pet contradict each other, so neither is taken. */
function duplicates(rows: readonly (StockDraft | RowError)[]): (row: StockDraft) => RowError | undefined {
  const lines = new Map<number, number[]>();
  for (const row of rows) {
    if ('code' in row || row.quantity === undefined) continue;
    const known = lines.get(row.petId);
    if (known) known.push(row.line);
    else lines.set(row.petId, [row.line]);
  }
  return ({ line, petId, quantity }) => {
    const others = quantity === undefined ? [] : (lines.get(petId) ?? []).filter((one) => one !== line);
    if (others.length === 0) return undefined;
    return { line, petId, code: 'duplicate_row', message: `Line ${line}: pet ${petId} also stands on line ${others[0]}.` };
  };
}

async function plan(tx: Writing, row: StockDraft, current: Map<number, Stock | undefined>, allowShortage: boolean): Promise<Planned | RowError> {
  if (!current.has(row.petId)) {
    const found = await tx.stock.get(row.petId);
    if (found) current.set(row.petId, found);
  }
  const before = current.get(row.petId);
  const outcome = applyRow(before, row, allowShortage);
  if (typeof outcome === 'object' || before === undefined) return outcome as RowError;
  const after = { ...before, quantity: outcome };
  current.set(row.petId, after);
  return { row, before, after };
}

async function write(tx: Writing, { row, before, after }: Planned, batchId: number): Promise<void> {
  const origin = { petId: row.petId, batchId, line: row.line };
  await tx.stock.setQuantity(row.petId, after.quantity);
  await tx.ledger.append({
    ...origin,
    kind: row.quantity === undefined ? 'adjust' : 'count',
    delta: after.quantity - before.quantity,
    quantityAfter: after.quantity,
    ...(available(after) < 0 && { shortage: true }),
    ...(row.note !== undefined && { note: row.note }),
  });
  const crossing = levelCrossing(before, after);
  if (crossing) await tx.ledger.append({ ...crossing, ...origin });
}
