import type { AddedLine } from '../../../domain/counts/count-line.js';
import { StoreError } from '../../../domain/errors.js';
import { maximumQuantity } from '../../../domain/values/numbers.js';
import { shortened } from '../../../domain/values/text.js';
import { signed } from '../../output/numbers.js';

/** A number that was counted; with `adds` it is added to what was counted before. */
export interface CountedNumber {
  readonly number: number;
  readonly adds: boolean;
}

/** Why a text is not a number of counted units, as the end of a sentence; undefined if it is one. */
export function numberProblem(text: string): string | undefined {
  if (!/^[+]?[0-9]+$/.test(text)) return 'is not a whole number, such as 12 or +2';
  return Number(text) > maximumQuantity ? `is above ${maximumQuantity}` : undefined;
}

/** Reads a counted number: `12`, or `+2` to add. Refuses other texts with `usage`. */
export function countedNumber(text: string): CountedNumber {
  const problem = numberProblem(text);
  if (problem !== undefined) throw new StoreError('usage', `"${shortened(text)}" ${problem}.`);
  return { number: Number(text), adds: text.startsWith('+') };
}

/** A counted number as it was typed. */
export function numberText({ number, adds }: CountedNumber): string {
  return `${adds ? '+' : ''}${number}`;
}

/** What to do about units that left or arrived between two lines that add up; undefined where none did. */
export function stockChangeText({ petId, name, stockChange }: AddedLine): string | undefined {
  if (stockChange === undefined) return undefined;
  return `The stock of ${name} (pet ${petId}) changed by ${signed(stockChange)} since the line before; if that was on a shelf counted before, count this pet again.`;
}
