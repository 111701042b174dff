import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { field, record } from '../values/schemas.js';
import { nameText } from '../values/text.js';
import * as v from 'valibot';

/** The figures of a count for the pets of one category. */
export const categoryFigures = record('CountCategory', 'The figures of a count for the pets of one category.', {
  categoryId: field(idNumber, 'ID of the category.'),
  category: field(nameText, 'Name of the category.'),
  pets: field(wholeNumber, 'Number of its pets to count.'),
  counted: field(wholeNumber, 'Number of these that were counted.'),
  agreeing: field(wholeNumber, 'Number of counted pets of which as many units were found as were on hand.'),
  differing: field(wholeNumber, 'Number of counted pets of which more or fewer units were found.'),
});

/** The figures of a count for the pets of one category. */
export type CategoryFigures = v.InferOutput<typeof categoryFigures>;
