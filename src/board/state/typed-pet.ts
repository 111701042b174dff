/** A pet as somebody typed, scanned or chose it: the id once it is known. */
export interface TypedPet {
  readonly text: string;
  readonly id?: number | undefined;
  /** Its name, once the shop has told it. */
  readonly name?: string | undefined;
}

/** Whether a text is a code as scanners read them from goods: more digits than an id or a number of units has. */
export function isCode(text: string): boolean {
  return /^\d{8,}$/.test(text.trim());
}

/** Nothing typed. */
export const noPet: TypedPet = { text: '' };

/** Digits are an id, as on the command line; a scanner types them too. */
export function petOf(text: string): TypedPet {
  return /^0*[1-9]\d{0,14}$/.test(text.trim()) ? { text, id: Number(text) } : { text };
}

/** How often the scan before counts, such as "x12" or "*12"; undefined for another text. */
export function timesIn(text: string): number | undefined {
  const [, digits] = /^[x×*]\s*(\d{1,6})$/iu.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
