import { categoryName } from './categories.js';
import { cellError, integerIn, isBlank, malformedRow, type FileRow } from './cells.js';
import { StoreError } from './errors.js';
import { keptErrors, refusesAll, type FileFacts, type ImportOptions, type ImportReport, type RefusedRow, type RowError } from './imports.js';
import { maximumQuantity } from './numbers.js';
import { addPet, openingQuantity } from './pets.js';
import type { PetStatus } from './stock.js';
import { fold, listed, nameProblem, tidy } from './text.js';
import type { Reading, Writing } from './transaction.js';

/** The columns of a file of pets, in the order in which `checkPetRow` takes their cells. */
export const petColumns = ['name', 'category', 'status', 'quantity'] as const;

/** How a file of pets is to be imported. */
export interface PetImportOptions extends ImportOptions {
  /** Create the categories that the file names and the shop lacks. */
  readonly createCategories?: boolean;
}

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

function quantityOf(line: number, cell: unknown): number | undefined | RowError {
  if (isBlank(cell)) return undefined;
  const quantity = integerIn(cell);
  if (quantity === undefined) return cellError(line, 'quantity', cell, 'invalid_quantity', 'is not a whole number');
  if (quantity < 0 || quantity > maximumQuantity) return cellError(line, 'quantity', cell, 'invalid_quantity', `is not between 0 and ${maximumQuantity}`);
  return quantity;
}

/** Checks one row on its own: the pet it describes, or what is wrong with it. */
export function checkPetRow({ line, cells, problem }: FileRow): PetDraft | RowError {
  if (problem !== undefined) return malformedRow(line, problem);
  const [nameCell, categoryCell, statusCell, quantityCell] = cells;
  const name = typeof nameCell === 'string' ? tidy(nameCell) : '';
  const wrongName = nameProblem(name);
  if (wrongName !== undefined) return cellError(line, 'name', nameCell, 'validation_failed', wrongName);
  if (isBlank(categoryCell)) return cellError(line, 'category', categoryCell, 'validation_failed', 'must not be blank');
  if (typeof categoryCell !== 'string' && typeof categoryCell !== 'number') {
    return cellError(line, 'category', categoryCell, 'validation_failed', 'must be an id or a name');
  }
  const status = isBlank(statusCell) ? undefined : typeof statusCell === 'string' ? statusCell.trim() : statusCell;
  if (status !== undefined && !isStatus(status)) {
    return cellError(line, 'status', statusCell, 'validation_failed', 'must be available, pending or sold');
  }
  const quantity = quantityOf(line, quantityCell);
  if (typeof quantity === 'object') return quantity;
  try {
    openingQuantity(status, quantity);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { line, column: 'quantity', code: error.code, message: error.message };
  }
  return { line, name, category: String(categoryCell), status, quantity };
}

type Resolved =
  | { readonly id: number }
  | { readonly create: string }
  | { readonly code: 'unknown_category' | 'ambiguous_category' | 'validation_failed'; readonly reason: string };

async function resolveCategory(tx: Reading, text: string, create: boolean): Promise<Resolved> {
  const trimmed = text.trim();
  const given = categoryName(trimmed);
  if (given === undefined) {
    const found = Number.isSafeInteger(Number(trimmed)) ? await tx.categories.get(Number(trimmed)) : undefined;
    return found ? { id: found.id } : { code: 'unknown_category', reason: 'is not the id of a category' };
  }
  const name = tidy(given);
  const named = await tx.categories.list({ name }, { sort: 'id', descending: false, from: undefined, limit: 11 });
  const exact = named.filter((one) => one.name === name);
  const candidates = exact.length > 0 ? exact : named;
  const [first, second] = candidates;
  if (first && second) return { code: 'ambiguous_category', reason: `names several categories: ${listed(candidates.map(({ id }) => id))}` };
  if (first) return { id: first.id };
  if (!create) return { code: 'unknown_category', reason: 'is not a category; create it first, or use --create-categories' };
  const wrong = nameProblem(name);
  return wrong === undefined ? { create: name } : { code: 'validation_failed', reason: wrong };
}

/** Resolves each spelling of a category once; names that fold alike are one new category. */
async function resolveCategories(tx: Reading, drafts: readonly PetDraft[], create: boolean): Promise<ReadonlyMap<string, Resolved>> {
  const resolved = new Map<string, Resolved>();
  for (const { category } of drafts) {
    if (!resolved.has(category)) resolved.set(category, await resolveCategory(tx, category, create));
  }
  return resolved;
}

function unresolved(draft: PetDraft, resolved: ReadonlyMap<string, Resolved>): RowError | undefined {
  const category = resolved.get(draft.category);
  if (category === undefined || !('code' in category)) return undefined;
  return cellError(draft.line, 'category', draft.category, category.code, category.reason);
}

/** Applies the checked rows of a file of pets in one transaction, or refuses them as `options` says. */
export async function importPets(tx: Writing, rows: readonly (PetDraft | RowError)[], facts: FileFacts, options: PetImportOptions): Promise<ImportReport> {
  const fresh = [...rows.entries()].filter(([place]) => !facts.alreadyApplied(place));
  const wellFormed = fresh.flatMap(([, row]) => ('code' in row ? [] : [row]));
  const resolved = await resolveCategories(tx, wellFormed, options.createCategories === true);
  const refusals: RefusedRow[] = [];
  const good: PetDraft[] = [];
  for (const [place, row] of fresh) {
    const outcome = 'code' in row ? row : (unresolved(row, resolved) ?? row);
    if ('code' in outcome) refusals.push({ place, error: outcome });
    else good.push(outcome);
  }
  const refused = refusesAll(options, refusals.length);
  const applied = refused ? 0 : good.length;
  const state = refused || (applied === 0 && refusals.length > 0) ? 'refused' : refusals.length > 0 ? 'partial' : 'applied';
  const batchId = await tx.batches.insert(
    { kind: 'pets', state, key: facts.key, sha256: facts.sha256, mode: options.mode, total: rows.length, applied, unchanged: 0, rejected: refusals.length },
    refusals.map(({ error }) => error),
    refusals.map(({ place }) => place).join(','),
  );
  if (!refused) await addPets(tx, good, resolved, batchId);
  for (const { place, error } of refusals) await options.onRejected?.(error, facts.original(place));
  return {
    batch: options.dryRun === true ? null : batchId,
    dryRun: options.dryRun === true,
    mode: options.mode,
    total: rows.length,
    applied,
    unchanged: 0,
    rejected: refusals.length,
    alreadyApplied: rows.length - fresh.length,
    errors: refusals.slice(0, keptErrors).map(({ error }) => error),
    errorsOmitted: Math.max(0, refusals.length - keptErrors),
  };
}

async function addPets(tx: Writing, drafts: readonly PetDraft[], resolved: ReadonlyMap<string, Resolved>, batchId: number): Promise<void> {
  const created = new Map<string, number>();
  for (const { line, name, category, status, quantity } of drafts) {
    const found = resolved.get(category);
    let categoryId = found && 'id' in found ? found.id : undefined;
    if (found && 'create' in found) {
      categoryId = created.get(fold(found.create));
      if (categoryId === undefined) {
        categoryId = await tx.categories.insert({ name: found.create });
        created.set(fold(found.create), categoryId);
        await tx.ledger.append({ kind: 'category.created', categoryId, batchId, line });
      }
    }
    if (categoryId === undefined) throw new Error(`Line ${line} has no category.`);
    await addPet(tx, { name, categoryId, status }, quantity, { batchId, line });
  }
}
