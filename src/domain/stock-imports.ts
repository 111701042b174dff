import * as v from 'valibot';
import { cellError, cellText, integerIn, isBlank, isLeftOut, malformedRow, type FileRow } from './cells.js';
import { importParameters, importReport, type ImportOptions, type RowError, type StockChange } from './imports.js';
import { maximumQuantity } from './numbers.js';
import { performs } from './operation.js';
import type { Stock } from './stock.js';
import { counted, listed, noteProblem, tidy } from './text.js';

/** The columns of a file of stock figures, in the order in which `checkStockRow` takes their cells. */
export const stockColumns = ['petId', 'quantity', 'delta', 'expected', 'note'] as const;

/** How a file of stock figures is to be imported. */
export interface StockImportOptions extends ImportOptions, Partial<StockPolicy> {
  /** Told what changed, or would in a dry run, bit by bit in the order of the file. */
  readonly onChanges?: ((changes: readonly StockChange[]) => unknown) | undefined;
  /** Told what is about to change, or would in a dry run; a refusal thrown from here leaves everything as it is. */
  readonly onPreview?: ((preview: StockPreview) => unknown) | undefined;
}

/** What an import of stock figures changes, for people to look at. */
export interface StockPreview {
  /** The first changes in the order of the pets. */
  readonly changes: readonly StockChange[];
  /** How many changes there are. */
  readonly total: number;
  /** Pets that drop to zero. */
  readonly toZero: number;
  /** The first rows that are refused, in the order of the file, and how many there are. */
  readonly errors: readonly RowError[];
  readonly rejected: number;
}

/** A stock figure as a file gives it; whether the value is a counted quantity or a change is the same for the whole file. */
export interface StockDraft extends MoveFigure {
  readonly line: number;
  readonly note: string | undefined;
}

const int64 = 2 ** 63;

/** The id in a cell; one beyond 2^53 − 1 was never assigned and is unknown, not rounded to a neighbour. */
function petIdIn(line: number, cell: unknown): number | RowError {
  const id = integerIn(cell, 'no plus');
  if (id === undefined || id < 1 || id > int64) return cellError(line, 'petId', cell, 'invalid_pet_id', 'is not the id of a pet');
  if (Number.isSafeInteger(id)) return id;
  if (typeof cell === 'string' && BigInt(cell.trim()) >= BigInt(int64)) return cellError(line, 'petId', cell, 'invalid_pet_id', 'is not the id of a pet');
  return cellError(line, 'petId', cell, 'unknown_pet', 'is the id of no pet');
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

function noteIn(cell: unknown): string {
  return typeof cell === 'string' ? tidy(cell) : cellText(cell);
}

function noteProblemOf(cell: unknown, note: string): string | undefined {
  if (isBlank(cell)) return 'must not be empty';
  return typeof cell === 'object' ? 'must be a text' : noteProblem(note);
}

/** Checks one row of a file that counts or adjusts: the figure it gives, or what is wrong with it. */
export function checkStockRow(kind: 'count' | 'adjust', row: FileRow): StockDraft | RowError {
  const { line, cells, problem } = row;
  if (problem !== undefined) return malformedRow(line, problem);
  const [petCell, quantityCell, deltaCell, expectedCell, noteCell] = cells;
  const petId = petIdIn(line, petCell);
  if (typeof petId === 'object') return petId;
  const value = kind === 'count' ? unitsIn(line, 'quantity', quantityCell) : unitsIn(line, 'delta', deltaCell);
  if (typeof value === 'object') return { ...value, petId };
  const expected = isLeftOut(expectedCell, row) ? undefined : unitsIn(line, 'expected', expectedCell);
  if (typeof expected === 'object') return { ...expected, petId };
  const note = isLeftOut(noteCell, row) ? undefined : noteIn(noteCell);
  const wrongNote = note === undefined ? undefined : noteProblemOf(noteCell, note);
  if (wrongNote !== undefined) return { ...cellError(line, 'note', noteCell, 'validation_failed', wrongNote), petId };
  return { line, petId, value, expected, note };
}

/** What to do with a row that expects another quantity than the shop has. */
export const stalePolicies = ['fail', 'keep-count', 'keep-difference'] as const;

/** Applies a file of stock figures in one transaction; the shop performs it by `importStock`. */
export const importInventory = performs({
  id: 'importInventory',
  summary: 'Apply a file of stock figures',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/imports',
  status: 200,
  input: v.strictObject({
    ...importParameters,
    onStale: v.optional(v.picklist(stalePolicies, `must be one of ${stalePolicies.join(', ')}`), 'fail'),
    allowShortage: v.optional(v.boolean('must be true or false'), false),
  }),
  output: importReport,
});

/** What an import accepts beyond the rule. */
export interface StockPolicy {
  readonly allowShortage: boolean;
  readonly onStale: (typeof stalePolicies)[number];
}

/** What the figure of a move means: a counted quantity, a change, or a change that takes another one back. */
export type MoveKind = 'count' | 'adjust' | 'undo';

/** Why a move is refused. */
export type MoveRefusal = Pick<RowError, 'code' | 'message'>;

/** A figure for one pet: a counted quantity or a change, and the quantity it expects to find. */
export interface MoveFigure {
  readonly petId: number;
  readonly value: number;
  readonly expected: number | undefined;
}

/** The quantity a pet has after a move, or why the move is refused; an unknown pet has no stock. */
export function quantityAfter(
  kind: MoveKind,
  { petId, value, expected }: MoveFigure,
  stock: Pick<Stock, 'quantity' | 'promised'> | undefined,
  policy: StockPolicy,
): number | MoveRefusal {
  if (stock === undefined) return { code: 'unknown_pet', message: `There is no pet ${petId}.` };
  const { quantity, promised } = stock;
  // A count that the shop agrees with already changes nothing, so that a recount can be sent twice.
  if (kind === 'count' && value === quantity) return quantity;
  const stale = expected !== undefined && expected !== quantity;
  if (stale && policy.onStale === 'fail') return { code: 'stock_changed', message: `Pet ${petId} has ${quantity} in stock, expected ${expected}.` };
  const base = stale && policy.onStale === 'keep-count' ? expected : quantity;
  // "keep-difference" moves a count by what changed since it was taken.
  const target = stale && policy.onStale === 'keep-difference' ? quantity + value - expected : value;
  const after = kind === 'count' ? target : base + value;
  if (after < 0) return { code: 'out_of_stock', message: `Pet ${petId} has ${quantity} on hand; ${base - after} cannot be taken away.` };
  if (after > maximumQuantity) return { code: 'invalid_quantity', message: `Pet ${petId} would exceed the maximum of ${maximumQuantity}.` };
  if (after < promised && !policy.allowShortage && (kind === 'count' ? after !== quantity : after < quantity)) {
    return { code: 'stock_promised', message: `Pet ${petId} has ${counted(promised, 'unit')} promised to open orders; ${after} on hand would not cover them.` };
  }
  return after;
}

/** The open orders of a pet: the first of them, oldest first, and how many there are. */
export interface PetOrders {
  readonly first: readonly number[];
  readonly count: number;
}

/** How many open orders of a pet a message names. */
export const namedOrders = 10;

/** Errors of rows, where those that reserved units stand in the way of name the orders they are reserved to. */
export function withOrders(errors: readonly RowError[], orders: ReadonlyMap<number, PetOrders>): readonly RowError[] {
  return errors.map((error) => {
    const found = error.code === 'stock_promised' && error.petId !== undefined ? orders.get(error.petId) : undefined;
    if (found === undefined) return error;
    const more = found.count > found.first.length ? ` and ${found.count - found.first.length} more` : '';
    const named = more === '' ? listed(found.first) : `${found.first.join(', ')}${more}`;
    return { ...error, message: `${error.message} They are promised to ${found.count === 1 ? 'order' : 'orders'} ${named}.` };
  });
}

/** Two counted quantities for one pet contradict each other, so neither is taken. */
export function duplicateRow(petId: number, line: number, other: number): RowError {
  return { line, petId, code: 'duplicate_row', message: `Pet ${petId} also stands on line ${other}.` };
}
