import * as v from 'valibot';
import { rangeEndText, rangeStartText } from '../values/time.js';

/** A range of time with both ends included; open where an end is missing. */
export interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The parameters that give the range of a report. */
export const rangeParameters = { from: v.optional(rangeStartText), to: v.optional(rangeEndText) };
