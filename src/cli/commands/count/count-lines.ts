import type { AddedLine } from '../../../domain/counts/count-line.js';
import { StoreError } from '../../../domain/errors.js';
import { plausibleUnits } from '../../../domain/inventory/plausible-units.js';
import { maximumQuantity } from '../../../domain/values/numbers.js';
import { shortened } from '../../../domain/values/text.js';
import { signed } from '../../output/numbers.js';
import type { Call, CallOptions } from '../../../domain/call.js';
import { addCountLines } from '../../../domain/counts/add-count-lines.js';

/** A number that was counted; with `adds` it is added to what was counted before. */
export interface CountedNumber {
  readonly number: number;
  readonly adds: boolean;
}

/** Why a text is not a number of counted units, as the end of a sentence; undefined if it is one. */
export function countedProblem(text: string): string | undefined {
  if (!/^[+]?[0-9]+$/.test(text)) return 'is not a whole number, such as 12 or +2';
  return Number(text) > maximumQuantity ? `is above ${plausibleUnits}, and more likely a code` : undefined;
}

/** Reads a counted number: `12`, or `+2` to add. Refuses other texts with `usage`. */
export function countedNumber(text: string): CountedNumber {
  const problem = countedProblem(text);
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

/** A line to record: a pet and how many. Under its key it is recorded once, however often it is sent. */
interface SentLine extends CountedNumber {
  readonly petId: number;
  readonly key?: string;
}

/** The count that lines are sent to. */
export interface LineTarget {
  readonly call: Call;
  readonly countId: number;
  /** Whether pets that are not in the count are added to it. */
  readonly also: boolean;
}

/** Sends lines in one request: all are recorded, or none. */
export async function sendLines({ call, countId, also }: LineTarget, lines: readonly SentLine[], options?: CallOptions): Promise<readonly AddedLine[]> {
  const body = { lines: lines.map(({ petId, number, adds, key }) => ({ petId, number, adds, also, ...(key !== undefined && { key }) })) };
  return (await call(addCountLines, { countId, body }, options)).lines;
}
