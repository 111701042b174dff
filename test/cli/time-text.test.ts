import { expect, test } from 'vitest';
import { followedTime, listTime } from '../../src/cli/output/time-text.js';
import { timeZoneNamed, utc } from '../../src/domain/values/time-zone.js';

const losAngeles = timeZoneNamed('America/Los_Angeles') ?? utc;
const apia = timeZoneNamed('Pacific/Apia') ?? utc;
/** 22:17 on 2026-11-24 in Los Angeles, 19:17 on 2026-11-25 in Apia. */
const sold = '2026-11-25T06:17:05.000Z';

test('lists show the local day and time', () => {
  const soon = Date.parse(sold) + 60_000;
  expect(listTime(sold, soon, losAngeles)).toBe('today 22:17');
  expect(listTime(sold, soon, apia)).toBe('today 19:17');
  // Two hours later it is the next day in Los Angeles, not in Apia.
  const later = Date.parse(sold) + 2 * 60 * 60_000;
  expect(listTime(sold, later, losAngeles)).toBe('Nov 24 22:17');
  expect(listTime(sold, later, apia)).toBe('today 19:17');
  expect(listTime('2026-12-24T17:30:00.000Z', soon, losAngeles)).toBe('Dec 24 09:30');
  expect(listTime('2026-01-01T07:59:59.999Z', soon, losAngeles)).toBe('2025-12-31');
});

test('a followed entry has seconds, and its day if that is not today', () => {
  expect(followedTime(sold, Date.parse(sold), losAngeles)).toBe('22:17:05');
  expect(followedTime(sold, Date.parse(sold) + 2 * 60 * 60_000, losAngeles)).toBe('2026-11-24 22:17');
});
