import type { CategoryFields, CategoryRow, Category } from './category.js';
import type { Slice } from '../values/pages.js';

/** Selects categories: all, those with a name, or those whose name contains a text. */
export interface CategoryFilter {
  readonly name?: string | undefined;
  readonly q?: string | undefined;
}

/** The sort orders of categories. */
export type CategorySort = 'id' | 'name';

/** Read access to the live categories. */
export interface CategoryReader {
  get(id: number): Promise<CategoryRow | undefined>;
  /** A category without the number of its pets, which takes longer the more there are. */
  find(id: number): Promise<Category | undefined>;
  /** A deleted category. */
  findArchived(id: number): Promise<Category | undefined>;
  /** The oldest category whose name folds like this one. */
  findNamed(name: string): Promise<Category | undefined>;
  list(filter: CategoryFilter, slice: Slice<CategorySort>): Promise<readonly CategoryRow[]>;
  count(filter: CategoryFilter): Promise<number>;
}

/** Write access to the categories. */
export interface CategoryWriter extends CategoryReader {
  insert(fields: CategoryFields): Promise<number>;
  update(id: number, fields: CategoryFields): Promise<void>;
  archive(id: number): Promise<void>;
  /** Puts an archived category back. */
  restore(id: number): Promise<void>;
}
