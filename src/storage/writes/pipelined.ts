import { monotonicNow } from '../retry.js';
import type { NumberedTable, WriteQueries } from '../queries.js';
import { takingTurns, type EndTurn } from './turns.js';
import { RunAloneError, runOne, type Attempt, type Attempts, type Pipeline, type WaitingWrite, type WritePort } from './write-port.js';

// A group ends after this time: other processes wait for the lock.
const longestGroupMs = 50;

/** What the writes of a group share. */
interface SharedRun {
  readonly port: WritePort;
  readonly pipeline: Pipeline;
  /** Only the write that has the turn runs, until it waits for an answer. */
  readonly takeTurn: () => Promise<EndTurn>;
  /** The statements that no write waits for. */
  readonly sent: Promise<unknown>[];
  /** How many ids were taken. */
  idsTaken: number;
}

/** The queries of one write of a group. Its turn ends while it waits for answers. */
function queriesInTurns(group: SharedRun) {
  const { port, pipeline, takeTurn, sent } = group;
  const waiting = new Set<Promise<unknown>>();
  let turn: Promise<EndTurn> | undefined;
  let lastTake: number | undefined;
  let isInterrupted = false;
  const begin = (): Promise<EndTurn> => (turn ??= takeTurn());
  const end = (): void => {
    void turn?.then((endTurn) => endTurn());
    turn = undefined;
  };
  const answered = async <T>(answer: Promise<T>): Promise<T> => {
    waiting.add(answer);
    end();
    try {
      return await answer;
    } finally {
      waiting.delete(answer);
      await begin();
    }
  };
  const takeId = (table: NumberedTable): number => {
    group.idsTaken += 1;
    // The entries of one change follow each other, and orders have their ids in the order of their entries.
    isInterrupted ||= lastTake !== undefined && group.idsTaken !== lastTake + 1;
    lastTake = group.idsTaken;
    return pipeline.takeId(table);
  };
  const queries: WriteQueries = {
    ...port.queries,
    all: (query) => answered(port.queries.all(query)),
    rows: (query) => answered(port.queries.rows(query)),
    get: (query) => answered(port.queries.get(query)),
    run: async (query) => {
      const answer = port.queries.run(query);
      answer.catch(() => undefined);
      sent.push(answer);
    },
    runAndCount: (query) => answered(port.queries.runAndCount(query)),
    clock: { ...port.queries.clock, takeId },
  };
  const endAll = async (): Promise<void> => {
    await Promise.allSettled(waiting);
    end();
  };
  return { queries, begin, end: endAll, isInterrupted: () => isInterrupted };
}

/** Runs one write beside others. */
async function runBeside(group: SharedRun, one: WaitingWrite): Promise<Attempt> {
  const { queries, begin, end, isInterrupted } = queriesInTurns(group);
  await begin();
  try {
    const attempt = await runOne(group.port, one, { queries, isOnly: false });
    if (isInterrupted()) throw new RunAloneError();
    return attempt;
  } finally {
    await end();
  }
}

/**
 * Runs writes in the current transaction, each beside those of other records: a round trip to the server may take longer than
 * everything else. A write begins when the earlier writes of its records have ended, so that the result is that of one after
 * the other. Those that have not begun when the time is up have no attempt.
 */
export async function runPipelined(port: WritePort, pipeline: Pipeline, writes: readonly WaitingWrite[]): Promise<Attempts> {
  const group: SharedRun = { port, pipeline, takeTurn: takingTurns(), sent: [], idsTaken: 0 };
  const lastOf = new Map<string, Promise<unknown>>();
  const begunMs = monotonicNow();
  // One time for the group: the times of ledger entries never decrease along their ids.
  const { clock } = port.queries;
  clock.advanceTo(writes.reduce((latest, { at }) => Math.max(latest, at), clock.at()));
  const runs = writes.map((one, index) => {
    const records = one.records ?? [];
    const earlier = Promise.allSettled(records.flatMap((record) => lastOf.get(record) ?? []));
    const run = earlier.then(() => (index > 0 && monotonicNow() - begunMs > longestGroupMs ? undefined : runBeside(group, one)));
    for (const record of records) lastOf.set(record, run);
    return run;
  });
  const outcomes = await pipeline.withDeadline(() => Promise.allSettled(runs));
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  // After a lost connection the other writes fail too, with errors that say less.
  if (errors.length > 0) throw errors.find(port.isTransient) ?? errors[0];
  return { attempts: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value ? [outcome.value] : [])), sent: group.sent };
}
