import { optional } from '../values/schemas.js';
import { rangeEndText, rangeStartText } from '../values/time.js';

/** A range of time with both ends included; open where an end is missing. */
export interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The parameters that give the range of a report. */
export const rangeParameters = {
  from: optional(rangeStartText, 'The start of the range: a date-time, or a day in UTC; the beginning of the shop unless given.'),
  to: optional(rangeEndText, 'The end of the range: a date-time, or a day in UTC, which is included whole; now unless given.'),
};
