import { monthOf, weekOf } from '../../../domain/reports/movement-periods.js';
import { addDays } from '../../../domain/values/time-zone.js';

/** A unit of time of the report. */
export type Period = 'day' | 'week' | 'month';

const namesOf: Readonly<Record<Period, (day: string) => string>> = { day: (day) => day, week: weekOf, month: monthOf };

/** The day, week or month of a day, as the report names it. */
export function periodOf(period: Period, day: string): string {
  return namesOf[period](day);
}

/** Every day, week or month from `first`, as the report names it, to that of the day `end`: at most the last `most`, oldest first. */
export function periodsUntil(period: Period, first: string, end: string, most: number): readonly string[] {
  const found: string[] = [];
  for (let day = end; found.length < most; day = addDays(day, -1)) {
    const name = periodOf(period, day);
    if (name < first) break;
    if (found[0] !== name) found.unshift(name);
  }
  return found;
}
