import type { NumberedTable, Queries, Work } from '../queries.js';
import { expiringQueries } from '../expiring-queries.js';
import type { Sql } from '../sql.js';
import type { Subject } from '../subjects.js';
import type { Read, RowForm, StatementExchange } from './statement-exchange.js';
import type { TouchLog } from './touch-log.js';

/**
 * Why a run cannot go on:
 * - `undeclared`: it has a statement without declaration.
 * - `conflict`: it would not be the same after another run.
 * - `unpredictable`: what it reads next depends on its changes, and nothing is changed yet.
 * - `time-passed`: another run has written entries of a later time, and it begins again at that time.
 * - `answer-missing`: it has changes of its own and reads something else, and begins again with that answer.
 */
export type Obstacle = 'undeclared' | 'conflict' | 'unpredictable' | 'time-passed' | 'answer-missing';

/** What the runs of a transaction share. Only one of them runs at a time; the others wait for answers. */
export interface RunContext {
  /** The queries of the engine, for what is not sent through the exchange. */
  readonly queries: Queries;
  readonly exchange: StatementExchange;
  readonly touches: TouchLog<WriteRun>;
  /** Whether nothing is sent: the runs only show what they read first. */
  readonly isPrediction: boolean;
  /** The time of the newest ledger entry. */
  at: number;
  /** The last ids that were taken. */
  ids: Readonly<Record<NumberedTable, number>>;
}

/** One execution of a write. It stops at the first read whose answer is not known. */
export interface WriteRun {
  readonly work: Work<unknown>;
  readonly context: RunContext;
  /** The reads that have given it an answer. */
  readonly taken: Read[];
  /** The reads that it waits for; empty when it has not begun or has ended. */
  waitsFor: readonly { readonly read: Read; readonly resolve: (value: never) => void }[];
  /** Its changes since it began or since it waited. */
  unsent: Sql[];
  /** The position of the first changes that were added to the statements to send; from then on it cannot begin again. */
  firstSent: number | undefined;
  obstacle: Obstacle | undefined;
  outcome: { readonly value: unknown } | { readonly error: unknown } | undefined;
  hasBegun: boolean;
  /** The id of its last ledger entry. */
  lastEntry: number | undefined;
  /** Called when it waits or has ended. */
  pause: () => void;
}

/** A run that has not begun. */
export function newRun(work: Work<unknown>, context: RunContext): WriteRun {
  const unknown = { firstSent: undefined, obstacle: undefined, outcome: undefined, lastEntry: undefined };
  return { work, context, taken: [], waitsFor: [], unsent: [], hasBegun: false, pause: () => undefined, ...unknown };
}

function stop(run: WriteRun, obstacle: Obstacle): Promise<never> {
  run.obstacle ??= obstacle;
  run.pause();
  // A promise of its own: a shared one would keep every stopped run in memory.
  return new Promise<never>(() => undefined);
}

function unsentSubjects({ unsent }: WriteRun): ReadonlySet<Subject> {
  return new Set(unsent.flatMap(({ declaration }) => declaration?.subjects ?? []));
}

function sendChanges(run: WriteRun): void {
  const { exchange, touches } = run.context;
  if (run.unsent.length === 0) return;
  exchange.add(run.unsent);
  touches.noteChange(run, [...unsentSubjects(run)], exchange.nextPosition());
  run.unsent = [];
  run.firstSent ??= exchange.nextPosition();
}

function take(run: WriteRun, read: Read): never {
  const { touches, exchange } = run.context;
  run.taken.push(read);
  touches.noteRead(run, read.subjects, exchange.nextPosition());
  return read.answer?.value as never;
}

/** What keeps a statement from running beside others. */
function obstacleOf(run: WriteRun, { declaration }: Sql, isChange: boolean): Obstacle | undefined {
  const { firstSent, obstacle, context } = run;
  if (obstacle !== undefined) return obstacle;
  if (declaration === undefined) return 'undeclared';
  if (firstSent === undefined) return undefined;
  // No order of the two runs would explain what both have read.
  const { touchedSince, changedSince } = context.touches;
  return (isChange ? touchedSince : changedSince)(run, declaration.subjects, firstSent) ? 'conflict' : undefined;
}

async function readInRun(run: WriteRun, query: Sql, form: RowForm): Promise<never> {
  const { exchange, isPrediction } = run.context;
  const obstacle = obstacleOf(run, query, false);
  if (obstacle !== undefined) return stop(run, obstacle);
  if (isPrediction && query.declaration?.isUsuallyEmpty === true) return (form === 'get' ? undefined : []) as never;
  const hasChanged = run.firstSent !== undefined || run.unsent.length > 0;
  if (isPrediction && hasChanged) return stop(run, 'unpredictable');
  const own = unsentSubjects(run);
  const isOwn = (subject: Subject): boolean => own.has(subject);
  const found = exchange.find(query, form);
  const known = found?.subjects.some(isOwn) === true ? undefined : found;
  if (known?.answer) return take(run, known);
  const readsOwn = query.declaration?.inRow !== undefined || query.declaration?.subjects.some(isOwn) === true;
  if (run.firstSent === undefined && hasChanged && !readsOwn) {
    if (known === undefined) exchange.ask(query, form);
    return stop(run, 'answer-missing');
  }
  sendChanges(run);
  // A read that was asked before the changes of this run does not see them.
  const read = (hasChanged ? undefined : known) ?? exchange.ask(query, form);
  return new Promise((resolve) => {
    run.waitsFor = [...run.waitsFor, { read, resolve }];
    run.pause();
  });
}

async function changeInRun(run: WriteRun, query: Sql): Promise<number> {
  const obstacle = obstacleOf(run, query, true);
  if (obstacle !== undefined) return stop(run, obstacle);
  run.unsent.push(query);
  return 1;
}

function takeId(run: WriteRun, table: NumberedTable, at: number): number {
  const { context } = run;
  const id = context.ids[table] + 1;
  if (table === 'ledger') {
    // The times of ledger entries never decrease along their ids, and the entries of one change follow each other.
    if (at < context.at) run.obstacle ??= run.firstSent === undefined ? 'time-passed' : 'conflict';
    if (run.lastEntry !== undefined && run.lastEntry !== id - 1) run.obstacle ??= 'conflict';
    run.lastEntry = id;
    context.at = Math.max(context.at, at);
  }
  context.ids = { ...context.ids, [table]: id };
  return id;
}

async function begin(run: WriteRun): Promise<void> {
  let newestAt = run.context.at;
  const { queries, end } = expiringQueries({
    ...run.context.queries,
    all: (query) => readInRun(run, query, 'all'),
    rows: (query) => readInRun(run, query, 'rows'),
    get: (query) => readInRun(run, query, 'get'),
    run: (query) => changeInRun(run, query),
    newest: {
      at: () => newestAt,
      advanceTo: (at) => (newestAt = at),
      takeId: (table) => takeId(run, table, newestAt),
    },
  });
  try {
    run.outcome = { value: await run.work(queries) };
    if (run.obstacle === undefined) sendChanges(run);
  } catch (error) {
    run.outcome = { error };
  }
  end();
  run.pause();
}

/** Begins a run, or gives it the answers that it waits for; settles when it waits again or has ended. */
export async function advance(run: WriteRun): Promise<void> {
  const { context } = run;
  const { at, ids } = context;
  await new Promise<void>((resolve) => {
    run.pause = resolve;
    const answered = run.waitsFor;
    run.waitsFor = [];
    for (const { read, resolve: give } of answered) give(take(run, read));
    if (!run.hasBegun) void begin(run);
    run.hasBegun = true;
  });
  const isRefused = run.outcome !== undefined && 'error' in run.outcome;
  // What was not sent has not happened.
  if (run.firstSent === undefined && (run.obstacle !== undefined || isRefused)) Object.assign(context, { at, ids });
}

/** Whether another run has changed what this one has read. */
export function isStale({ taken, context }: WriteRun): boolean {
  return taken.some(context.exchange.isStale);
}

/** Asks again for the reads that a run waits for, where their answers are out of date. */
export function askAgain(run: WriteRun): void {
  const { isStale: isOld, find, ask } = run.context.exchange;
  run.waitsFor = run.waitsFor.map(({ read, resolve }) => ({
    read: isOld(read) ? (find(read.query, read.form) ?? ask(read.query, read.form)) : read,
    resolve,
  }));
}
