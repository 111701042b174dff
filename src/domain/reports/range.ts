import { StoreError } from '../errors.js';
import { optional } from '../values/schemas.js';
import { dayAt, localText, type TimeZone } from '../values/time-zone.js';
import { dayEdge, dayOrTime, type DayOrTime, type Edge, formatDateTime, parseDateTime, timeZone } from '../values/time.js';

/** A time range that includes both ends, as RFC 3339 in UTC; unlimited where one is missing. */
export interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The time of the first and the last ledger entry. */
export interface LedgerSpan {
  readonly from: string;
  readonly to: string;
}

/** The part of a range between the first and the last ledger entry, in ms since 1970. */
export function coveredPart({ from = '', to = '9999' }: Range, span: LedgerSpan): { readonly start: number; readonly end: number } {
  const [start, end] = [from > span.from ? from : span.from, to < span.to ? to : span.to];
  return { start: parseDateTime(start) ?? 0, end: parseDateTime(end) ?? 0 };
}

/** The parameters of the time range of a report. */
export const rangeParameters = {
  from: optional(dayOrTime, 'The start of the range: a date-time, or a day in the time zone `tz`. Default: the start of the ledger.'),
  to: optional(dayOrTime, 'The end of the range: a date-time, or a day in the time zone `tz`, to its end. Default: now.'),
  tz: timeZone,
};

/** The instant of an end of a range, as RFC 3339 in UTC. Refuses with `invalid_parameter` a day that the zone left out; `name` is the parameter. */
export function instantOf(end: DayOrTime, edge: Edge, zone: TimeZone, name: string): string {
  if ('time' in end) return end.time;
  const instant = dayEdge(end.day, edge, zone);
  if (instant !== undefined) return formatDateTime(instant);
  throw new StoreError('invalid_parameter', `${name}: there was no ${end.day} in ${zone.name}.`);
}

/** An end of a range in words: a day if it is the start or the end of that day in the zone, otherwise its local date and time. */
export function edgeText(time: string, edge: Edge, zone: TimeZone): string {
  const instant = Date.parse(time);
  const day = dayAt(instant, zone);
  return dayEdge(day, edge, zone) === instant ? day : localText(instant, zone).slice(0, 16).replace('T', ' ');
}

/** The instants of a range; `from` and `to` are the names of its parameters. Refuses with `validation_failed` a range that ends before it starts. */
export function rangeIn(
  zone: TimeZone,
  start: DayOrTime | undefined,
  end: DayOrTime | undefined,
  [from, to]: readonly [string, string] = ['from', 'to'],
): Range {
  const range = { from: start && instantOf(start, 'start', zone, from), to: end && instantOf(end, 'end', zone, to) };
  if (range.from === undefined || range.to === undefined || range.from <= range.to) return range;
  const [first, last] = [edgeText(range.from, 'start', zone), edgeText(range.to, 'end', zone)];
  throw new StoreError('validation_failed', `The range starts at ${first}, after its end at ${last} (${zone.name}).`);
}
