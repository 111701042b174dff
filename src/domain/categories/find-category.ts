import { listCategories } from './list-categories.js';
import { getCategory } from './get-category.js';
import { StoreError, unlessRefused } from '../errors.js';
import { idIn } from '../values/ids.js';
import { exactOrAll, recordName } from '../values/record-name.js';
import { maximumPage } from '../values/pages.js';
import type { Call } from '../call.js';
import { didYouMean } from '../values/suggest.js';
import { joinItems, normalizeText } from '../values/text.js';

/** The end of the sentence about an unknown name: a similar name among the first page of categories, if there is one. */
async function nearestCategory(call: Call, name: string): Promise<string> {
  const { items } = await call(listCategories, { limit: maximumPage });
  return didYouMean(
    name,
    items.map((item) => item.name),
  );
}

/**
 * The id of a category that a user gives by id or name, see `exactOrAll`. Refuses an unknown name with `missing`, and a name of several
 * categories with `ambiguous_category`.
 */
export async function findCategory(call: Call, text: string, missing: 'category_not_found' | 'unknown_category'): Promise<number> {
  const name = recordName(text);
  if (name === undefined) {
    const id = idIn(text);
    if (id !== undefined) return id;
    throw new StoreError(missing, `There is no category ${text}.`, { details: { categoryText: text } });
  }
  const { items } = await call(listCategories, { name, limit: 100 });
  const named = exactOrAll(items, normalizeText(name));
  const [found, second] = named;
  if (found === undefined)
    throw new StoreError(missing, `There is no category named "${name}"${await nearestCategory(call, name)}`, { details: { categoryText: text } });
  if (second === undefined) return found.id;
  const ids = joinItems(named.map(({ id }) => id));
  throw new StoreError('ambiguous_category', `"${name}" names ${named.length} categories: ${ids}; give the id.`, { details: { categoryText: text } });
}

/** Like `findCategory`, for a filter. A list operation accepts any id, so an unknown one is refused here with `unknown_category`. */
export async function findCategoryToFilter(call: Call, text: string): Promise<number> {
  const categoryId = await findCategory(call, text, 'unknown_category');
  // A category found by its name exists.
  if (recordName(text) !== undefined) return categoryId;
  if ((await unlessRefused(call(getCategory, { categoryId }), 'category_not_found')) !== undefined) return categoryId;
  throw new StoreError('unknown_category', `There is no category ${text}.`, { details: { categoryText: text } });
}
