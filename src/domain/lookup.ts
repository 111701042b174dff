/** The kinds of records that completion and prompts look up by the first characters of an id or a name. */
export type LookupKind =
  | 'pet'
  | 'code'
  | 'category'
  | 'order'
  | 'openOrder'
  | 'reservedOrder'
  | 'completeOrder'
  | 'batch'
  | 'undoableBatch'
  | 'count'
  | 'hook'
  | 'token'
  | 'session';

/** A record that matches, for a list of choices. */
export interface LookupMatch {
  readonly id: number | string;
  /** The name, or a short description of a record without one. */
  readonly name: string;
  /** The code that was found; its id and its name are those of its pet. */
  readonly code?: string;
}

/** The most matches that a lookup returns. */
export const maximumMatches = 50;

/** The ids that start with these digits, as ranges, shortest ids first; all ids for an empty text, none for anything but digits. */
export function idRanges(digits: string): readonly (readonly [from: number, to: number])[] {
  if (digits === '') return [[1, Number.MAX_SAFE_INTEGER]];
  if (!/^[1-9][0-9]{0,15}$/.test(digits)) return [];
  const ranges: [number, number][] = [];
  for (let size = 1; Number(digits) * size <= Number.MAX_SAFE_INTEGER; size *= 10) {
    ranges.push([Number(digits) * size, Math.min((Number(digits) + 1) * size - 1, Number.MAX_SAFE_INTEGER)]);
  }
  return ranges;
}
