import { addCountLines } from '../../../domain/counts/add-count-lines.js';
import { maximumLines, type AddedLine } from '../../../domain/counts/count-line.js';
import type { Call, CallOptions } from '../../../domain/call.js';
import { StoreError } from '../../../domain/errors.js';
import { isUnavailable } from '../../exit-codes.js';
import type { CountedNumber } from './line-number.js';

/** A line to record: a pet and how many. Under its key it is recorded once, however often it is sent. */
export interface ScannedLine extends CountedNumber {
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
export async function sendLines({ call, countId, also }: LineTarget, lines: readonly ScannedLine[], options?: CallOptions): Promise<readonly AddedLine[]> {
  const body = { lines: lines.map(({ petId, number, adds, key }) => ({ petId, number, adds, also, ...(key !== undefined && { key }) })) };
  return (await call(addCountLines, { countId, body }, options)).lines;
}

/** What becomes of lines. */
interface SenderEvents {
  readonly onRecorded: (lines: readonly AddedLine[]) => Promise<void>;
  readonly onRefused: (line: ScannedLine, reason: StoreError) => Promise<void>;
  /** Called when the server does not answer, and when it does again. */
  readonly onWaiting: (reason: StoreError, lines: number) => Promise<void>;
  /** Called when no further line can be recorded. */
  readonly onFailure: () => void;
}

/** Where lines are sent, and how long. */
interface Target extends LineTarget {
  /** Waits before lines are sent again. */
  readonly pause: () => Promise<void>;
  /** Aborted when the lines that are left are given up. */
  readonly givenUp: AbortSignal;
}

/** Sends lines in their order, as many at once as have arrived. Lines that were sent are kept until they are answered. */
export interface LineSender {
  readonly add: (line: ScannedLine) => void;
  /** Resolves when no line is left, or the rest was given up. */
  readonly sent: () => Promise<void>;
  readonly recorded: () => number;
  readonly unsent: () => readonly ScannedLine[];
  /** Whether the server did not answer the last request. */
  readonly isWaiting: () => boolean;
  /** Why no further line can be recorded, for example because the count was closed. */
  readonly failure: () => StoreError | undefined;
}

/** The line that a refusal is about; undefined where it is about the count. */
function refusedLine({ details: { lineIndex, petIds = [] } }: StoreError, lines: readonly ScannedLine[]): ScannedLine | undefined {
  return lineIndex === undefined ? lines.find(({ petId }) => petIds.includes(petId)) : lines[lineIndex];
}

/** Repeats a step while there is something to do; a call while it runs waits for the same loop. */
function oneLoop(isNeeded: () => boolean, step: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    try {
      while (isNeeded()) await step();
    } finally {
      // In the same turn as the last check: what is added later needs another loop.
      isRunning = false;
    }
  };
  return () => (isRunning ? running : (running = run()));
}

/** A sender of lines to a count. */
export function lineSender(target: Target, { onRecorded, onRefused, onWaiting, onFailure }: SenderEvents): LineSender {
  const pending: ScannedLine[] = [];
  let recorded = 0;
  let isWaiting = false;
  let failure: StoreError | undefined;
  const sendBatch = async (): Promise<void> => {
    const batch = pending.slice(0, maximumLines);
    try {
      const lines = await sendLines(target, batch);
      pending.splice(0, batch.length);
      isWaiting = false;
      recorded += lines.length;
      await onRecorded(lines);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const refused = refusedLine(error, batch);
      if (refused !== undefined) {
        pending.splice(pending.indexOf(refused), 1);
        isWaiting = false;
        return onRefused(refused, error);
      }
      if (!isUnavailable(error)) {
        failure = error;
        return onFailure();
      }
      if (!isWaiting) await onWaiting(error, pending.length);
      isWaiting = true;
      // The lines have keys: those that were recorded although the answer was lost are not added twice.
      await target.pause();
    }
  };
  const start = oneLoop(() => pending.length > 0 && failure === undefined && !target.givenUp.aborted, sendBatch);
  return {
    add: (line) => {
      pending.push(line);
      // A failure is thrown by `sent`.
      start().catch(() => undefined);
    },
    sent: start,
    recorded: () => recorded,
    unsent: () => pending,
    isWaiting: () => isWaiting,
    failure: () => failure,
  };
}
