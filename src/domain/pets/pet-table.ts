import type { PetFields, PetRow } from './pet.js';
import type { PetDetails } from './pet-details.js';
import type { PetFilter } from './pet-filter.js';
import type { Slice } from '../values/pages.js';

/** The sort orders of pets. */
export type PetSort = 'id' | 'name';

/** A pet with what its details show. */
export interface PetWithDetails extends Pick<PetDetails, 'category' | 'openOrders' | 'createdAt' | 'updatedAt' | 'lastCounted'> {
  readonly row: PetRow;
  /** The version of its category. */
  readonly categoryVersion: number;
}

/** Read access to the live pets. */
export interface PetReader {
  get(id: number): Promise<PetRow | undefined>;
  /** The same with what the details of a pet show: one query, because they are read most often. */
  withDetails(id: number): Promise<PetWithDetails | undefined>;
  list(filter: PetFilter, slice: Slice<PetSort>): Promise<readonly PetRow[]>;
  count(filter: PetFilter, bound?: number): Promise<number>;
  /** The names of a few pets, deleted ones included; unknown ids are left out. */
  names(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** The pets that existed at an instant, with their figures at that time; name and category are the present ones. */
  listAt(instant: string, filter: Pick<PetFilter, 'categoryId' | 'q'>, slice: Slice<'id'>): Promise<readonly PetRow[]>;
  countAt(instant: string, filter: Pick<PetFilter, 'categoryId' | 'q'>): Promise<number>;
}

/** Write access to the pets. */
export interface PetWriter extends PetReader {
  insert(pet: PetFields & { readonly hold: boolean }): Promise<number>;
  update(id: number, fields: PetFields): Promise<void>;
  setHold(id: number, hold: boolean): Promise<void>;
  archive(id: number): Promise<void>;
  /** Puts an archived pet back. */
  restore(id: number): Promise<void>;
  /** Moves every live pet of a category to another category. Returns their ids. */
  moveCategory(from: number, to: number): Promise<readonly number[]>;
}
