import { idNumber, pathId } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { field, optional, record, trueOrFalse } from '../values/schemas.js';
import { nameText, noteText } from '../values/text.js';
import { dateTimeText } from '../values/time.js';
import * as v from 'valibot';

/** The most pets of one count. */
export const maximumPets = 100_000;

/** The states of a count: its lines can change while it is open. */
export const countStates = ['open', 'closed', 'cancelled'] as const;

/** The state of a count. */
export const countState = v.pipe(
  v.picklist(countStates, 'must be open, closed or cancelled'),
  v.metadata({ record: 'CountState' }),
  v.description('Whether a count goes on (`open`), changed the stock (`closed`), or ended without a change (`cancelled`).'),
);

/** The state of a count. */
export type CountState = v.InferOutput<typeof countState>;

/** The figures of a count, or of a part of it. */
const countFigures = {
  pets: field(wholeNumber, 'Number of pets to count.'),
  counted: field(wholeNumber, 'Number of these that were counted.'),
  agreeing: field(wholeNumber, 'Number of counted pets of which as many units were found as were on hand.'),
  differing: field(wholeNumber, 'Number of counted pets of which more or fewer units were found.'),
};

/** A count of the stock of some pets by one or several people. */
export const count = record('Count', 'A count of the stock of some pets by one or several people.', {
  id: field(idNumber, 'Identifier of the count.'),
  state: countState,
  blind: field(trueOrFalse, 'Whether those who count are not to be shown how many units are expected.'),
  note: optional(noteText, 'A note on the count.'),
  startedBy: field(nameText, 'Who started the count: the name of a token, or of a user of the command line.'),
  startedAt: field(dateTimeText, 'When it was started, in UTC.'),
  endedBy: optional(nameText, 'Who closed or cancelled it.'),
  endedAt: optional(dateTimeText, 'When it was closed or cancelled, in UTC.'),
  ...countFigures,
  batchId: optional(idNumber, 'ID of the batch of changes that closing the count made.'),
});

/** A count of the stock. */
export type Count = v.InferOutput<typeof count>;

/** The figures of a count for the pets of one category. */
export const categoryFigures = record('CountCategory', 'The figures of a count for the pets of one category.', {
  categoryId: field(idNumber, 'ID of the category.'),
  category: field(nameText, 'Name of the category.'),
  ...countFigures,
});

/** The figures of a count for the pets of one category. */
export type CategoryFigures = v.InferOutput<typeof categoryFigures>;

/** Whether people are not shown how many units are expected: while a blind count is open. */
export function hidesExpected({ blind, state }: Pick<Count, 'blind' | 'state'>): boolean {
  return blind && state === 'open';
}

/** The count in the examples of the OpenAPI document. */
export const exampleCount: Count = {
  id: 3,
  state: 'open',
  blind: false,
  note: 'back room',
  startedBy: 'ana',
  startedAt: '2026-11-20T09:30:00.000Z',
  pets: 40,
  counted: 12,
  agreeing: 10,
  differing: 2,
};

/** The id of a count in a path. */
export const countIdParameter = pathId('count', 3);
