/** A pet as somebody typed or scanned it: the id once it is known. */
export interface TypedPet {
  readonly text: string;
  readonly id?: number | undefined;
  /** Its name, once the shop has told it. */
  readonly name?: string | undefined;
}

/** Digits are an id, as on the command line; a scanner types them too. */
export function petOf(text: string): TypedPet {
  return /^0*[1-9]\d{0,14}$/.test(text) ? { text, id: Number(text) } : { text };
}

/** What was counted: the number of units, and whether it is added to the lines before. */
export interface TypedNumber {
  readonly number: number;
  readonly adds: boolean;
}

/** The units in a text such as 12, or +3, which is added to the lines before; undefined where it says no number. */
export function numberOf(text: string, adds: boolean): TypedNumber | undefined {
  // The shop says which numbers are too large; these would not reach it as they were typed.
  const [, plus, digits] = /^(\+?)\s*(\d{1,15})$/.exec(text) ?? [];
  return digits === undefined ? undefined : { number: Number(digits), adds: adds || plus === '+' };
}
