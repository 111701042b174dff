import type { Call, CallOptions } from '../../../domain/call.js';
import { addCountLines } from '../../../domain/counts/add-count-lines.js';
import type { AddedLine } from '../../../domain/counts/count-line.js';
import type { CountedNumber } from './line-number.js';

/** A line to record: a pet and how many. Under its key it is recorded once, however often it is sent. */
interface SentLine extends CountedNumber {
  readonly petId: number;
  readonly key?: string;
}

/** The count that lines are sent to. */
export interface LineTarget {
  readonly call: Call;
  readonly countId: number;
  /** Whether pets that are not in the count are added to it. */
  readonly also: boolean;
}

/** Sends lines in one request: all are recorded, or none. */
export async function sendLines({ call, countId, also }: LineTarget, lines: readonly SentLine[], options?: CallOptions): Promise<readonly AddedLine[]> {
  const body = { lines: lines.map(({ petId, number, adds, key }) => ({ petId, number, adds, also, ...(key !== undefined && { key }) })) };
  return (await call(addCountLines, { countId, body }, options)).lines;
}
