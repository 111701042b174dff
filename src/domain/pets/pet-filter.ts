import * as v from 'valibot';
import { idNumber } from '../values/ids.js';
import { fewOf } from '../values/pages.js';
import { petStatus, type PetStatus } from './pet-status.js';

/** The filters that lists of pets and of inventory share. */
export const petFilter = {
  status: v.optional(fewOf(petStatus)),
  categoryId: v.optional(fewOf(idNumber)),
};

/** Which pets are asked for. */
export interface PetFilter {
  readonly status?: readonly PetStatus[] | undefined;
  readonly categoryId?: readonly number[] | undefined;
  readonly id?: readonly number[] | undefined;
  readonly q?: string | undefined;
  readonly low?: boolean | undefined;
  readonly short?: boolean | undefined;
}
