import { resolveCategory, type ResolveOptions, type UnresolvedCategory } from '../../domain/imports/resolve-category.js';
import { categoryNameIn, type PetDraft } from '../../domain/imports/pet-row.js';
import { fold } from '../../domain/values/text.js';
import type { ReadTransaction, WriteTransaction } from '../../domain/transaction.js';
import { rowWarnings } from './import-batch.js';

/** The categories that the spellings in a file resolve to. */
export interface Resolution {
  readonly ids: Map<string, number>;
  /** Categories to create, by folded name, with their spellings and the first line that uses them. */
  readonly newCategories: Map<string, { readonly name: string; readonly line: number; readonly spellings: string[] }>;
  /** Names that were found as a category of another name, which folds alike, and doubtful codes. */
  readonly warnings: ReturnType<typeof rowWarnings>;
}

/** Notes that a spelling in the file was found as a category, if that has another name. */
function noteMatch({ warnings }: Resolution, line: number, spelling: string, category: string): void {
  const name = categoryNameIn(spelling);
  if (name !== undefined && name !== category) warnings.add({ line, value: name, message: `The category "${name}" was read as "${category}".` });
}

/** Resolves spellings, each once; `create` creates unknown names. New names that fold alike become one category. */
export function categoryResolver(tx: ReadTransaction, { create }: ResolveOptions) {
  const resolution: Resolution = { ids: new Map(), newCategories: new Map(), warnings: rowWarnings() };
  const known = new Map<string, UnresolvedCategory | undefined>();
  const resolve = async (category: string, line: number): Promise<UnresolvedCategory | undefined> => {
    const found = await resolveCategory(tx, category, { create });
    if ('code' in found) return found;
    if ('id' in found) {
      resolution.ids.set(category, found.id);
      noteMatch(resolution, line, category, found.name);
      return undefined;
    }
    const folded = fold(found.create);
    const other = resolution.newCategories.get(folded);
    if (other) {
      other.spellings.push(category);
      noteMatch(resolution, line, category, other.name);
    } else resolution.newCategories.set(folded, { name: found.create, line, spellings: [category] });
    return undefined;
  };
  return {
    resolution,
    /** Why the category of a row is not found; undefined for one that is. */
    problemOf: async ({ category, line }: Pick<PetDraft, 'category' | 'line'>): Promise<UnresolvedCategory | undefined> => {
      if (!known.has(category)) known.set(category, await resolve(category, line));
      return known.get(category);
    },
  };
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
