import { optional } from '../values/schemas.js';
import { idNumber } from '../values/ids.js';
import { valueList } from '../values/pages.js';
import { searchText } from '../values/text.js';
import { petStatus, type PetStatus } from './pet-status.js';

/** The filters that lists of pets and of inventory share. */
export const petFilter = {
  status: optional(valueList(petStatus), 'Only pets of one of these statuses.'),
  categoryId: optional(valueList(idNumber), 'Only pets of one of these categories.'),
};

/** The search of every list of pets. */
export const petSearch = optional(
  searchText,
  'Only pets whose name contains this text, or with an id or a code that equals it; case and accents do not matter.',
);

/** Selects pets; all conditions must hold. */
export interface PetFilter {
  readonly status?: readonly PetStatus[] | undefined;
  readonly categoryId?: readonly number[] | undefined;
  readonly id?: readonly number[] | undefined;
  /** Only pets of this name; case and accents do not matter. */
  readonly name?: string | undefined;
  readonly q?: string | undefined;
  /** Only the pet with this code. */
  readonly code?: string | undefined;
  readonly low?: boolean | undefined;
  readonly short?: boolean | undefined;
  /** Only pets that were not counted at this instant (RFC 3339) or later. */
  readonly notCountedSince?: string | undefined;
}
