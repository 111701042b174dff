import type { AddedLine } from '../../../domain/counts/count-line.js';
import { signed } from '../../output/numbers.js';

/** What to do about units that left or arrived between two lines that add up; undefined where none did. */
export function stockChangeText({ petId, name, stockChange }: AddedLine): string | undefined {
  if (stockChange === undefined) return undefined;
  return `The stock of ${name} (pet ${petId}) changed by ${signed(stockChange)} since the line before; if that was on a shelf counted before, count this pet again.`;
}
