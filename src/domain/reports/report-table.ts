import type { Range } from './range.js';
import type { movementKinds } from '../ledger/ledger-entry.js';
import type { PetStatus } from '../pets/pet-status.js';

/** The pets of a category that stood at an instant, and their units on hand. The category is the present one: the ledger does not record moves. */
export interface CategoryStock {
  readonly categoryId: number;
  readonly category: string;
  readonly pets: number;
  readonly onHand: number;
}

/** The live pets of a category and a status, and their units. */
export interface StatusStock extends CategoryStock {
  readonly status: PetStatus;
  readonly reserved: number;
}

/** The units that moved for one reason, in or out. An undo moved them for the reason of the row it takes back. */
export interface Movement {
  readonly kind: Exclude<(typeof movementKinds)[number], 'undo'>;
  /** Whether the reason adds units; then an undo of it takes them away. */
  readonly gain: boolean;
  readonly units: number;
}

/** Where and when units moved. */
export type CategoryMovement = Movement & Pick<CategoryStock, 'categoryId' | 'category'>;

/** The units that moved on one day (UTC), such as 2026-11-20. */
export type DayMovement = Movement & { readonly day: string };

/** A live pet with units on hand, and since when none was sold: its last sale, or its creation; instants in ms since 1970. */
export interface UnsoldPet {
  readonly petId: number;
  readonly pet: string;
  readonly category: string;
  readonly onHand: number;
  readonly lastSold: number | null;
  readonly since: number;
}

/** The time a ledger covers. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** The figures behind the reports, for reading; categories in the order of their ids, days in the order of time. */
export interface ReportReader {
  stock(): Promise<readonly StatusStock[]>;
  stockAt(instant: string): Promise<readonly CategoryStock[]>;
  categoryMovements(range: Range): Promise<readonly CategoryMovement[]>;
  dayMovements(range: Range): Promise<readonly DayMovement[]>;
  /** The live pets on hand of which none was sold since an instant (ms since 1970), the longest idle first. */
  unsoldSince(instant: number, limit: number): Promise<readonly UnsoldPet[]>;
  /** When the first and the last ledger row were written. */
  span(): Promise<Span>;
}
