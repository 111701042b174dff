import { recordName } from '../values/record-name.js';
import * as v from 'valibot';
import { isOptional } from '../values/fields.js';
import { petFields, openingQuantity, type PetFields } from '../pets/pet.js';
import { field, withNotes, optional } from '../values/schemas.js';
import { idNumber } from '../values/ids.js';
import { petStatus, petStatuses, type PetStatus } from '../pets/pet-status.js';
import { quantityNumber } from '../values/numbers.js';
import { codesInCell, codesText, type CodeOfPet } from '../codes/codes-cell.js';
import { cellError, integerIn, isBlank, isLeftOut, malformedRow, type FileRow } from './cells.js';
import { StoreError } from '../errors.js';
import type { RowError } from './row-error.js';
import { unitsIn } from './stock-row.js';
import { nameProblem, normalizeText } from '../values/text.js';

/** The most different category texts in one file. */
export const maximumCategories = 10_000;

/** The most characters of a category cell: more than a name of 100 code points takes when decomposed and surrounded by spaces. */
const longestCategoryCell = 2000;

type ImportedFields = Omit<PetFields, 'categoryId'>;

/** The same without `categoryId`, which a file replaces by the id or name of the category. */
export function withoutCategory<Fields extends { readonly categoryId: unknown }>(fields: Fields): Omit<Fields, 'categoryId'> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'categoryId')) as Omit<Fields, 'categoryId'>;
}

/** One row of a file of pets, for the OpenAPI document; `checkPetRow` checks the cells. */
export const petRow = v.pipe(
  v.object({
    ...withoutCategory(petFields),
    category: field(withNotes(v.union([v.string(), idNumber]), {}), 'The id or the name of the category.'),
    status: v.optional(petStatus),
    quantity: optional(quantityNumber, 'Units on hand at the start. Default: 1, or 0 for a pet that is sold.'),
    codes: v.optional(codesText),
  }),
  v.metadata({ record: 'PetRow' }),
  v.description('One row of a file of pets.'),
);

type PetColumn = keyof typeof petRow.entries;

/** The columns of a file of pets, in the order of the cells that `checkPetRow` expects. */
export const petRowColumns = Object.keys(petRow.entries) as readonly PetColumn[];

const at = Object.fromEntries(petRowColumns.map((column, index) => [column, index])) as Readonly<Record<PetColumn, number>>;

/** The rows in the examples of the OpenAPI document. */
export const examplePetRows: readonly Readonly<Partial<Record<PetColumn, string | number>>>[] = [
  { name: 'Rex', category: 'Dogs', status: 'available', quantity: 3, codes: '4006381333931' },
  { name: 'Luna', category: 'Cats', status: 'pending', quantity: 1 },
];

/** A row of a file of pets; the category is an id or a name. */
export interface PetDraft extends Required<ImportedFields> {
  readonly line: number;
  readonly category: string;
  readonly status: PetStatus | undefined;
  readonly quantity: number | undefined;
  readonly codes: readonly CodeOfPet[];
}

function isStatus(text: unknown): text is PetStatus {
  return petStatuses.some((status) => status === text);
}

function invalidCell({ line, cells }: FileRow, column: PetColumn, reason: string): RowError {
  return cellError({ line, column, cell: cells[at[column]] }, 'validation_failed', reason);
}

const otherFields = Object.entries<v.GenericSchema>(petFields).filter(([name]) => name !== 'name' && name !== 'categoryId');

/** The fields of a row besides its name and category, checked by their schemas; a cell of a text file may hold a whole number. */
function otherFieldsOf(row: FileRow): Omit<Required<ImportedFields>, 'name'> | RowError {
  const values: Record<string, unknown> = {};
  for (const [column, schema] of otherFields) {
    const cell = row.cells[at[column as PetColumn]];
    const given = isOptional(schema) && isLeftOut(cell, row) ? undefined : cell;
    const asGiven = v.safeParse(schema, given);
    const parsed = asGiven.success || row.isJson === true ? asGiven : v.safeParse(schema, integerIn(given) ?? given);
    if (!parsed.success) return invalidCell(row, column as PetColumn, parsed.issues[0].message);
    values[column] = parsed.output;
  }
  return values as Omit<Required<ImportedFields>, 'name'>;
}

/** The codes of a cell; JSON may have a single one as a number. */
function codesOf(cell: unknown): ReturnType<typeof codesInCell> {
  return typeof cell === 'string' || typeof cell === 'number' ? codesInCell(String(cell)) : 'must be a text: codes separated by spaces';
}

/** Checks one row of a file of pets, without the database. Returns the pet, or the error of the row. */
export function checkPetRow(row: FileRow): PetDraft | RowError {
  const { line, cells, problem } = row;
  if (problem !== undefined) return malformedRow(line, problem);
  const nameCell = cells[at.name];
  const categoryCell = cells[at.category];
  const statusCell = cells[at.status];
  const name = typeof nameCell === 'string' ? normalizeText(nameCell) : '';
  const wrongName = typeof nameCell === 'string' || isBlank(nameCell) ? nameProblem(name) : 'must be a text';
  if (wrongName !== undefined) return invalidCell(row, 'name', wrongName);
  if (isBlank(categoryCell)) return invalidCell(row, 'category', 'must not be blank');
  if (typeof categoryCell !== 'string' && typeof categoryCell !== 'number') return invalidCell(row, 'category', 'must be an id or a name');
  if (String(categoryCell).length > longestCategoryCell) return invalidCell(row, 'category', 'is too long for a name');
  const status = isLeftOut(statusCell, row) ? undefined : typeof statusCell === 'string' ? statusCell.trim() : statusCell;
  if (status !== undefined && !isStatus(status)) return invalidCell(row, 'status', 'must be available, pending or sold');
  const others = otherFieldsOf(row);
  if ('code' in others) return others;
  const quantity = isLeftOut(cells[at.quantity], row) ? undefined : unitsIn(line, 'quantity', cells[at.quantity]);
  if (typeof quantity === 'object') return quantity;
  try {
    openingQuantity(status, quantity);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { line, column: 'quantity', code: error.code, message: error.message };
  }
  const codesCell = cells[at.codes];
  const codes = isLeftOut(codesCell, row) ? [] : codesOf(codesCell);
  if (typeof codes === 'string') return invalidCell(row, 'codes', codes);
  return { line, name, ...others, category: String(categoryCell), status, quantity, codes };
}

/** The normalized category name in a text of a file; undefined for an id. */
export function categoryNameIn(text: string): string | undefined {
  const name = recordName(text.trim());
  return name === undefined ? undefined : normalizeText(name);
}
