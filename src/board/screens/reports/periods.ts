/** A unit of time of the report. */
export type Period = 'day' | 'week' | 'month';

const dayMs = 86_400_000;
const thursday = 4;

const isoDay = (date: Date): string => date.toISOString().slice(0, 10);

/** The ISO 8601 week of a day: that of its Thursday. */
function weekOf(date: Date): string {
  const middle = new Date(date.getTime() + (thursday - (date.getUTCDay() || 7)) * dayMs);
  const week = Math.floor((middle.getTime() - Date.UTC(middle.getUTCFullYear(), 0, 1)) / (7 * dayMs)) + 1;
  return `${middle.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

const keyOf: Readonly<Record<Period, (date: Date) => string>> = {
  day: isoDay,
  week: weekOf,
  month: (date) => isoDay(date).slice(0, 7),
};

/** The day, week or month of a day, as the report names it. */
export function periodOf(period: Period, day: string): string {
  return keyOf[period](new Date(day));
}

/** Every day, week or month from `first`, as the report names it, to that of the day `end`: at most the last `most`, oldest first. */
export function periodsUntil(period: Period, first: string, end: string, most: number): readonly string[] {
  const found: string[] = [];
  for (let date = new Date(end); found.length < most; date = new Date(date.getTime() - dayMs)) {
    const key = keyOf[period](date);
    if (key < first) break;
    if (found[0] !== key) found.unshift(key);
  }
  return found;
}
