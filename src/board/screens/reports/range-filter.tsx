import type { JSX } from 'preact';
import { change, Choice, DayFilter } from '../../parts/lists/filters.js';
import { dayOf, firstOfDays, dayAndYearText } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import { queryValue } from '../../state/router.js';

/** The days of a report; without one, from the first entry of the ledger, or until now. */
export interface DayRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The range of the address. */
export function askedRange(): DayRange {
  return { from: queryValue('from'), to: queryValue('to') };
}

/** A range in words, with the time zone of its days. */
export function rangeText({ from, to }: DayRange): string {
  const [first, last] = [from === undefined ? 'First entry' : dayAndYearText(from), to === undefined ? 'now' : dayAndYearText(to)];
  return `${from !== undefined && from === to ? first : `${first} to ${last}`}, ${timeZone}`;
}

const spans = [7, 30, 90, 365];

/** The range of a report: the last days, or from one day to another. */
export function RangeFilter(): JSX.Element {
  const { from = '', to } = askedRange();
  const today = dayOf(now());
  const starts = spans.map((days) => ({ value: firstOfDays(days), label: `Last ${days} days` }));
  const isSpan = to === undefined && (from === '' || starts.some(({ value }) => value === from));
  const choices = [{ value: '', label: 'Everything' }, ...starts, ...(isSpan ? [] : [{ value: 'other', label: 'Other days' }])];
  return (
    <>
      <Choice label="Time" name="from" choices={choices} value={isSpan ? from : 'other'} onChoose={(start) => change({ from: start, to: undefined })} />
      <DayFilter label="From" name="from" max={today} />
      <DayFilter label="To the end of" name="to" max={today} />
    </>
  );
}
