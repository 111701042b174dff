import { idNumber, idOf, pathId } from '../values/ids.js';
import { quantityNumber, wholeNumber } from '../values/numbers.js';
import { field, flag, optional, record, requestRecord, trueOrFalse } from '../values/schemas.js';
import { nameText } from '../values/text.js';
import { dateTimeText } from '../values/time.js';
import { versionFields } from '../values/version.js';
import * as v from 'valibot';

/** The most lines of one request. */
export const maximumLines = 1000;

/** The most lines of one pet in a count: an undo of one adds up all of them again. */
export const maximumLinesOfPet = 10_000;

/** A number that somebody wrote down for a pet. */
export const countLine = record('CountLine', 'A number that somebody wrote down for a pet in a count.', {
  id: field(idNumber, 'Identifier of the line.'),
  petId: field(idNumber, 'ID of the pet.'),
  name: field(nameText, 'Name of the pet.'),
  number: field(quantityNumber, 'Number of units that were found.'),
  adds: field(trueOrFalse, 'Whether the number is added to the lines of the pet before; otherwise it replaces them.'),
  by: field(nameText, 'Who counted: the name of a token, or of a user of the command line.'),
  at: field(dateTimeText, 'When the line was written, in UTC.'),
  onHand: field(wholeNumber, 'Units on hand at that moment.'),
  key: optional(v.string(), 'The key that the sender gave the line.'),
  undone: field(trueOrFalse, 'Whether the line was undone, and so does not count.'),
});

/** A number that somebody wrote down for a pet. */
export type CountLine = v.InferOutput<typeof countLine>;

/** A line with what all lines of its pet come to. */
export const addedLine = record('AddedLine', 'A line of a count, and what all lines of its pet come to.', {
  ...countLine.entries,
  countedSoFar: optional(wholeNumber, 'Units that the lines of the pet come to now; absent if all are undone.'),
  stockChange: optional(
    wholeNumber,
    'For a new line that adds to others: by how many units the stock of the pet changed since the line before. Absent if it did not. If those units were on a shelf that was counted before, the pet should be counted again.',
  ),
  unchanged: versionFields.unchanged,
});

/** A line with what all lines of its pet come to. */
export type AddedLine = v.InferOutput<typeof addedLine>;

/** A line to add. */
export const newLine = requestRecord('NewCountLine', 'A line to add to a count.', {
  petId: field(idOf('pet'), 'ID of the pet.'),
  number: field(quantityNumber, 'Number of units that were found.'),
  adds: flag('Adds the number to the lines of the pet before; otherwise it replaces them.'),
  key: optional(
    nameText,
    'A key of the line, unique among the lines of its sender in the count: a line under a key that the sender has used already adds nothing, and is answered as it was stored; another line is refused.',
  ),
  also: flag('Takes the pet into the count if it is not in it.'),
});

/** A line to add. */
export type NewLine = v.InferOutput<typeof newLine>;

/** The line in the examples of the OpenAPI document. */
export const exampleLine: CountLine = {
  id: 118,
  petId: 7,
  name: 'Rex',
  number: 12,
  adds: false,
  by: 'ana',
  at: '2026-11-20T10:02:11.000Z',
  onHand: 13,
  key: 'phone-1-118',
  undone: false,
};

/** The id of a line in a path. */
export const lineIdParameter = pathId('line', 118);
