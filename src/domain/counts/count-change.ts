import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { field, optional, record } from '../values/schemas.js';
import { nameText } from '../values/text.js';
import { allowShortageParameter } from '../inventory/check-reserved.js';
import type { CloseOutcome, PetAtClose } from './count-rules.js';
import * as v from 'valibot';

/** The most refused and deleted pets in the answer of a close; the others are only counted. */
export const maximumRefusedPets = 1000;

/** Why closing a count leaves a pet as it is. */
export const countProblem = record('CountProblem', 'Why closing a count leaves a pet as it is.', {
  code: field(v.string(), 'Machine-readable error code.'),
  message: field(v.string(), 'Human-readable description.'),
});

/** What closing a count would do to a pet. */
export const countChange = record('CountChange', 'What closing a count would do to a pet.', {
  petId: field(idNumber, 'ID of the pet.'),
  name: field(nameText, 'Name of the pet.'),
  before: optional(wholeNumber, 'Units on hand now; absent for a deleted pet.'),
  after: optional(wholeNumber, 'Units on hand after the close; absent if the pet is left as it is.'),
  counted: field(wholeNumber, 'Units that were counted.'),
  expected: field(wholeNumber, 'Units that were on hand when they were counted.'),
  difference: field(wholeNumber, '`counted` − `expected`.'),
  problem: v.optional(countProblem),
});

/** What closing a count would do to a pet. */
export type CountChange = v.InferOutput<typeof countChange>;

/** The change in the examples of the OpenAPI document. */
export const exampleCountChange: CountChange = { petId: 7, name: 'Rex', before: 11, after: 10, counted: 12, expected: 13, difference: -1 };

const missingPolicy = v.picklist(['keep', 'zero'], 'must be keep or zero');

/** How a count is closed: parameters of the preview, and fields of the close. */
export const closeParameters = {
  missing: v.optional(
    field(missingPolicy, 'What becomes of pets that were not counted: they keep their stock (`keep`), or were not found, so that they have no units (`zero`).'),
    'keep',
  ),
  allowShortage: allowShortageParameter,
};

/** What closing a count would do to a pet, as the contract shows it; undefined where it would change nothing. */
export function countChangeOf({ petId, name, stock }: PetAtClose, outcome: CloseOutcome): CountChange | undefined {
  if (outcome.kind === 'not counted') return undefined;
  const { counted, expected } = outcome;
  const figures = { petId, name, ...(stock && { before: stock.quantity }), counted, expected, difference: counted - expected };
  if (outcome.kind !== 'applied') return { ...figures, problem: outcome.refusal };
  return outcome.after === stock?.quantity ? undefined : { ...figures, after: outcome.after };
}
