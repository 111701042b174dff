import type { NumberedTable, Queries, Work } from '../queries.js';
import type { SideBySide, WorkOutcome } from '../writes/write-port.js';
import { monotonicNow } from '../monotonic-clock.js';
import { statementExchange, type Read } from './statement-exchange.js';
import { touchLog } from './touch-log.js';
import { advance, askAgain, isStale, newRun, type RunContext, type WriteRun } from './write-run.js';

/** What is read together with the lock. */
export interface LockedState {
  /** The time of the newest ledger entry, in ms since 1970; 0 without entries. */
  readonly at: number;
  /** The highest ids. */
  readonly ids: Readonly<Record<NumberedTable, number>>;
}

/** The state of an empty shop. */
export const nothingLocked: LockedState = { at: 0, ids: { ledger: 0, orders: 0, pets: 0 } };

function contextOf(queries: Queries, { at, ids }: LockedState, isPrediction: boolean): RunContext {
  return { queries, exchange: statementExchange(queries), touches: touchLog(), isPrediction, at, ids };
}

/** A write of the group, with its present run. */
interface Member {
  run: WriteRun;
  outcome: WorkOutcome | undefined;
}

/** Runs a write until it waits for an answer that is not known, or has ended. False when the whole group has to be rolled back. */
async function step(member: Member): Promise<boolean> {
  while (member.outcome === undefined) {
    const { work, context } = member.run;
    if (member.run.firstSent === undefined) {
      if (isStale(member.run)) member.run = newRun(work, context);
      askAgain(member.run);
    }
    const { run } = member;
    if (run.waitsFor.some(({ read }) => read.answer === undefined)) return true;
    await advance(run);
    const { obstacle, outcome } = run;
    const cannotBeginAgain = run.firstSent !== undefined && (obstacle !== undefined || (outcome && 'error' in outcome));
    if (cannotBeginAgain) return false;
    if (obstacle === 'time-passed' || obstacle === 'answer-missing') member.run = newRun(work, context);
    else member.outcome = obstacle === undefined ? outcome : 'alone';
    if (obstacle === 'answer-missing') return true;
  }
  return true;
}

// A group ends after this time: other processes wait for the lock.
const longestGroupMs = 50;

/**
 * Runs all writes to their ends, in as many rounds of messages as they need; `sent` settles with the last of them. When no
 * write has succeeded, the transaction is to be rolled back.
 */
async function performAll(members: readonly Member[], { exchange }: RunContext, first: Promise<void>): Promise<{ readonly sent: Promise<void> }> {
  const endMs = monotonicNow() + longestGroupMs;
  for (let sent = first; ;) {
    await sent;
    for (const member of members) {
      if (await step(member)) continue;
      for (const other of members) other.outcome = other === member ? 'alone' : 'later';
      return { sent };
    }
    const isLate = monotonicNow() > endMs && members.some(({ outcome }) => outcome !== undefined);
    for (const member of members) if (isLate && member.run.firstSent === undefined) member.outcome ??= 'later';
    sent = exchange.send();
    sent.catch(() => undefined);
    if (members.every(({ outcome }) => outcome !== undefined)) return { sent };
  }
}

/** The first reads of some writes. Writes with a statement without declaration before them get the outcome `alone`. */
async function predict(members: readonly Member[]): Promise<readonly Read[]> {
  const reads = new Set<Read>();
  for (const member of members) {
    await advance(member.run);
    const { obstacle, waitsFor } = member.run;
    if (obstacle === 'undeclared') member.outcome = 'alone';
    else for (const { read } of waitsFor) reads.add(read);
  }
  return [...reads];
}

/**
 * Runs writes side by side in one transaction: what they read and change is sent in a few messages, because a round trip
 * to the server may take longer than everything else. The result is that of the writes one after the other:
 *
 * - Their first reads are predicted, without a transaction, and sent together with the lock. So nothing is out of date.
 * - Under the lock each write runs with the answers that are known, one write at a time, until it needs another one. Its
 *   changes are kept back until then. The reads of all of them are sent in one message, and so on.
 * - A read whose subjects another write has changed since is sent again, and the writes that have used it begin again.
 * - A write whose changes were sent, because it reads them, cannot begin again. If another one has touched what it
 *   needs after that, the group is rolled back, and this write runs alone. After an error of the server all of them do.
 */
export async function sideBySide(works: readonly Work<unknown>[], queries: Queries, locked: () => LockedState): Promise<SideBySide> {
  let context = contextOf(queries, nothingLocked, true);
  const members: readonly Member[] = works.map((work) => ({ run: newRun(work, context), outcome: undefined }));
  const reads = await predict(members);
  const others = members.filter(({ outcome }) => outcome === undefined);
  let sent: Promise<void> = Promise.resolve();
  return {
    isEmpty: others.length === 0,
    begin: () => {
      context = contextOf(queries, nothingLocked, false);
      for (const { query, form } of reads) context.exchange.ask(query, form);
      sent = context.exchange.send();
      // Reported where it is awaited, unless the lock is not taken.
      sent.catch(() => undefined);
    },
    perform: async () => {
      Object.assign(context, locked());
      for (const member of others) member.run = newRun(member.run.work, context);
      const last = await performAll(others, context, sent);
      return { outcomes: members.map(({ outcome }) => outcome ?? 'later'), sent: last.sent };
    },
  };
}
