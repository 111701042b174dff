/**
 * The most units of one pet that are counted, received or sold at once without a doubt. A larger number is more likely a code
 * that was scanned into it: the shortest codes have digits enough for that, and no shelf has so many of one animal.
 */
export const plausibleUnits = 9999;

/** Whether a number of units, or of scans, is more likely a code. */
export function isPlausible(units: number): boolean {
  return Math.abs(units) <= plausibleUnits;
}

/** What is said about a number that is not plausible, before it is asked about: a sentence. */
export function implausibleText(units: number): string {
  return `${Math.abs(units)} is above ${plausibleUnits}, and more likely a code.`;
}
