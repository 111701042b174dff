import * as v from 'valibot';

/** The maximum of a quantity: most generated clients use int32 for an OpenAPI `integer`. */
export const maximumQuantity = 2 ** 31 - 1;

/** A whole number of any size and sign. */
export const wholeNumber = v.pipe(v.number('must be an integer'), v.integer('must be an integer'));

/** A number of units on hand: 0 to 2^31 − 1. */
export const quantityNumber = v.pipe(wholeNumber, v.minValue(0, 'must not be negative'), v.maxValue(maximumQuantity, `must be at most ${maximumQuantity}`));

/** A number of units ordered: 1 to 2^31 − 1. */
export const orderedNumber = v.pipe(wholeNumber, v.minValue(1, 'must be at least 1'), v.maxValue(maximumQuantity, `must be at most ${maximumQuantity}`));

/** A change of the units on hand: −(2^31 − 1) to 2^31 − 1, except 0. */
export const deltaNumber = v.pipe(
  wholeNumber,
  v.check((delta) => delta !== 0, 'must not be 0'),
  v.minValue(-maximumQuantity, `must be at least -${maximumQuantity}`),
  v.maxValue(maximumQuantity, `must be at most ${maximumQuantity}`),
  v.metadata({ jsonSchema: { not: { enum: [0] } } }),
);

/** Why a number is not valid for a schema, or undefined if it is. */
export function numberProblem(kind: v.GenericSchema<number>, value: number): string | undefined {
  return v.safeParse(kind, value).issues?.[0].message;
}
