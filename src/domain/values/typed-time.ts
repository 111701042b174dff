import { addDays, dayAt, instantsOf, type TimeZone, utc } from './time-zone.js';
import { dayEdge, type Edge, invalidPart, isDay, parseDateTime } from './time.js';

/** The present instant (ms since 1970) and the zone of whoever types or reads a time. */
export interface LocalClock {
  readonly now: number;
  readonly zone: TimeZone;
}

/** The day that a person typed: `today`, `yesterday`, `tomorrow`, `7d` (seven days ago) or 2026-11-20; undefined for any other text. */
function typedDay(text: string, { now, zone }: LocalClock): string | undefined {
  if (isDay(text)) return text;
  const today = dayAt(now, zone);
  if (text === 'today') return today;
  if (text === 'yesterday') return addDays(today, -1);
  if (text === 'tomorrow') return addDays(today, 1);
  const [, count] = /^(\d{1,5})d$/.exec(text) ?? [];
  return count === undefined ? undefined : addDays(today, -Number(count));
}

// ISO 8601, also with a space, without seconds, with a comma before the fraction, and with an offset without a colon or minutes.
const typedPattern = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?: ?(?:([Zz])|([+-]\d{2})(?::?(\d{2}))?))?$/;

/** A date-time that a person typed, as RFC 3339; a local time as if it were that of UTC. Undefined for another text. */
function readTyped(text: string): { readonly dateTime: string; readonly isLocal: boolean } | undefined {
  const [, day, time, seconds = '00', fraction = '0', isUtc, hours, minutes = '00'] = typedPattern.exec(text) ?? [];
  if (day === undefined) return undefined;
  return {
    dateTime: `${day}T${time}:${seconds}.${fraction}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`,
    isLocal: isUtc === undefined && hours === undefined,
  };
}

/** The instant (ms since 1970) of a date-time as a person types it: with an offset, or the local time 2026-11-20T09:30, also with a space or seconds. */
export function typedDateTime(text: string, edge: Edge, { zone }: Pick<LocalClock, 'zone'>): number | undefined {
  const typed = readTyped(text);
  const instant = typed && parseDateTime(typed.dateTime);
  if (instant === undefined || typed?.isLocal === false) return instant;
  const { first, last } = instantsOf(instant, zone);
  return edge === 'start' ? first : last;
}

/** Whether the clocks of a zone are set forward over a local time that a person typed, so that they never show it. */
export function isSkipped(text: string, { zone }: Pick<LocalClock, 'zone'>): boolean {
  const [shown, typed] = [typedDateTime(text, 'start', { zone }), typedDateTime(text, 'start', { zone: utc })];
  return readTyped(text)?.isLocal === true && shown !== undefined && shown + zone.offsetAt(shown) !== typed;
}

/** The part of a day or a date-time as a person types it that does not exist, as `invalidPart` has it. */
export function invalidTypedPart(text: string): string {
  return invalidPart(readTyped(text)?.dateTime ?? text);
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
