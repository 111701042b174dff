import { setTimeout as sleep } from 'node:timers/promises';

/** How long after a change requests keep their distance. */
const busyMs = 1000;
/** Requests that begin together while changes are made: a thread that wakes for each one takes a multiple of its time. */
const requestsTogether = 10;

/** When requests begin. */
export interface RequestTurns {
  /** Waits until a request may begin. */
  readonly take: () => Promise<void>;
  /** Says that a change was made. */
  readonly changed: () => void;
  /** Lets all requests begin at once. */
  readonly stop: () => void;
}

/** While changes are made, requests begin `everyMs` apart: the changes come first. */
export function requestTurns(everyMs: number): RequestTurns {
  let changedAt = -busyMs;
  let isStopped = false;
  let turn = Promise.resolve();
  let turns = 0;
  const pause = async (): Promise<void> => {
    const isBusy = performance.now() - changedAt < busyMs && !isStopped;
    if (isBusy && everyMs > 0) await sleep(everyMs * requestsTogether);
  };
  return {
    take: () => {
      const own = turn;
      turns += 1;
      if (turns % requestsTogether === 0) turn = own.then(pause);
      return own;
    },
    changed: () => void (changedAt = performance.now()),
    stop: () => void (isStopped = true),
  };
}
