/** What can be looked up by how its id or its name begins: a noun, or those of a noun that a verb can take. */
export type LookupKind = 'pet' | 'category' | 'order' | 'openOrder' | 'reservedOrder' | 'completeOrder' | 'batch' | 'undoableBatch' | 'token';

/** A record as a choice shows it. */
export interface LookupMatch {
  readonly id: number;
  /** Its name, or a few words on it where it has none. */
  readonly name: string;
}

/** So many are shown at most; more letters narrow them down. */
export const maximumMatches = 50;

/** The numbers whose digits begin with these, as ranges, the short ones first; all numbers for no digits. */
export function idRanges(digits: string): readonly (readonly [from: number, to: number])[] {
  if (digits === '') return [[1, Number.MAX_SAFE_INTEGER]];
  if (!/^[1-9][0-9]{0,15}$/.test(digits)) return [];
  const ranges: [number, number][] = [];
  for (let size = 1; Number(digits) * size <= Number.MAX_SAFE_INTEGER; size *= 10) {
    ranges.push([Number(digits) * size, Math.min((Number(digits) + 1) * size - 1, Number.MAX_SAFE_INTEGER)]);
  }
  return ranges;
}
