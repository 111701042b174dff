import { expect, test } from 'vitest';
import {
  addDays,
  dayAt,
  endOfDay,
  instantsOf,
  localText,
  offsetsBetween,
  startOfDay,
  timeZoneNamed,
  utc,
  type TimeZone,
} from '../../src/domain/values/time-zone.js';
import { dayEdge } from '../../src/domain/values/time.js';

const hour = 60 * 60 * 1000;

function zoneOf(name: string): TimeZone {
  const zone = timeZoneNamed(name);
  if (zone === undefined) throw new Error(`There is no zone ${name}.`);
  return zone;
}

/** Days of zones: their first instant and their length in hours. */
const days: readonly (readonly [zone: string, day: string, start: string, hours: number])[] = [
  ['UTC', '2026-11-20', '2026-11-20T00:00:00Z', 24],
  ['America/Los_Angeles', '2026-11-20', '2026-11-20T08:00:00Z', 24],
  ['America/Los_Angeles', '2026-07-01', '2026-07-01T07:00:00Z', 24],
  ['America/Los_Angeles', '2026-03-08', '2026-03-08T08:00:00Z', 23],
  ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00:00Z', 25],
  ['America/Los_Angeles', '2026-11-02', '2026-11-02T08:00:00Z', 24],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', 23],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', 25],
  ['Australia/Lord_Howe', '2027-04-04', '2027-04-03T13:00:00Z', 24.5],
  ['Australia/Lord_Howe', '2027-10-03', '2027-10-02T13:30:00Z', 23.5],
  ['Pacific/Apia', '2026-11-20', '2026-11-19T11:00:00Z', 24],
  ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00Z', 24],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z', 24],
  ['Asia/Kathmandu', '2026-11-20', '2026-11-19T18:15:00Z', 24],
  ['Pacific/Kiritimati', '2026-11-20', '2026-11-19T10:00:00Z', 24],
  // Clocks are set forward at midnight: the day starts at 01:00.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', 23],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z', 23],
  // Clocks are set back from midnight to 23:00 of the day before.
  ['America/Sao_Paulo', '2018-02-17', '2018-02-17T02:00:00Z', 25],
  ['America/Nuuk', '2026-10-24', '2026-10-24T01:00:00Z', 25],
];

test.each(days)('in %s the day %s starts at %s and has %d hours', (name, day, start, hours) => {
  const zone = zoneOf(name);
  const [first, last] = [startOfDay(day, zone), endOfDay(day, zone)];
  expect([new Date(first).toISOString(), (last + 1 - first) / hour]).toEqual([new Date(start).toISOString(), hours]);
  expect([first, last].map((instant) => dayAt(instant, zone))).toEqual([day, day]);
  expect([dayAt(first - 1, zone), dayAt(last + 1, zone)]).not.toContain(day);
});

test('a day that the zone left out has no ends', () => {
  const apia = zoneOf('Pacific/Apia');
  expect([dayEdge('2011-12-30', 'start', apia), dayEdge('2011-12-30', 'end', apia)]).toEqual([undefined, undefined]);
  expect(dayEdge('2011-12-31', 'start', apia)).toBe(Date.parse('2011-12-30T10:00:00Z'));
});

test('days of all zones stay in the years 0001 to 9999', () => {
  for (const name of ['America/Los_Angeles', 'Pacific/Apia', 'UTC']) {
    const ends = [dayEdge('0001-01-01', 'start', zoneOf(name)), dayEdge('9999-12-31', 'end', zoneOf(name))];
    expect(ends.map((instant = 0) => new Date(instant).toISOString())).toEqual([expect.stringMatching(/^0001-01-01T/), expect.stringMatching(/^9999-12-31T/)]);
  }
});

test('a local time that clocks show twice has a first and a last instant', () => {
  const losAngeles = zoneOf('America/Los_Angeles');
  const at = (local: string) => Object.values(instantsOf(Date.parse(`${local}Z`), losAngeles)).map((instant) => new Date(instant).toISOString());
  expect(at('2026-11-01T01:30:00')).toEqual(['2026-11-01T08:30:00.000Z', '2026-11-01T09:30:00.000Z']);
  expect(at('2026-11-01T02:30:00')).toEqual(['2026-11-01T10:30:00.000Z', '2026-11-01T10:30:00.000Z']);
  // Clocks go from 02:00 to 03:00.
  expect(at('2026-03-08T02:30:00')).toEqual(['2026-03-08T10:00:00.000Z', '2026-03-08T10:00:00.000Z']);
});

test('a local text shows the clock of the zone', () => {
  expect(localText(Date.parse('2026-11-21T06:17:05Z'), zoneOf('America/Los_Angeles'))).toBe('2026-11-20T22:17:05.000');
  expect(localText(Date.parse('2026-11-21T06:17:05Z'), zoneOf('Pacific/Apia'))).toBe('2026-11-21T19:17:05.000');
  expect(localText(0, utc)).toBe('1970-01-01T00:00:00.000');
});

test('the offsets of a range change where the clocks change', () => {
  const losAngeles = zoneOf('America/Los_Angeles');
  const spans = offsetsBetween(losAngeles, Date.parse('2026-01-01T00:00:00Z'), Date.parse('2026-12-31T00:00:00Z'));
  expect(spans.map(({ until, offset }) => [Number.isFinite(until) ? new Date(until).toISOString() : 'end', offset / hour])).toEqual([
    ['2026-03-08T10:00:00.000Z', -8],
    ['2026-11-01T09:00:00.000Z', -7],
    ['end', -8],
  ]);
  expect(offsetsBetween(utc, 0, Date.UTC(9999, 0, 1))).toEqual([{ until: Infinity, offset: 0 }]);
  // Bounded also for a ledger with a damaged time.
  expect(offsetsBetween(losAngeles, 0, Date.UTC(9999, 0, 1)).length).toBeLessThan(250);
});

test('finds zones by their IANA names only', () => {
  for (const name of ['America/Los_Angeles', 'Etc/GMT+8', 'America/Argentina/Buenos_Aires', 'UTC']) expect(timeZoneNamed(name)?.name).toBe(name);
  for (const name of ['', 'Mars/Olympus', '+01:00', '-08', 'UTC+1', 'a'.repeat(65), 'America/Los_Angeles\n', '../etc/passwd'])
    expect([name, timeZoneNamed(name)]).toEqual([name, undefined]);
  expect(timeZoneNamed('Pacific/Apia')).toBe(timeZoneNamed('Pacific/Apia'));
});

test('adds days by the calendar', () => {
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
});
