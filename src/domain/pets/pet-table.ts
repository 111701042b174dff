import type { PetRow, Pet } from './pet.js';
import type { PetFilter } from './pet-filter.js';
import type { Lines, Position, Slice } from '../values/pages.js';
import { fold } from '../values/text.js';

/** What pets are sorted by. */
export type PetSort = 'id' | 'name';

/** The live pets, for reading. */
export interface PetReader {
  get(id: number): Promise<PetRow | undefined>;
  list(filter: PetFilter, slice: Slice<PetSort>): Promise<readonly PetRow[]>;
  count(filter: PetFilter, bound?: number): Promise<number>;
  /** The pets that stood at an instant, with the figures of then; name and category are the present ones. */
  listAt(instant: string, filter: Pick<PetFilter, 'categoryId'>, slice: Slice<'id'>): Promise<readonly PetRow[]>;
  countAt(instant: string, filter: Pick<PetFilter, 'categoryId'>): Promise<number>;
  /** The live pets as lines of TSV in the order of ids; undefined where a column is none of a pet's, or there are too many. */
  lines(filter: PetFilter, columns: readonly string[], slice: Pick<Slice<'id'>, 'descending' | 'limit'>): AsyncIterable<Lines> | undefined;
}

/** The pets. */
export interface PetWriter extends PetReader {
  insert(fields: { readonly name: string; readonly categoryId: number; readonly hold: boolean }): Promise<number>;
  update(id: number, fields: { readonly name: string; readonly categoryId: number }): Promise<void>;
  setHold(id: number, hold: boolean): Promise<void>;
  archive(id: number): Promise<void>;
  /** Moves every live pet of a category to another and answers their ids. */
  moveCategory(from: number, to: number): Promise<readonly number[]>;
}

/** A row's place in a list of pets. */
export function petPosition({ id, name }: Pet, sort: PetSort): Position {
  return { key: sort === 'name' ? fold(name) : id, id };
}
