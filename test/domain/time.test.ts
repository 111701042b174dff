import { expect, test } from 'vitest';
import { utc } from '../../src/domain/values/time-zone.js';
import { formatDateTime, invalidPart, parseDateTime } from '../../src/domain/values/time.js';
import { typedInstant } from '../../src/domain/values/typed-time.js';

/** Date-times of RFC 3339 and their instants; the first five are the examples of section 5.8. */
const valid: readonly (readonly [string, string])[] = [
  ['1985-04-12T23:20:50.52Z', '1985-04-12T23:20:50.520Z'],
  ['1996-12-19T16:39:57-08:00', '1996-12-20T00:39:57.000Z'],
  ['1990-12-31T23:59:60Z', '1990-12-31T23:59:59.000Z'],
  ['1990-12-31T15:59:60-08:00', '1990-12-31T23:59:59.000Z'],
  ['1937-01-01T12:00:27.87+00:20', '1937-01-01T11:40:27.870Z'],
  ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20t09:30:00z', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20T09:30:00-00:00', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20T00:00:00+23:59', '2026-11-19T00:01:00.000Z'],
  ['2026-11-20T23:59:59-23:59', '2026-11-21T23:58:59.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0001-01-01T01:00:00+01:00', '0001-01-01T00:00:00.000Z'],
  ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ['9999-12-31T22:59:59-01:00', '9999-12-31T23:59:59.000Z'],
  ['2026-06-30T23:59:60.5Z', '2026-06-30T23:59:59.500Z'],
  ['2026-07-01T05:44:60+05:45', '2026-06-30T23:59:59.000Z'],
  ['2026-03-17T23:59:60Z', '2026-03-17T23:59:59.000Z'],
  ['2026-11-20T09:30:00.1Z', '2026-11-20T09:30:00.100Z'],
  ['2026-11-20T09:30:00.1234567890123456789012345678901234567890Z', '2026-11-20T09:30:00.123Z'],
  ['2026-11-20T09:30:00.9999Z', '2026-11-20T09:30:00.999Z'],
  [`2026-11-20T09:30:00.${'0'.repeat(1000)}1Z`, '2026-11-20T09:30:00.000Z'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
];

/** Invalid date-times, most of which `new Date()` accepts. */
const invalid: readonly string[] = [
  '',
  'tomorrow',
  '0',
  '1795512600000',
  '2026',
  '2026-11',
  '2026-11-20',
  '2026-11-20T09:30:00',
  '2026-11-20T09:30Z',
  '2026-11-20T09Z',
  '2026-11-20 09:30:00Z',
  ' 2026-11-20T09:30:00Z',
  '2026-11-20T09:30:00Z ',
  '2026-11-20T09:30:00Z\n',
  '20261120T093000Z',
  '2026-00-10T00:00:00Z',
  '2026-13-10T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T09:60:00Z',
  '2026-11-20T09:30:61Z',
  '2026-11-20T09:30:60Z',
  '2026-11-20T23:59:60+01:00',
  '2026-11-20T09:30:00.Z',
  '2026-11-20T09:30:00,5Z',
  '2026-11-20T09:30:00+24:00',
  '2026-11-20T09:30:00+01:60',
  '2026-11-20T09:30:00+0100',
  '2026-11-20T09:30:00+01',
  '2026-11-20T09:30:00 Z',
  '2026-11-20T09:30:00UTC',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '10000-01-01T00:00:00Z',
  '+002026-11-20T09:30:00Z',
  '-0001-11-20T09:30:00Z',
  '２０２６-11-20T09:30:00Z',
];

for (const [text, instant] of valid) {
  test(`${text.slice(0, 60)} is ${instant}`, () => {
    expect(formatDateTime(parseDateTime(text) ?? NaN)).toBe(instant);
  });
}

for (const text of invalid) {
  test(`${JSON.stringify(text)} is no date-time`, () => {
    expect(parseDateTime(text)).toBeUndefined();
  });
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** The number of days in each month of a year, by trying all of them. */
function days(year: string): readonly number[] {
  const isDay = (month: number, day: number): boolean => parseDateTime(`${year}-${twoDigits(month)}-${twoDigits(day)}T00:00:00Z`) !== undefined;
  return Array.from({ length: 12 }, (_, month) => Array.from({ length: 33 }, (__, day) => day).filter((day) => isDay(month + 1, day)).length);
}

test('accepts the days of every month, in leap years and others', () => {
  expect(days('2026')).toEqual([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
  expect(days('2024')).toEqual([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
  expect(days('1900')[1]).toBe(28);
  expect(days('2000')[1]).toBe(29);
});

test('a printed date-time parses to the same instant', () => {
  for (const instant of [-62_135_596_800_000, -1, 0, 1, 951_782_400_000, Date.UTC(9999, 11, 31, 23, 59, 59, 999)]) {
    expect(parseDateTime(formatDateTime(instant))).toBe(instant);
  }
});

function shown(text: string, edge: 'start' | 'end'): string | undefined {
  const instant = typedInstant(text, edge, { now: 0, zone: utc });
  return instant === undefined ? undefined : formatDateTime(instant);
}

test('a range accepts a UTC day or a date-time', () => {
  expect(shown('2026-11-20', 'start')).toBe('2026-11-20T00:00:00.000Z');
  expect(shown('2026-11-20', 'end')).toBe('2026-11-20T23:59:59.999Z');
  expect(shown('2026-11-20T10:00:00+01:00', 'start')).toBe('2026-11-20T09:00:00.000Z');
  expect(shown('2026-11-20T10:00:00+01:00', 'end')).toBe('2026-11-20T09:00:00.000Z');
  for (const text of [
    '2026-02-30',
    '2026-11',
    '0000-01-01',
    '2026-11-20T10',
    '20261120',
    '2026-11-20T24:00',
    '2026-11-20T10:00+1',
    '2026-11-20T10:00+25',
    '2026-11-20T10:00 UTC',
  ]) {
    expect([text, shown(text, 'start'), shown(text, 'end')]).toEqual([text, undefined, undefined]);
  }
});

test.each([
  ['2026-13-01', 'there is no month 13'],
  ['0000-01-01', 'there is no year 0000'],
  ['2026-04-00', 'there is no day 00'],
  ['2028-02-30', 'February 2028 has 29 days'],
  ['2026-04-30T24:00:00Z', 'there is no hour 24'],
  ['2026-04-30T10:60:00Z', 'there is no minute 60'],
  ['2026-04-30T10:00:61Z', 'there is no second 61'],
  ['2026-04-30T10:00:60Z', 'only 23:59:60 UTC is a leap second'],
  ['soon', undefined],
])('of %s a refusal says: %s', (text, part) => expect(invalidPart(text)).toBe(part === undefined ? '' : `: ${part}`));

test('a stored number that is not a time is reported as damage', () => {
  for (const instant of [8.64e15 + 1, -8.64e15 - 1, 2 ** 62, NaN])
    expect(() => formatDateTime(instant)).toThrow(expect.objectContaining({ code: 'store_unreadable' }));
  expect(formatDateTime(8.64e15)).toBe('+275760-09-13T00:00:00.000Z');
});
