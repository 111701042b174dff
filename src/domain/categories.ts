import * as v from 'valibot';
import { StoreError } from './errors.js';
import { checkVersion } from './ledger.js';
import { checkBodyId, idNumber, isIdText, notFound } from './numbers.js';
import { lists, reads, writes, type Page, type Versioned } from './operation.js';
import { maximumPage, page, pageParameters, type Position, type Slice } from './page.js';
import type { Call } from './shop.js';
import { didYouMean } from './suggest.js';
import { counted, fold, listed, nameText, noteText, searchText } from './text.js';
import type { Reading, Writing } from './transaction.js';

const fields = { name: nameText, description: v.optional(noteText) };

/** The specification's NewCategory. */
export const newCategory = v.strictObject(fields);
/** The specification's Category. */
export const category = v.object({ id: idNumber, ...fields });
/** The specification's Category. */
export type Category = v.InferOutput<typeof category>;

/** A category as people read it: the contract's record and how many live pets are in it. */
export interface CategoryRow extends Category, Versioned {
  readonly pets: number;
}

/** Which categories are asked for: all, those of one name, or those whose name contains a text. */
export interface CategoryFilter {
  readonly name?: string | undefined;
  readonly q?: string | undefined;
}

type CategorySort = 'id' | 'name';

/** The live categories, for reading. */
export interface CategoryReader {
  get(id: number): Promise<CategoryRow | undefined>;
  /** A category without the count of its pets, which grows with them. */
  find(id: number): Promise<Category | undefined>;
  list(filter: CategoryFilter, slice: Slice<CategorySort>): Promise<readonly CategoryRow[]>;
  count(filter: CategoryFilter, bound?: number): Promise<number>;
}

/** The categories. */
export interface CategoryWriter extends CategoryReader {
  insert(fields: Omit<Category, 'id'>): Promise<number>;
  update(category: Category): Promise<void>;
  archive(id: number): Promise<void>;
}

/** The name in a text that people give for a category: anything but digits, or what stands behind `name:`. */
export function categoryName(text: string): string | undefined {
  if (text.startsWith('name:')) return text.slice('name:'.length);
  return /^[0-9]+$/.test(text) ? undefined : text;
}

/** A category's name as `categoryName` gives it back: one that could be taken for an id stands behind `name:`. */
export function categoryText(name: string): string {
  return categoryName(name) === name ? name : `name:${name}`;
}

/** The end of the sentence about a name that no category has; looked for among so many as one page holds. */
async function nearestCategory(call: Call, name: string): Promise<string> {
  const { items } = await call(listCategories, { limit: maximumPage, sort: 'id', count: false });
  return didYouMean(
    name,
    items.map((item) => item.name),
  );
}

/**
 * The id of a category given by id or name, as people give it. Refuses a name no category has with `missing`
 * and a name that several have with `ambiguous_category`.
 */
export async function findCategory(call: Call, text: string, missing: 'category_not_found' | 'unknown_category'): Promise<number> {
  const name = categoryName(text);
  if (name === undefined) {
    if (isIdText(text) && Number.isSafeInteger(Number(text))) return Number(text);
    throw new StoreError(missing, `There is no category ${text}.`, 'petstore category list');
  }
  const { items } = await call(listCategories, { name, limit: 100, sort: 'id', count: false });
  const exact = items.filter((item) => item.name === name.trim().normalize('NFC'));
  const [found, second] = exact.length > 0 ? exact : items;
  if (found === undefined) throw new StoreError(missing, `There is no category named "${name}"${await nearestCategory(call, name)}`, 'petstore category list');
  if (second === undefined) return found.id;
  const ids = (exact.length > 0 ? exact : items).map(({ id }) => id);
  throw new StoreError('ambiguous_category', `"${name}" names ${ids.length} categories: ${listed(ids)}; give the id.`, 'petstore category list');
}

/** The same for a filter, which no operation refuses: an id no category has is `unknown_category` too. */
export async function findCategoryToFilter(call: Call, text: string): Promise<number> {
  const categoryId = await findCategory(call, text, 'unknown_category');
  // One that was found by its name is there.
  if (categoryName(text) !== undefined) return categoryId;
  try {
    return (await call(getCategory, { categoryId })).id;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'category_not_found') throw error;
    throw new StoreError('unknown_category', `There is no category ${text}.`, 'petstore category list');
  }
}

/** The category, or the refusal `category_not_found`. */
async function categoryOf(tx: Reading, id: number): Promise<CategoryRow> {
  const found = await tx.categories.get(id);
  if (found === undefined) throw notFound('category', id);
  return found;
}

/** Refuses a category id of a body that names no live category. */
export async function checkCategory(tx: Reading, id: number): Promise<void> {
  if ((await tx.categories.find(id)) === undefined) {
    throw new StoreError('unknown_category', `There is no category ${id}.`, 'petstore category list');
  }
}

/** A row's place in a list of categories. */
function categoryPosition({ id, name }: Category, sort: CategorySort): Position {
  return { key: sort === 'name' ? fold(name) : id, id };
}

/** Lists categories. */
export const listCategories = lists({
  id: 'listCategories',
  summary: 'List categories',
  tag: 'Pets',
  path: '/categories',
  input: v.strictObject({ ...pageParameters(['id', 'name']), name: v.optional(searchText), q: v.optional(searchText) }),
  output: category,
  run: (tx, { limit, cursor, sort, count, ...filter }): Promise<Page<CategoryRow>> =>
    page('categories', { limit, cursor, sort, count }, filter, {
      keys: { id: 'id', name: 'text' },
      list: (slice: Slice<CategorySort>) => tx.categories.list(filter, slice),
      position: categoryPosition,
      total: () => tx.categories.count(filter),
    }),
});

/** Reads one category. */
export const getCategory = reads({
  id: 'getCategory',
  summary: 'Read a category',
  tag: 'Pets',
  path: '/categories/{categoryId}',
  input: v.strictObject({ categoryId: idNumber }),
  output: category,
  run: (tx, { categoryId }): Promise<CategoryRow> => categoryOf(tx, categoryId),
});

/** Creates a category. */
export const createCategory = writes({
  id: 'createCategory',
  summary: 'Create a category',
  tag: 'Pets',
  method: 'POST',
  path: '/categories',
  status: 201,
  input: v.strictObject({ body: newCategory }),
  output: category,
  run: async (tx, { body }) => {
    const id = await tx.categories.insert(body);
    await tx.ledger.append({ kind: 'category.created', categoryId: id });
    return categoryOf(tx, id);
  },
});

async function change(tx: Writing, before: CategoryRow, after: Category): Promise<CategoryRow> {
  await checkVersion(tx, `Category ${before.id}`, { categoryId: before.id });
  if (after.name === before.name && after.description === before.description) return before;
  await tx.categories.update(after);
  await tx.ledger.append({ kind: 'category.updated', categoryId: before.id });
  return categoryOf(tx, before.id);
}

/** Replaces a category. */
export const replaceCategory = writes({
  id: 'replaceCategory',
  summary: 'Replace a category',
  tag: 'Pets',
  method: 'PUT',
  path: '/categories/{categoryId}',
  status: 200,
  input: v.strictObject({ categoryId: idNumber, body: v.strictObject({ id: v.optional(idNumber), ...fields }) }),
  output: category,
  run: async (tx, { categoryId, body: { id, ...wanted } }) => {
    checkBodyId(id, categoryId);
    return change(tx, await categoryOf(tx, categoryId), { id: categoryId, ...wanted });
  },
});

/** Changes some fields of a category; a null description is removed. */
export const updateCategory = writes({
  id: 'updateCategory',
  summary: 'Change some fields of a category',
  tag: 'Pets',
  method: 'PATCH',
  path: '/categories/{categoryId}',
  status: 200,
  input: v.strictObject({
    categoryId: idNumber,
    body: v.strictObject({ id: v.optional(idNumber), name: v.optional(nameText), description: v.nullish(noteText) }),
  }),
  output: category,
  run: async (tx, { categoryId, body: { id, name, description } }) => {
    checkBodyId(id, categoryId);
    const before = await categoryOf(tx, categoryId);
    const kept = description === undefined ? before.description : (description ?? undefined);
    return change(tx, before, { id: categoryId, name: name ?? before.name, ...(kept !== undefined && { description: kept }) });
  },
});

/** Archives a category; its pets must have gone or go to `moveTo` first. */
export const deleteCategory = writes({
  id: 'deleteCategory',
  summary: 'Delete a category',
  tag: 'Pets',
  method: 'DELETE',
  path: '/categories/{categoryId}',
  status: 204,
  input: v.strictObject({ categoryId: idNumber, moveTo: v.optional(idNumber) }),
  output: category,
  run: async (tx, { categoryId, moveTo }) => {
    const before = await categoryOf(tx, categoryId);
    await checkVersion(tx, `Category ${categoryId}`, { categoryId });
    if (moveTo === categoryId) throw new StoreError('validation_failed', `moveTo: must be another category than ${categoryId}.`);
    if (moveTo !== undefined) await movePets(tx, categoryId, moveTo);
    else if (before.pets > 0) {
      throw new StoreError(
        'category_in_use',
        `Category ${categoryId} (${before.name}) still has ${counted(before.pets, 'pet')}.`,
        `petstore category delete ${categoryId} --help`,
      );
    }
    await tx.categories.archive(categoryId);
    await tx.ledger.append({ kind: 'category.archived', categoryId });
    return before;
  },
});

async function movePets(tx: Writing, from: number, to: number): Promise<void> {
  await checkCategory(tx, to);
  const moved = await tx.pets.moveCategory(from, to);
  for (const petId of moved) await tx.ledger.append({ kind: 'pet.updated', petId });
}
