import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { field, optional, record } from '../values/schemas.js';
import { nameText } from '../values/text.js';
import { dateTimeText } from '../values/time.js';
import * as v from 'valibot';

/** A pet in a count. */
export const countPet = record('CountPet', 'A pet in a count, and what its lines come to.', {
  petId: field(idNumber, 'ID of the pet.'),
  name: field(nameText, 'Name of the pet.'),
  category: field(nameText, 'Name of its category.'),
  state: field(v.picklist(['counted', 'not-counted']), 'Whether the pet was counted.'),
  counted: optional(wholeNumber, 'Units that its lines come to.'),
  onHand: optional(wholeNumber, 'Units on hand now; absent for a deleted pet.'),
  expected: optional(wholeNumber, 'Units that were on hand when the last of these lines was written.'),
  difference: optional(wholeNumber, '`counted` − `expected`: by how much closing the count changes the stock.'),
  countedBy: optional(nameText, 'Who wrote that line.'),
  countedAt: optional(dateTimeText, 'When that line was written, in UTC.'),
  lines: field(wholeNumber, 'Number of lines that are not undone.'),
  refused: optional(v.string(), 'The error code for which closing the count left the pet as it was.'),
});

/** A pet in a count. */
export type CountPet = v.InferOutput<typeof countPet>;

/** The pet of a count in the examples of the OpenAPI document. */
export const exampleCountPet: CountPet = {
  petId: 7,
  name: 'Rex',
  category: 'Dogs',
  state: 'counted',
  counted: 12,
  onHand: 13,
  expected: 13,
  difference: -1,
  countedBy: 'ana',
  countedAt: '2026-11-20T10:02:11.000Z',
  lines: 1,
};

/** Selects pets of a count: those that were counted or not, or of those that were counted the ones that agree or differ. */
export const countPetState = v.picklist(['counted', 'not-counted', 'agreeing', 'differing'], 'must be counted, not-counted, agreeing or differing');

/** Selects pets of a count. */
export type CountPetState = v.InferOutput<typeof countPetState>;
