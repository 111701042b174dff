import { codeText } from '../codes/code.js';
import * as v from 'valibot';
import { optional } from '../values/schemas.js';
import { idNumber } from '../values/ids.js';
import { quantityNumber, deltaNumber, maximumQuantity } from '../values/numbers.js';
import { noteText, noteProblem, normalizeText } from '../values/text.js';
import type { StockRow } from './stock-change.js';
import { cellError, cellText, integerIn, isBlank, isLeftOut, malformedRow, type FileRow } from './cells.js';
import { isPetId, type PetCells, type PetMatch, type ReadPet } from './pet-cell.js';
import type { RowError } from './row-error.js';

/** The columns of a stock file, in the order of the cells that `checkStockRow` expects. A row without an id may have a code. */
export const stockColumns = ['petId', 'quantity', 'delta', 'expected', 'note', 'code'] as const;

/** The same for a file whose rows name the pet. */
export const namedStockColumns = ['name', 'quantity', 'delta', 'expected', 'note'] as const;

/** The same for a file whose rows have a code of the pet. */
export const codedStockColumns = ['code', 'quantity', 'delta', 'expected', 'note'] as const;

/** The cells of these columns that name the pet. */
export const stockPetCells: Readonly<Record<PetMatch, PetCells>> = {
  id: [
    ['id', 0],
    ['code', stockColumns.indexOf('code')],
  ],
  name: [['name', 0]],
  code: [['code', 0]],
};

/** One row of a stock file, for the OpenAPI document; `checkStockRow` checks the cells. */
export const stockRow = v.pipe(
  v.object({
    petId: optional(idNumber, 'ID of the animal. A row without one has a `code`.'),
    quantity: optional(quantityNumber, 'The counted quantity.'),
    delta: optional(deltaNumber, 'Units to add; negative to remove units; not 0.'),
    expected: optional(quantityNumber, 'Units that must be on hand for the row to be applied.'),
    note: optional(noteText, 'A note for the ledger.'),
    code: optional(codeText, 'A code of the animal, in place of its ID.'),
  }),
  v.metadata({ record: 'StockRow' }),
  v.description('One row of a stock file: `quantity` for a count or `delta` for a change, the same in all rows.'),
);

/** A row of a stock file. Its value is a counted quantity or a change, the same in the whole file. */
export interface StockDraft extends StockRow {
  readonly line: number;
  readonly note: string | undefined;
  /** The units that a number of the row means. */
  readonly units: number;
}

type UnitsColumn = 'quantity' | 'delta' | 'expected';

/** The column of the value. */
const valueColumns = { count: 'quantity', adjust: 'delta' } as const;

/** Why a whole number cannot be in a column; undefined if it can. */
function unitsProblem(column: UnitsColumn, units: number): string | undefined {
  if (Math.abs(units) > maximumQuantity || (column !== 'delta' && units < 0)) {
    const least = column === 'delta' ? -maximumQuantity : 0;
    return `is not between ${least} and ${maximumQuantity}`;
  }
  return column === 'delta' && units === 0 ? 'must not be 0' : undefined;
}

/** The units in a cell, or why there are none. */
export function unitsIn(line: number, column: UnitsColumn, cell: unknown): number | RowError {
  const units = integerIn(cell, column === 'delta' ? 'plus' : 'no plus');
  if (units === undefined) return cellError({ line, column, cell }, 'invalid_quantity', 'is not a whole number');
  const problem = unitsProblem(column, units);
  return problem === undefined ? units : cellError({ line, column, cell }, 'invalid_quantity', problem);
}

/**
 * Whether `checkStockRow` accepts a row without a note that has these whole numbers, for a reader that does not make cells of
 * them; NaN is an empty cell.
 */
export function isStockRow(kind: 'count' | 'adjust', petId: number, value: number, expected: number): boolean {
  const isValue = !Number.isNaN(value) && unitsProblem(valueColumns[kind], value) === undefined;
  return isValue && isPetId(petId) && (Number.isNaN(expected) || unitsProblem('expected', expected) === undefined);
}

function noteIn(cell: unknown): string {
  return typeof cell === 'string' ? normalizeText(cell) : cellText(cell);
}

function noteProblemOf(cell: unknown, note: string): string | undefined {
  if (isBlank(cell)) return 'must not be empty';
  return typeof cell === 'object' ? 'must be a text' : noteProblem(note);
}

/** Checks one row of a stock file, of which `readPet` reads the pet. `expected` is in units, whatever a code means. Returns the stock row, or the error of the row. */
export function checkStockRow(kind: 'count' | 'adjust', row: FileRow, readPet: ReadPet): StockDraft | RowError {
  const { line, cells, problem } = row;
  if (problem !== undefined) return malformedRow(line, problem);
  const [, quantityCell, deltaCell, expectedCell, noteCell] = cells;
  const pet = readPet(row);
  if ('message' in pet) return pet;
  const { petId, units } = pet;
  const column = valueColumns[kind];
  const cell = kind === 'count' ? quantityCell : deltaCell;
  const scans = unitsIn(line, column, cell);
  if (typeof scans === 'object') return { ...scans, petId };
  const value = scans * units;
  const tooMany = unitsProblem(column, value);
  if (tooMany !== undefined) return { ...cellError({ line, column, cell }, 'invalid_quantity', `times ${units} units ${tooMany}`), petId };
  const expected = isLeftOut(expectedCell, row) ? undefined : unitsIn(line, 'expected', expectedCell);
  if (typeof expected === 'object') return { ...expected, petId };
  const note = isLeftOut(noteCell, row) ? undefined : noteIn(noteCell);
  const wrongNote = note === undefined ? undefined : noteProblemOf(noteCell, note);
  if (wrongNote !== undefined) return { ...cellError({ line, column: 'note', cell: noteCell }, 'validation_failed', wrongNote), petId };
  return { line, petId, value, expected, note, units };
}
