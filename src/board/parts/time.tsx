import type { JSX } from 'preact';
import { now, timeZone } from '../state/clock.js';
import { inertText } from './text.js';

const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });
const weekday = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });
const isoDay = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' });

/** The local day of an instant, such as 2026-11-20. */
export function dayOf(instant: number): string {
  return isoDay.format(instant);
}

const noon = (day: string): Date => new Date(`${day}T12:00:00`);

/** The first of the last `count` days, of which today is one. */
export function firstOfDays(count: number): string {
  const date = new Date(now());
  return dayOf(date.setDate(date.getDate() - count + 1));
}

/** A day with its weekday: Friday, 20 November 2026. */
export function weekdayText(instant: number): string {
  return weekday.format(instant);
}

/** The clock time of an instant, such as 10:42. */
export function clockText(instant: number): string {
  return clockTime.format(instant);
}

const shownCharacters = 30;

/** A day such as 2026-11-20 with its year: 20 Nov 2026. Another text, as in an address that somebody typed, is shown as it is. */
export function dayAndYearText(day: string): string {
  const date = noon(day);
  return Number.isNaN(date.getTime()) ? inertText(day.slice(0, shownCharacters)) : dayAndYear.format(date);
}

/** An instant as short as it is clear: 10:42 today, 20 Nov 10:42 this year, 20 Nov 2025 before. */
export function instantText(instant: number): string {
  if (dayOf(instant) === dayOf(now())) return clockText(instant);
  if (new Date(instant).getFullYear() !== new Date(now()).getFullYear()) return dayAndYear.format(instant);
  return `${shortDay.format(instant)} ${clockText(instant)}`;
}

/** A message of the shop with local times, and without the ids of ledger entries, which only the command line takes. */
export function localMessage(message: string): string {
  return message
    .replaceAll(/ledger entry \d+ \(([+-]\d+)\)/g, 'the change of $1')
    .replaceAll(/ is ledger entry \d+:| \((?:ledger )?entry \d+\)/g, (found) => (found.endsWith(':') ? ':' : ''))
    .replaceAll(/on (\d{4}-\d{2}-\d{2}) at (\d{2}:\d{2}) UTC/g, (_, day: string, time: string) => `at ${instantText(Date.parse(`${day}T${time}Z`))}`);
}

/** A time of the shop as local time; the whole instant on hovering. */
export function Time({ at }: { readonly at: string }): JSX.Element {
  const instant = Date.parse(at);
  return (
    <time dateTime={at} title={`${full.format(instant)} (${timeZone})`}>
      {instantText(instant)}
    </time>
  );
}
