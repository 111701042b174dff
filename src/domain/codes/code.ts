import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { field, record, requestRecord, withNotes } from '../values/schemas.js';
import { normalizeText, textProblem } from '../values/text.js';
import { gtinKey, scannedText } from './gtin.js';
import * as v from 'valibot';

/** The most characters of a code. */
export const maximumCode = 64;
/** The most units that one scan of a code may mean. */
export const maximumUnits = 10_000;

/** The most codes of one pet. */
export const maximumCodes = 100;

/** The beginnings that say what a text is; see `findPet`. */
const markers = /^(id|code|name):/i;

/** A number as a spreadsheet writes a long one, which has lost its last digits. */
const roundedNumber = /^\d(?:[.,]\d+)?E\+\d+$/i;

/** Why a text is refused that a spreadsheet wrote for a long number; undefined for any other text. */
export function roundedProblem(text: string): string | undefined {
  return roundedNumber.test(text) ? 'a spreadsheet has rounded this code; format the column as text' : undefined;
}

/** Why a normalized text is not a code; undefined for a code. */
export function codeProblem(code: string): string | undefined {
  const problem = textProblem(code, 1, maximumCode);
  if (problem !== undefined) return problem;
  // A scanner sends none of them, so that no scan would equal a code that was pasted with one.
  if (/[\s\p{Default_Ignorable_Code_Point}]/u.test(code)) return 'must not contain white space or invisible characters';
  if (code === '-') return 'must not be "-", which takes a scan back';
  if (markers.test(code)) return 'must not begin with id:, code: or name:';
  return roundedProblem(code);
}

/** A code as it is entered or scanned: 1 to 64 code points without white space and control characters, in the form in which it is stored. */
export const codeText = v.pipe(
  v.string('must be a text'),
  v.metadata({ jsonSchema: { minLength: 1, maxLength: maximumCode } }),
  v.transform((text) => normalizeText(scannedText(text))),
  v.check(
    (text) => codeProblem(text) === undefined,
    ({ input }) => codeProblem(input) ?? '',
  ),
);

/** The number of units that one scan of a code means. */
export const codeUnits = v.pipe(wholeNumber, v.minValue(1, 'must be at least 1'), v.maxValue(maximumUnits, `must be at most ${maximumUnits}`));

/** The fields of a code that requests set. */
export const codeFields = {
  code: field(codeText, 'The code as it was entered: a barcode number, an article number, the number of a ring or of a chip.'),
  units: field(codeUnits, 'Units that one scan of the code means, such as 20 for a carton.'),
};

/** A code to add. */
export const newCode = requestRecord('NewCode', 'A code to add to a pet.', { ...codeFields, units: v.optional(codeFields.units, 1) });

/** A code of a pet. */
export const code = record('Code', 'A code of a pet. Each code belongs to one pet of the shop.', {
  code: codeFields.code,
  petId: field(idNumber, 'ID of the pet.'),
  units: codeFields.units,
});

/** A code of a pet. */
export type Code = v.InferOutput<typeof code>;

/** What adding a code to a pet with `count` codes does; `existing` is the equal code of the shop. */
export function codeOutcome(
  { petId, units }: Pick<Code, 'petId' | 'units'>,
  existing: Code | undefined,
  count: number,
): 'added' | 'unchanged' | 'taken' | 'full' {
  if (existing !== undefined) return existing.petId === petId && existing.units === units ? 'unchanged' : 'taken';
  return count >= maximumCodes ? 'full' : 'added';
}

/** The code in the examples of the OpenAPI document. */
export const exampleCode: Code = { code: '4006381333931', petId: 7, units: 1 };

/** A code in the path of an operation. */
export const codeParameter = withNotes(field(codeText, 'The code.'), { example: exampleCode.code });

/**
 * What two equal codes have in common: the number of a GTIN with 14 digits, so that UPC-A equals EAN-13 with a leading zero;
 * otherwise the code in lower case. No other code looks like a GTIN with 14 digits, because it would be one.
 */
export function codeKey(text: string): string {
  return gtinKey(text) ?? text.toLowerCase();
}
