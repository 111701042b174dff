import { optional } from '../values/schemas.js';
import { rangeEndText, rangeStartText } from '../values/time.js';

/** A time range that includes both ends; unlimited where one is missing. */
export interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The parameters of the time range of a report. */
export const rangeParameters = {
  from: optional(rangeStartText, 'The start of the range: a date-time, or a day in UTC. Default: the start of the ledger.'),
  to: optional(rangeEndText, 'The end of the range: a date-time, or a day in UTC, to its end. Default: now.'),
};
