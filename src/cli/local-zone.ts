import { realpathSync } from 'node:fs';
import { StoreError } from '../domain/errors.js';
import { type TimeZone, timeZoneNamed, utc } from '../domain/values/time-zone.js';

const offsetAt = (instant: number): number => -new Date(instant).getTimezoneOffset() * 60_000;

// Found on first use, because Intl takes longer to load than a list to show.
let processName: string | undefined;

/** The time zone as Node has it. Most commands need only its offsets, which Node has without loading Intl. */
const processZone: TimeZone = {
  get name() {
    return (processName ??= timeZoneNamed(new Intl.DateTimeFormat().resolvedOptions().timeZone)?.name ?? utc.name);
  },
  offsetAt,
};

/** The name of the zone in a value of TZ, which may also be the path of its file, as the C library has it. */
function nameIn(tz: string): string {
  const text = tz.replace(/^:/, '');
  try {
    return (text.startsWith('/') ? realpathSync(text) : text).replace(/^.*\/zoneinfo\//, '').replace(/^(?:posix|right)\//, '');
  } catch {
    return text;
  }
}

/** Whether the zone of Node is another one than UTC, which Node also has for a name that it does not know. */
function differsFromUtc(): boolean {
  return offsetAt(Date.UTC(2026, 0, 1)) !== 0 || offsetAt(Date.UTC(2026, 6, 1)) !== 0;
}

/** The time zone of this process: that of TZ, or of the machine. Refuses with `usage` a TZ that names no zone. */
export function localZoneOf(tz: string | undefined): TimeZone {
  if (tz === undefined || tz === '' || (/^[A-Za-z_/-]+$/.test(tz) && !tz.startsWith('/') && differsFromUtc())) return processZone;
  const zone = timeZoneNamed(nameIn(tz));
  // Times of --utc, whose zone this is, are followed by "UTC".
  if (zone === utc) return processZone;
  if (zone !== undefined) return zone;
  throw new StoreError('usage', `TZ is "${tz}", which is not the name of a time zone.`, {
    advice: 'Set TZ to a name such as America/Los_Angeles or UTC, or use --utc.',
  });
}
