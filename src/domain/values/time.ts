import { StoreError } from '../errors.js';
import { readText } from './schemas.js';
import { endOfDay, millisecondsPerDay, startOfDay, timeZoneNamed, type TimeZone } from './time-zone.js';
import * as v from 'valibot';

// RFC 3339, 5.6: full-date "T" full-time, with a required offset and any number of fraction digits.
const dateTimePattern = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const minute = 60_000;

// Not left to `Date`, which turns 2026-02-30 into 2 March and reads a text without an offset as local time.
function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function utcDay(year: number, month: number, dayOfMonth: number): number | undefined {
  if (year < 1 || month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > daysIn(year, month)) return undefined;
  return new Date(0).setUTCFullYear(year, month - 1, dayOfMonth);
}

const earliest = new Date(0).setUTCFullYear(1, 0, 1);
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The instant (ms since 1970, UTC) of an RFC 3339 date-time in the years 0001–9999, or undefined for any other text. */
export function parseDateTime(text: string): number | undefined {
  const match = dateTimePattern.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, dayOfMonth = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1, 7).map(Number);
  const date = utcDay(year, month, dayOfMonth);
  const offset = (match[8] === '-' ? -1 : 1) * (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * minute;
  const offsetValid = Number(match[9] ?? 0) <= 23 && Number(match[10] ?? 0) <= 59;
  if (date === undefined || hours > 23 || minutes > 59 || seconds > 60 || !offsetValid) return undefined;
  const wholeMinute = date + (hours * 60 + minutes) * minute - offset;
  // A leap second occurs only at 23:59:60 UTC (RFC 3339, 5.7); it has the same number of milliseconds as 23:59:59.
  if (seconds === 60 && ((wholeMinute % millisecondsPerDay) + millisecondsPerDay) % millisecondsPerDay !== millisecondsPerDay - minute) return undefined;
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const instant = wholeMinute + Math.min(seconds, 59) * 1000 + milliseconds;
  return instant >= earliest && instant <= latest ? instant : undefined;
}

/** Formats an instant (ms since 1970) as RFC 3339 in UTC with milliseconds. Refuses with `store_unreadable` a number out of range, which only a damaged shop contains. */
export function formatDateTime(instant: number): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime()))
    throw new StoreError('store_unreadable', `The shop is damaged: "${instant}" is not a time.`, { details: { reason: 'inconsistent' } });
  return date.toISOString();
}

/** An RFC 3339 date-time in UTC as a part of a sentence: on 2026-11-20 at 22:17 UTC. */
export function utcText(at: string): string {
  return `on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
}

/** An end of a range. */
export type Edge = 'start' | 'end';

/** Whether a text is a day that exists in the calendar: 2026-11-20. */
export function isDay(text: string): boolean {
  const match = dayPattern.exec(text);
  return match !== null && utcDay(Number(match[1]), Number(match[2]), Number(match[3])) !== undefined;
}

/** The first or the last millisecond of a day in a zone, kept in the years 0001–9999; undefined for a day that the zone left out. */
export function dayEdge(day: string, edge: Edge, zone: TimeZone): number | undefined {
  const [start, end] = [startOfDay(day, zone), endOfDay(day, zone)];
  return start > end ? undefined : Math.min(latest, Math.max(earliest, edge === 'start' ? start : end));
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** The part of a day or a date-time that does not exist, as the end of a sentence: ": February 2026 has 28 days". Empty if the text has another format. */
export function invalidPart(text: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2}):(\d{2})|$)/.exec(text);
  if (!match || (!dayPattern.test(text) && !dateTimePattern.test(text))) return '';
  const [year = 0, month = 0, dayOfMonth = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  if (year < 1) return ': there is no year 0000';
  if (month < 1 || month > 12) return `: there is no month ${match[2]}`;
  if (dayOfMonth < 1) return ': there is no day 00';
  if (dayOfMonth > daysIn(year, month)) return `: ${months[month - 1]} ${match[1]} has ${daysIn(year, month)} days`;
  if (hours > 23) return `: there is no hour ${match[4]}`;
  if (minutes > 59) return `: there is no minute ${match[5]}`;
  if (seconds > 60) return `: there is no second ${match[6]}`;
  return seconds === 60 ? ': only 23:59:60 UTC is a leap second' : '';
}

function instantProblem(text: string): string {
  return `must be a date and time such as 2026-11-20T09:30:00Z, not "${text}"${invalidPart(text)}`;
}

function dateTimeIn(text: string): string | undefined {
  const instant = parseDateTime(text);
  return instant === undefined ? undefined : formatDateTime(instant);
}

/** A date-time of the contract, checked and converted to UTC. */
export const dateTimeText = v.pipe(
  v.string('must be a text'),
  v.metadata({ jsonSchema: { format: 'date-time' } }),
  readText((text, refuse) => dateTimeIn(text) ?? refuse(instantProblem(text))),
);

/** An end of a range as it was requested: an RFC 3339 date-time in UTC, or a day, whose instants depend on the zone. */
export type DayOrTime = { readonly time: string } | { readonly day: string };

function dayOrTimeIn(text: string): DayOrTime | undefined {
  const time = dateTimeIn(text);
  if (time !== undefined) return { time };
  return isDay(text) ? { day: text } : undefined;
}

/** The start or the end of a range: a date-time, or a day of the zone of the request. */
export const dayOrTime = v.pipe(
  v.string('must be a text'),
  v.metadata({ jsonSchema: { anyOf: [{ format: 'date-time' }, { format: 'date' }] } }),
  readText((text, refuse) => dayOrTimeIn(text) ?? refuse(instantProblem(text))),
);

/** The IANA name of a time zone; UTC by default. */
export const timeZone = v.optional(
  v.pipe(
    v.string('must be a text'),
    v.description('The time zone of the days: an IANA name such as America/Los_Angeles.'),
    readText((text, refuse) => timeZoneNamed(text) ?? refuse(`must be an IANA time zone such as America/Los_Angeles, not "${text}"`)),
  ),
  'UTC',
);
