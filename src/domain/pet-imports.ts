import * as v from 'valibot';
import { categoryName } from './categories.js';
import { cellError, integerIn, isBlank, isLeftOut, malformedRow, type FileRow } from './cells.js';
import { StoreError } from './errors.js';
import { importParameters, importReport, type ImportOptions, type RowError } from './imports.js';
import { maximumQuantity } from './numbers.js';
import { performs } from './operation.js';
import { openingQuantity } from './pets.js';
import type { PetStatus } from './stock.js';
import { listed, nameProblem, tidy } from './text.js';
import type { Reading } from './transaction.js';

/** The columns of a file of pets, in the order in which `checkPetRow` takes their cells. */
export const petColumns = ['name', 'category', 'status', 'quantity'] as const;

/** How a file of pets is to be imported. */
export interface PetImportOptions extends ImportOptions {
  /** Create the categories that the file names and the shop lacks. */
  readonly createCategories?: boolean;
}

/** Creates the pets of a file in one transaction; the shop performs it by `importPets`. */
export const importPets = performs({
  id: 'importPets',
  summary: 'Create the pets of a file',
  tag: 'Pets',
  stability: 'beta',
  method: 'POST',
  path: '/pets/imports',
  status: 200,
  input: v.strictObject({ ...importParameters, createCategories: v.optional(v.boolean('must be true or false'), false) }),
  output: importReport,
});

/** The most spellings of categories in one file. */
export const maximumCategories = 10_000;
/** Characters of a category's cell: a name of 100 code points, decomposed and with spaces around it, has fewer. */
const longestCategoryCell = 2000;

/** A pet as a file gives it; the category is an id or a name. */
export interface PetDraft {
  readonly line: number;
  readonly name: string;
  readonly category: string;
  readonly status: PetStatus | undefined;
  readonly quantity: number | undefined;
}

const statuses: readonly string[] = ['available', 'pending', 'sold'];

function isStatus(text: unknown): text is PetStatus {
  return typeof text === 'string' && statuses.includes(text);
}

function quantityOf(row: FileRow, cell: unknown): number | undefined | RowError {
  const { line } = row;
  if (isLeftOut(cell, row)) return undefined;
  const quantity = integerIn(cell);
  if (quantity === undefined) return cellError(line, 'quantity', cell, 'invalid_quantity', 'is not a whole number');
  if (quantity < 0 || quantity > maximumQuantity) return cellError(line, 'quantity', cell, 'invalid_quantity', `is not between 0 and ${maximumQuantity}`);
  return quantity;
}

/** Checks one row on its own: the pet it describes, or what is wrong with it. */
export function checkPetRow(row: FileRow): PetDraft | RowError {
  const { line, cells, problem } = row;
  if (problem !== undefined) return malformedRow(line, problem);
  const [nameCell, categoryCell, statusCell, quantityCell] = cells;
  const name = typeof nameCell === 'string' ? tidy(nameCell) : '';
  const wrongName = typeof nameCell === 'string' || isBlank(nameCell) ? nameProblem(name) : 'must be a text';
  if (wrongName !== undefined) return cellError(line, 'name', nameCell, 'validation_failed', wrongName);
  if (isBlank(categoryCell)) return cellError(line, 'category', categoryCell, 'validation_failed', 'must not be blank');
  if (typeof categoryCell !== 'string' && typeof categoryCell !== 'number') {
    return cellError(line, 'category', categoryCell, 'validation_failed', 'must be an id or a name');
  }
  if (String(categoryCell).length > longestCategoryCell) return cellError(line, 'category', categoryCell, 'validation_failed', 'is too long for a name');
  const status = isLeftOut(statusCell, row) ? undefined : typeof statusCell === 'string' ? statusCell.trim() : statusCell;
  if (status !== undefined && !isStatus(status)) {
    return cellError(line, 'status', statusCell, 'validation_failed', 'must be available, pending or sold');
  }
  const quantity = quantityOf(row, quantityCell);
  if (typeof quantity === 'object') return quantity;
  try {
    openingQuantity(status, quantity);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { line, column: 'quantity', code: error.code, message: error.message };
  }
  return { line, name, category: String(categoryCell), status, quantity };
}

/** What a spelling of a category means: one that stands, one to create, or why it is neither. */
export type ResolvedCategory =
  | { readonly id: number; readonly name: string }
  | { readonly create: string }
  | { readonly code: 'unknown_category' | 'ambiguous_category' | 'validation_failed'; readonly reason: string };

/** The name that a spelling of a category gives; undefined where it is an id. */
export function spelledName(text: string): string | undefined {
  const given = categoryName(text.trim());
  return given === undefined ? undefined : tidy(given);
}

/** Resolves a category as a file spells it: an id, or a name; `create` allows one that does not stand yet. */
export async function resolveCategory(tx: Reading, text: string, create: boolean): Promise<ResolvedCategory> {
  const trimmed = text.trim();
  const name = spelledName(text);
  if (name === undefined) {
    const found = Number.isSafeInteger(Number(trimmed)) ? await tx.categories.find(Number(trimmed)) : undefined;
    return found ? { id: found.id, name: found.name } : { code: 'unknown_category', reason: 'is not the id of a category' };
  }
  const named = await tx.categories.list({ name }, { sort: 'id', descending: false, from: undefined, limit: 11 });
  const exact = named.filter((one) => one.name === name);
  const candidates = exact.length > 0 ? exact : named;
  const [first, second] = candidates;
  if (first && second) return { code: 'ambiguous_category', reason: `names several categories: ${listed(candidates.map(({ id }) => id))}` };
  if (first) return { id: first.id, name: first.name };
  if (!create) return { code: 'unknown_category', reason: 'is not a category; create it first, or use --create-categories' };
  const wrong = nameProblem(name);
  return wrong === undefined ? { create: name } : { code: 'validation_failed', reason: wrong };
}

/** The report of a row whose category is not one. */
export function categoryError(line: number, category: string, { code, reason }: Extract<ResolvedCategory, { readonly code: string }>): RowError {
  return cellError(line, 'category', category, code, reason);
}
