import type { LedgerSpan, Range } from './range.js';
import type { OffsetSpan } from '../values/time-zone.js';
import type { movementKinds } from '../ledger/ledger-entry.js';
import type { PetStatus } from '../pets/pet-status.js';

/** The number of pets in a category at an instant, and their units on hand. Pets count in their present category: the ledger does not record moves. */
export interface CategoryStock {
  readonly categoryId: number;
  readonly category: string;
  readonly pets: number;
  readonly onHand: number;
}

/** The number of live pets with a category and a status, and their units. */
export interface StatusStock extends CategoryStock {
  readonly status: PetStatus;
  readonly reserved: number;
  /** Those of pets on hold that are not reserved. */
  readonly held: number;
  readonly available: number;
}

/** The units added or removed for one reason. An undo counts with the reason of the entry that it undoes. */
export interface Movement {
  readonly kind: Exclude<(typeof movementKinds)[number], 'undo'>;
  /** Whether the reason adds units. An undo of it then has negative `units`. */
  readonly gain: boolean;
  readonly units: number;
}

/** The units that moved in one category. */
export type CategoryMovement = Movement & Pick<CategoryStock, 'categoryId' | 'category'>;

/** The units of one pet that moved, and its units on hand before the range. */
export interface PetMovement extends Movement {
  readonly petId: number;
  readonly pet: string;
  readonly opening: number;
}

/** Which pets to report: those with the smallest ids, or those of which most units were sold less those returned. */
export interface PetChoice {
  readonly bestSold: boolean;
  readonly limit: number;
}

/** The units that moved on one local day, such as 2026-11-20. */
export type DayMovement = Movement & { readonly day: string };

/** A live pet with units on hand. `since`: its last sale or its creation; times in ms since 1970. */
export interface UnsoldPet {
  readonly petId: number;
  readonly pet: string;
  readonly category: string;
  readonly onHand: number;
  readonly lastSold: number | null;
  readonly since: number;
}

/** Read access to the figures of the reports; categories sorted by id, days by date. */
export interface ReportReader {
  stock(): Promise<readonly StatusStock[]>;
  stockAt(instant: string): Promise<readonly CategoryStock[]>;
  /** The units of all pets on hand before a date-time. */
  unitsBefore(time: string): Promise<number>;
  categoryMovements(range: Range): Promise<readonly CategoryMovement[]>;
  /** The movements of the chosen pets, grouped by pet in the order of the choice. */
  petMovements(range: Range, choice: PetChoice): Promise<readonly PetMovement[]>;
  dayMovements(range: Range, offsets: readonly OffsetSpan[]): Promise<readonly DayMovement[]>;
  /** The live pets on hand without a sale since an instant (ms since 1970), longest idle first. */
  unsoldSince(instant: number, limit: number): Promise<readonly UnsoldPet[]>;
  /** When the first and the last ledger row were written. */
  span(): Promise<LedgerSpan>;
}
