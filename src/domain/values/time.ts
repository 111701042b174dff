import type { SchemaNotes } from './schemas.js';
import { StoreError } from '../errors.js';
import * as v from 'valibot';

// RFC 3339, 5.6: full-date "T" full-time, with a required offset and any number of fraction digits.
const dateTimePattern = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const minute = 60_000;
/** The milliseconds of a day in UTC. */
export const millisecondsPerDay = 24 * 60 * 60 * 1000;

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

/** The instant (ms since 1970) at which a range starts or ends: of a date-time, or the first or last millisecond of a day (2026-11-20, in UTC). */
export function parseInstant(text: string, edge: 'start' | 'end'): number | undefined {
  const match = dayPattern.exec(text);
  if (!match) return parseDateTime(text);
  const start = utcDay(Number(match[1]), Number(match[2]), Number(match[3]));
  return start === undefined || edge === 'start' ? start : start + millisecondsPerDay - 1;
}

/** Refuses with `invalid_parameter` a range that ends before it starts; `from` and `to` are the names of the parameters. */
export function checkRange(from: string, start: string | undefined, to: string, end: string | undefined): void {
  if (start === undefined || end === undefined || start <= end) return;
  throw new StoreError('invalid_parameter', `${from}, ${to}: the range starts at ${start}, after its end at ${end}.`);
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

function instantText(parse: (text: string) => number | undefined, jsonSchema: SchemaNotes['jsonSchema'] & object) {
  return v.pipe(
    v.string('must be a text'),
    v.metadata({ jsonSchema }),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const instant = parse(dataset.value);
      if (instant !== undefined) return formatDateTime(instant);
      addIssue({ message: instantProblem(dataset.value) });
      return NEVER;
    }),
  );
}

/** A date-time of the contract, checked and converted to UTC. */
export const dateTimeText = instantText(parseDateTime, { format: 'date-time' });

const dayOrInstant = { anyOf: [{ format: 'date-time' }, { format: 'date' }] };

/** The start of a range: a date-time or a day. */
export const rangeStartText = instantText((text) => parseInstant(text, 'start'), dayOrInstant);

/** The end of a range: a date-time, or the end of a day. */
export const rangeEndText = instantText((text) => parseInstant(text, 'end'), dayOrInstant);
