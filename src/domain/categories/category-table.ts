import type { CategoryRow, Category } from './category.js';
import type { Slice } from '../values/pages.js';

/** Which categories are asked for: all, those of one name, or those whose name contains a text. */
export interface CategoryFilter {
  readonly name?: string | undefined;
  readonly q?: string | undefined;
}

/** What categories are sorted by. */
export type CategorySort = 'id' | 'name';

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
