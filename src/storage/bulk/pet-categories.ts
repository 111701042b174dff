import { keptCategoryNames, type MatchedName } from '../../domain/imports/import-report.js';
import { categoryError, resolveCategory } from '../../domain/imports/resolve-category.js';
import { categoryNameIn } from '../../domain/imports/pet-row.js';
import { fold } from '../../domain/values/text.js';
import type { ReadTransaction, WriteTransaction } from '../../domain/transaction.js';
import type { StagedPets } from './bulk-port.js';
import type { Queries } from '../queries.js';
import { sql } from '../sql.js';
import { highestId } from '../tables/ids.js';
import { categoryTable } from '../tables/category-table.js';
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

/** Categories that were resolved, and created without their ledger entries, before the lock was held. */
export interface EarlyCategories extends Resolution {
  /** The ids of the new categories, by folded name. */
  readonly created: ReadonlyMap<string, number>;
  /** The newest ledger entry before. */
  readonly newest: number;
}

/** Resolves the categories without the lock and creates the new ones; undefined when a pet is refused for its category. */
export async function createEarly(
  queries: Queries,
  tx: ReadTransaction,
  drafts: Pick<StagedPets, 'categories'>,
  options: ResolveOptions,
): Promise<EarlyCategories | undefined> {
  const newest = await highestId(queries, 'ledger');
  let isRefused = false;
  const removeCategory = async (): Promise<void> => void (isRefused = true);
  const resolution = await resolveCategories(tx, { categories: drafts.categories, removeCategory }, options);
  if (isRefused) return undefined;
  const created = new Map<string, number>();
  for (const [folded, { name }] of resolution.newCategories) created.set(folded, await categoryTable(queries).insert({ name }));
  return { ...resolution, created, newest };
}

/** The ids of all spellings, with those of the new categories. */
export function idsOf({ ids, newCategories, created }: EarlyCategories): ReadonlyMap<string, number> {
  const all = new Map(ids);
  for (const [folded, { spellings }] of newCategories) for (const spelling of spellings) all.set(spelling, created.get(folded) ?? 0);
  return all;
}

/** Whether no other writer has changed a category since; asked under the lock. Each change has a ledger entry. */
export async function areCurrent(queries: Queries, { newest }: EarlyCategories): Promise<boolean> {
  return (await queries.get(sql`SELECT 1 AS one FROM ledger WHERE category_id IS NOT NULL AND id > ${newest} LIMIT 1`)) === undefined;
}

/** Creates the new categories, unless that was done early, and returns the id of every spelling. */
export async function createCategories(
  tx: WriteTransaction,
  { ids, newCategories }: Resolution,
  batchId: number,
  created?: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  for (const [folded, { name, line, spellings }] of newCategories) {
    const categoryId = created?.get(folded) ?? (await tx.categories.insert({ name }));
    await tx.ledger.append({ kind: 'category.created', categoryId, batchId, line });
    for (const spelling of spellings) ids.set(spelling, categoryId);
  }
  return ids;
}
