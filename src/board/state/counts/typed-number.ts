/** What was counted: the number of units, and whether it is added to the lines before. */
export interface TypedNumber {
  readonly number: number;
  readonly adds: boolean;
}

/** The units in a text such as 12, or +3, which is added to the lines before; undefined for a text that is not a number. */
export function numberOf(text: string, adds: boolean): TypedNumber | undefined {
  // More digits would be rounded; a number that is too large is refused by the shop.
  const [, plus, digits] = /^(\+?)\s*(\d{1,15})$/.exec(text) ?? [];
  return digits === undefined ? undefined : { number: Number(digits), adds: adds || plus === '+' };
}
