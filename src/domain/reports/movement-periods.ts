import { addDays, millisecondsPerDay } from '../values/time-zone.js';

/** The ISO 8601 week of a day: "2026-W47". A week starts on Monday and belongs to the year of its Thursday. */
export function weekOf(day: string): string {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const thursday = addDays(day, 3 - weekday);
  const year = thursday.slice(0, 4);
  const days = (Date.parse(`${thursday}T00:00:00Z`) - Date.parse(`${year}-01-01T00:00:00Z`)) / millisecondsPerDay;
  return `${year}-W${String(Math.floor(days / 7) + 1).padStart(2, '0')}`;
}

/** The month of a day: "2026-11". */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}
