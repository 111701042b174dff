import { dayAt, isTwice, localText, type TimeZone, utc } from '../../domain/values/time-zone.js';

/** The local date and time of an RFC 3339 date-time: 2026-11-20 22:17, followed by "UTC" in that zone, and by the time of UTC if clocks show it twice. */
export function clockText(at: string, zone: TimeZone): string {
  const instant = Date.parse(at);
  const text = localText(instant, zone).slice(0, 16).replace('T', ' ');
  if (zone === utc) return `${text} UTC`;
  return isTwice(instant, zone) ? `${text} (${localText(instant, utc).slice(11, 16)} UTC)` : text;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The local day and time of an RFC 3339 date-time as lists show it: today 22:17, Nov 20 09:12, or 2025-11-20 in another year. */
export function listTime(at: string, now: number, zone: TimeZone): string {
  const [day = '', time = ''] = localText(Date.parse(at), zone).split('T');
  const today = dayAt(now, zone);
  if (day.slice(0, 4) !== today.slice(0, 4)) return day;
  return `${day === today ? 'today' : `${months[Number(day.slice(5, 7)) - 1]} ${day.slice(8)}`} ${time.slice(0, 5)}`;
}

/** The local time of an RFC 3339 date-time as it stays on the screen: 22:17:05, with its day if that is not today. */
export function followedTime(at: string, now: number, zone: TimeZone): string {
  const [day = '', time = ''] = localText(Date.parse(at), zone).split('T');
  return day === dayAt(now, zone) ? time.slice(0, 8) : `${day} ${time.slice(0, 5)}`;
}

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A past or future instant relative to `now`, such as "2 days ago". */
export function relativeTime(at: string, now: number): string {
  const seconds = Math.round((now - Date.parse(at)) / 1000);
  const found = units.find(([, size]) => Math.abs(seconds) >= size);
  if (found === undefined) return seconds < -1 ? 'in a moment' : 'just now';
  const count = Math.floor(Math.abs(seconds) / found[1]);
  const span = `${count} ${found[0]}${count === 1 ? '' : 's'}`;
  return seconds > 0 ? `${span} ago` : `in ${span}`;
}

/** The local date and time of an instant, and how long ago or how far off it is: 2026-11-20 22:17 (2 days ago). */
export function datedText(at: string, now: number, zone: TimeZone): string {
  return `${clockText(at, zone)} (${relativeTime(at, now)})`;
}
