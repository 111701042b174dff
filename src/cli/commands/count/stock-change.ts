import type { AddedLine } from '../../../domain/counts/count-line.js';

/** What to do about units that left or arrived between two lines that add up; undefined where none did. */
export function stockChangeText({ petId, name, stockChange }: AddedLine): string | undefined {
  if (stockChange === undefined) return undefined;
  const change = `${stockChange > 0 ? '+' : ''}${stockChange}`;
  return `The stock of ${name} (pet ${petId}) changed by ${change} since the line before; if that was on a shelf counted before, count this pet again.`;
}
