import { addDays } from '../../../domain/values/time-zone.js';

/** A unit of time of the report. */
export type Period = 'day' | 'month';

/** The day or month of a day, as the report names it. */
export function periodOf(period: Period, day: string): string {
  return period === 'day' ? day : day.slice(0, 7);
}

/** Every day or month from `first`, as the report names it, to that of the day `end`: at most the last `most`, oldest first. */
export function periodsUntil(period: Period, first: string, end: string, most: number): readonly string[] {
  const found: string[] = [];
  for (let day = end; found.length < most; day = addDays(day, -1)) {
    const name = periodOf(period, day);
    if (name < first) break;
    if (found[0] !== name) found.unshift(name);
  }
  return found;
}
