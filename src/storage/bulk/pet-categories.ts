import { keptCategoryNames, type MatchedName } from '../../domain/imports/import-report.js';
import { categoryError, resolveCategory } from '../../domain/imports/resolve-category.js';
import { categoryNameIn } from '../../domain/imports/pet-row.js';
import { fold } from '../../domain/values/text.js';
import type { ReadTransaction, WriteTransaction } from '../../domain/transaction.js';
import type { StagedPets } from './bulk-port.js';
import type { RefusedRows } from './refused-rows.js';

/** The categories that the spellings in a file resolve to. */
export interface Resolution {
  readonly ids: Map<string, number>;
  /** Categories to create, by folded name, with their spellings and the first line that uses them. */
  readonly newCategories: Map<string, { readonly name: string; readonly line: number; readonly spellings: string[] }>;
  /** The first names that matched a category of another name, which folds alike. */
  readonly inexactMatches: MatchedName[];
  /** The number of all such names. */
  inexactCount: number;
}

/** How categories are resolved, and where the rows are refused whose category is unknown. */
interface ResolveOptions {
  /** Whether unknown names are created. */
  readonly create: boolean;
  readonly refused: RefusedRows;
}

/** Notes that a spelling in the file matched a category, if it has another name. */
function noteMatch(resolution: Resolution, spelling: string, category: string): void {
  const name = categoryNameIn(spelling);
  if (name === undefined || name === category) return;
  resolution.inexactCount += 1;
  if (resolution.inexactMatches.length < keptCategoryNames) resolution.inexactMatches.push({ name, category });
}

/** Resolves each spelling once and refuses the pets of unknown ones. New names that fold alike become one category. */
export async function resolveCategories(
  tx: ReadTransaction,
  drafts: Pick<StagedPets, 'categories' | 'removeCategory'>,
  { create, refused }: ResolveOptions,
): Promise<Resolution> {
  const resolution: Resolution = { ids: new Map(), newCategories: new Map(), inexactMatches: [], inexactCount: 0 };
  for (const { category, line } of await drafts.categories()) {
    const found = await resolveCategory(tx, category, { create });
    if ('id' in found) {
      resolution.ids.set(category, found.id);
      noteMatch(resolution, category, found.name);
    } else if ('code' in found) {
      await drafts.removeCategory(category, ({ rowIndex, line: at }) => refused.addProvisional({ rowIndex, error: categoryError(at, category, found) }));
    } else {
      const folded = fold(found.create);
      const known = resolution.newCategories.get(folded);
      if (known) {
        known.spellings.push(category);
        noteMatch(resolution, category, known.name);
      } else resolution.newCategories.set(folded, { name: found.create, line, spellings: [category] });
    }
  }
  return resolution;
}

/** Creates the new categories and returns the id of every spelling. */
export async function createCategories(tx: WriteTransaction, { ids, newCategories }: Resolution, batchId: number): Promise<ReadonlyMap<string, number>> {
  for (const { name, line, spellings } of newCategories.values()) {
    const categoryId = await tx.categories.insert({ name });
    await tx.ledger.append({ kind: 'category.created', categoryId, batchId, line });
    for (const spelling of spellings) ids.set(spelling, categoryId);
  }
  return ids;
}
