import type { PetFilter } from '../pets/pet-filter.js';
import type { Slice } from '../values/pages.js';
import type { CategoryFigures, Count, CountState } from './count.js';
import type { CountLine, NewLine } from './count-line.js';
import type { CountPet, CountPetState } from './count-pet.js';
import type { MissingPolicy, PetAtClose, Tally, TallyChange } from './count-rules.js';
import type { ErrorCode } from '../errors.js';

/** Selects counts. */
export interface CountFilter {
  readonly state?: CountState | undefined;
}

/** Selects pets of a count. */
export interface CountPetFilter {
  readonly state?: CountPetState | undefined;
  readonly q?: string | undefined;
  readonly petId?: number | undefined;
}

/** Selects lines of a count. */
export interface CountLineFilter {
  readonly by?: string | undefined;
  readonly petId?: number | undefined;
}

/** A pet in an open count. */
export interface PetInOpenCount {
  readonly petId: number;
  readonly name: string;
  readonly countId: number;
}

/** A pet as a line of a count needs it. */
export interface PetToCount {
  readonly petId: number;
  readonly name: string;
  /** Units on hand; undefined for a deleted pet. */
  readonly onHand: number | undefined;
  readonly isInCount: boolean;
  readonly tally: Tally | undefined;
}

/** A line to store. */
export interface LineDraft extends NewLine {
  readonly name: string;
  readonly onHand: number;
}

/** Read access to the counts. */
export interface CountReader {
  get(id: number): Promise<Count | undefined>;
  list(filter: CountFilter, slice: Slice<'id'>): Promise<readonly Count[]>;
  count(filter: CountFilter): Promise<number>;
  pets(countId: number, filter: CountPetFilter, slice: Slice<'petId'>): Promise<readonly CountPet[]>;
  totalPets(countId: number, filter: CountPetFilter): Promise<number>;
  lines(countId: number, filter: CountLineFilter, slice: Slice<'id'>): Promise<readonly CountLine[]>;
  totalLines(countId: number, filter: CountLineFilter): Promise<number>;
  /** The figures of a count by category, by the name of the category. */
  categories(countId: number): Promise<readonly CategoryFigures[]>;
  /** The first pets that match a filter and are in an open count. */
  inOpenCounts(filter: PetFilter, limit: number): Promise<readonly PetInOpenCount[]>;
  /** Those of these pets that are in an open count. */
  inOpenCountsAmong(petIds: readonly number[]): Promise<readonly PetInOpenCount[]>;
  /** The pets of an open count that a close would change, or could not; none for another count. */
  changing(countId: number, missing: MissingPolicy, slice: Slice<'petId'>): Promise<readonly PetAtClose[]>;
  totalChanging(countId: number, missing: MissingPolicy): Promise<number>;
  line(countId: number, lineId: number): Promise<CountLine | undefined>;
}

/** Write access to the counts. */
export interface CountWriter extends CountReader {
  /** Starts a count of the pets that match a filter. */
  insert(draft: Pick<Count, 'blind' | 'note'>, filter: PetFilter): Promise<number>;
  /** Those of these pets that exist or existed, by id. */
  petsToCount(countId: number, petIds: readonly number[]): Promise<ReadonlyMap<number, PetToCount>>;
  /** The lines of a count that the caller has sent under these keys, by key. */
  linesUnder(countId: number, keys: readonly string[]): Promise<ReadonlyMap<string, CountLine>>;
  /** Adds pets to a count that are in no open one. */
  addPets(countId: number, petIds: readonly number[]): Promise<void>;
  /** Stores lines and returns them in the same order. */
  addLines(countId: number, drafts: readonly LineDraft[]): Promise<readonly CountLine[]>;
  undoLine(countId: number, lineId: number): Promise<void>;
  /** What the lines of a pet come to, computed again from all of them. */
  tally(countId: number, petId: number): Promise<Tally | undefined>;
  /** Stores what the lines of pets come to, and the figures of the count that follow from it. */
  setTallies(countId: number, changes: ReadonlyMap<number, TallyChange>): Promise<void>;
  /** The pets that a close is about: those that were counted, and the others with `zero`. */
  atClose(countId: number, missing: MissingPolicy, slice: Slice<'petId'>): Promise<readonly PetAtClose[]>;
  /** Stores for each live pet that was not counted that 0 units were found of those on hand now. */
  setMissingToZero(countId: number): Promise<void>;
  /** Stores which pets the close leaves as they are, and why. */
  markRefused(countId: number, pets: readonly { readonly petId: number; readonly code: ErrorCode }[]): Promise<void>;
  /** Changes the stock of the counted pets that are not left as they are by what was found, as entries of a batch. */
  apply(countId: number, batchId: number): Promise<void>;
  /** Ends a count. */
  end(countId: number, ending: { readonly state: 'closed'; readonly batchId: number } | { readonly state: 'cancelled' }): Promise<void>;
}
