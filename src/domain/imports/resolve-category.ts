import { categoryNameIn } from './pet-row.js';
import { cellError } from './cells.js';
import type { RowError } from './row-error.js';
import { exactOrAll } from '../values/record-name.js';
import { joinItems, maximumNamed, nameProblem } from '../values/text.js';
import type { ReadTransaction } from '../transaction.js';
import { oldestRows } from '../values/pages.js';

/** The category that a text of a file names: an existing one, one to create, or why it is neither. */
export type ResolvedCategory = { readonly id: number; readonly name: string } | { readonly create: string } | UnresolvedCategory;

/** Why a text names no category. */
export interface UnresolvedCategory {
  readonly code: 'unknown_category' | 'ambiguous_category' | 'validation_failed';
  readonly reason: string;
}

/** How the categories of a file are resolved. */
export interface ResolveOptions {
  /** Whether a name that does not exist yet is one to create. */
  readonly create: boolean;
}

/** Finds the category that a text of a file names, by id or name, see `exactOrAll`. */
export async function resolveCategory(tx: ReadTransaction, text: string, { create }: ResolveOptions): Promise<ResolvedCategory> {
  const trimmed = text.trim();
  const name = categoryNameIn(text);
  if (name === undefined) {
    const found = Number.isSafeInteger(Number(trimmed)) ? await tx.categories.find(Number(trimmed)) : undefined;
    return found ? { id: found.id, name: found.name } : { code: 'unknown_category', reason: 'is not the id of a category' };
  }
  const named = await tx.categories.list({ name }, oldestRows(maximumNamed + 1));
  const candidates = exactOrAll(named, name);
  const [first, second] = candidates;
  if (first && second) return { code: 'ambiguous_category', reason: `names several categories: ${joinItems(candidates.map(({ id }) => id))}` };
  if (first) return { id: first.id, name: first.name };
  if (!create) return { code: 'unknown_category', reason: 'is not a category; create it first' };
  const wrong = nameProblem(name);
  return wrong === undefined ? { create: name } : { code: 'validation_failed', reason: wrong };
}

/** The error of a row whose category was not found. */
export function categoryError(line: number, category: string, { code, reason }: UnresolvedCategory): RowError {
  return cellError({ line, column: 'category', cell: category }, code, reason);
}
