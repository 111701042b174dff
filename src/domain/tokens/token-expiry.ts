import { invalidField } from '../errors.js';
import type { TimeZone } from '../values/time-zone.js';
import { formatDateTime } from '../values/time.js';
import { typedInstant } from '../values/typed-time.js';

const hour = 60 * 60 * 1000;

const spans: ReadonlyMap<string, number> = new Map([
  ['h', hour],
  ['d', 24 * hour],
  ['w', 7 * 24 * hour],
]);

function spanOf(text: string): number | undefined {
  const [, count, unit = ''] = /^([0-9]{1,5})([hdw])$/.exec(text) ?? [];
  const length = spans.get(unit);
  return length === undefined ? undefined : Number(count) * length;
}

/**
 * The expiry of a token from the text of a user: a date-time, a day (its end, in a zone) or a duration (`12h`, `90d`, `8w`);
 * undefined for any other text. Refuses with `validation_failed` a time in the past.
 */
export function expiryOf(text: string, now: number, zone: TimeZone): string | undefined {
  const span = spanOf(text);
  const instant = span === undefined ? typedInstant(text, 'end', { now, zone }) : now + span;
  if (instant === undefined) return undefined;
  const expiry = formatDateTime(instant);
  if (instant <= now) throw invalidField('expires', `must be in the future, not ${expiry}`);
  return expiry;
}
