/** A time zone: its IANA name and its distance from UTC. */
export interface TimeZone {
  /** The IANA name, such as America/Los_Angeles. */
  readonly name: string;
  /** The milliseconds to add to an instant (ms since 1970) for the local time. */
  readonly offsetAt: (instant: number) => number;
}

/** The time zone UTC. */
export const utc: TimeZone = { name: 'UTC', offsetAt: () => 0 };

const second = 1000;
const hour = 60 * 60 * second;
/** The milliseconds of a day in UTC; a local day can be longer or shorter. */
export const millisecondsPerDay = 24 * hour;

// The formatter does not write the era, so that a year before 1 would be read as a year after it.
const earliestFormatted = new Date(0).setUTCFullYear(2, 0, 1);

function offsetBy(formatter: Intl.DateTimeFormat): (instant: number) => number {
  return (instant) => {
    const wholeSecond = Math.floor(Math.max(instant, earliestFormatted) / second) * second;
    const [month = 1, day = 1, year = 1970, hours = 0, minutes = 0, seconds = 0] = (formatter.format(wholeSecond).match(/\d+/g) ?? []).map(Number);
    const local = new Date(0).setUTCFullYear(year, month - 1, day) + ((hours * 60 + minutes) * 60 + seconds) * second;
    return local - wholeSecond;
  };
}

/** Creates a zone; undefined if Intl does not know its name. */
function createZone(name: string): TimeZone | undefined {
  try {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
    const formatter = new Intl.DateTimeFormat('en-US', { timeZone: name, hourCycle: 'h23', ...parts });
    return { name, offsetAt: offsetBy(formatter) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

// A formatter takes milliseconds to create and some memory to keep; clients of a server choose the names.
const mostZones = 64;
const zones = new Map<string, TimeZone>();

/** The zone with an IANA name; undefined for another text, also for an offset such as +01:00. */
export function timeZoneNamed(name: string): TimeZone | undefined {
  if (name === 'UTC') return utc;
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return undefined;
  const known = zones.get(name);
  if (known !== undefined) return known;
  const created = createZone(name);
  if (created === undefined) return undefined;
  const [oldest] = zones.keys();
  if (oldest !== undefined && zones.size >= mostZones) zones.delete(oldest);
  zones.set(name, created);
  return created;
}

/** The local date and time of an instant (ms since 1970), as the instant at which UTC shows the same. */
function localTime(instant: number, zone: TimeZone): number {
  return instant + zone.offsetAt(instant);
}

/** The local date and time of an instant (ms since 1970) without its zone: 2026-11-20T22:17:05.000. */
export function localText(instant: number, zone: TimeZone): string {
  return new Date(localTime(instant, zone)).toISOString().slice(0, -1);
}

/** The day of an instant (ms since 1970) in a zone: 2026-11-20. */
export function dayAt(instant: number, zone: TimeZone): string {
  return new Date(localTime(instant, zone)).toISOString().slice(0, 10);
}

/** A day that is a number of days later, or earlier if negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * millisecondsPerDay).toISOString().slice(0, 10);
}

/** The first instant between two (exclusive, inclusive) at which the offset is no longer that at `from`; there is one change between them. */
function changeBetween(zone: TimeZone, from: number, to: number): number {
  const before = zone.offsetAt(from);
  let [low, high] = [Math.floor(from / second), Math.ceil(to / second)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetAt(middle * second) === before) low = middle;
    else high = middle;
  }
  return high * second;
}

/**
 * The instants (ms since 1970) at which a zone shows a local time, written as the instant at which UTC shows it: the first,
 * and the last where clocks are set back and show it twice. Where clocks are set forward over it, both are the change.
 */
export function instantsOf(local: number, zone: TimeZone): { readonly first: number; readonly last: number } {
  // Offsets are between -12 and +14 hours, so a day to each side includes every instant that can be meant.
  const [from, to] = [local - millisecondsPerDay, local + millisecondsPerDay];
  const [before, after] = [zone.offsetAt(from), zone.offsetAt(to)];
  if (before === after) return { first: local - before, last: local - before };
  const change = changeBetween(zone, from, to);
  const [early, late] = [local - before, local - after];
  if (early >= change && late < change) return { first: change, last: change };
  return { first: early < change ? early : late, last: late >= change ? late : early };
}

/** Whether a zone shows the local time of an instant (ms since 1970) twice, because clocks are set back. */
export function isTwice(instant: number, zone: TimeZone): boolean {
  const { first, last } = instantsOf(localTime(instant, zone), zone);
  return first !== last;
}

/** The local days between two instants (ms since 1970), with a fraction: a day from one clock time to the same of the next day, also when clocks are changed. */
export function localDaysBetween(from: number, to: number, zone: TimeZone): number {
  return (localTime(to, zone) - localTime(from, zone)) / millisecondsPerDay;
}

/** The instant (ms since 1970) at which clocks showed the same time a number of days before another instant. */
export function daysBefore(instant: number, count: number, zone: TimeZone): number {
  return instantsOf(localTime(instant, zone) - count * millisecondsPerDay, zone).first;
}

/** The first instant of a day in a zone (ms since 1970). Where clocks are set forward at midnight, the day starts at the change. */
export function startOfDay(day: string, zone: TimeZone): number {
  return instantsOf(Date.parse(day), zone).first;
}

/** The last millisecond of a day in a zone; before its start if the zone left out the day, as Pacific/Apia did on 2011-12-30. */
export function endOfDay(day: string, zone: TimeZone): number {
  return instantsOf(Date.parse(day) + millisecondsPerDay, zone).first - 1;
}

/** A span of time with one offset. */
export interface OffsetSpan {
  /** Its end (ms since 1970, exclusive); the last span has none. */
  readonly until: number;
  readonly offset: number;
}

const mostYears = 100;

/** The offsets of a zone between two instants (ms since 1970), in the order of time. Changes later than 100 years after the start are not looked for. */
export function offsetsBetween(zone: TimeZone, from: number, to: number): readonly OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  let offset = zone.offsetAt(from);
  const end = zone === utc ? from : Math.min(to, from + mostYears * 366 * millisecondsPerDay);
  for (let start = from; start < end; start += millisecondsPerDay) {
    const next = zone.offsetAt(start + millisecondsPerDay);
    if (next === offset) continue;
    spans.push({ until: changeBetween(zone, start, start + millisecondsPerDay), offset });
    offset = next;
  }
  return [...spans, { until: Infinity, offset }];
}
