import { addDays, dayAt, instantsOf, type TimeZone, utc } from './time-zone.js';
import { dayEdge, type Edge, isDay, parseDateTime } from './time.js';

/** The present instant (ms since 1970) and the zone of whoever types or reads a time. */
export interface LocalClock {
  readonly now: number;
  readonly zone: TimeZone;
}

/** The day that a person typed: `today`, `yesterday`, `7d` (seven days ago) or 2026-11-20; undefined for any other text. */
function typedDay(text: string, { now, zone }: LocalClock): string | undefined {
  if (isDay(text)) return text;
  const today = dayAt(now, zone);
  if (text === 'today') return today;
  if (text === 'yesterday') return addDays(today, -1);
  const [, count] = /^(\d{1,5})d$/.exec(text) ?? [];
  return count === undefined ? undefined : addDays(today, -Number(count));
}

/** The instant (ms since 1970) of a date-time as a person types it: with an offset, or the local time 2026-11-20T09:30, also with a space or seconds. */
export function typedDateTime(text: string, edge: Edge, { zone }: Pick<LocalClock, 'zone'>): number | undefined {
  const [, day, time, seconds = '00'] = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?::(\d{2}))?$/.exec(text) ?? [];
  if (day === undefined) return parseDateTime(text);
  const local = parseDateTime(`${day}T${time}:${seconds}Z`);
  if (local === undefined) return undefined;
  const { first, last } = instantsOf(local, zone);
  return edge === 'start' ? first : last;
}

/** The instant (ms since 1970) at which a range that a person typed starts or ends; undefined for another text, and for a day that the zone left out. */
export function typedInstant(text: string, edge: Edge, clock: LocalClock): number | undefined {
  const day = typedDay(text, clock);
  return day === undefined ? typedDateTime(text, edge, clock) : dayEdge(day, edge, clock.zone);
}

/** Whether a text has the form of a day or a time that a person types. */
export function isTypedTime(text: string): boolean {
  return typedInstant(text, 'start', { now: 0, zone: utc }) !== undefined;
}
