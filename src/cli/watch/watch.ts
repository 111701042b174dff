import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../domain/errors.js';
import { listLedger } from '../../domain/ledger/list-ledger.js';
import { positionAfter } from '../../domain/ledger/ledger-position.js';
import type { Shop } from '../../domain/shop.js';
import { formatDateTime } from '../../domain/values/time.js';
import { HintedError } from '../../settings/hint.js';
import { isForPeople } from '../../settings/output-format.js';
import type { Context } from '../command.js';
import { isUnavailable } from '../exit-codes.js';
import { type Output, withOutputs } from '../io.js';
import { sanitiseCell } from '../output/sanitise.js';
import { followedTime } from '../output/time-text.js';
import { writeText } from '../output/wrapped-text.js';
import { frameOf, openLiveScreen } from './live-screen.js';

/** The shortest time between two frames. */
const shortestMs = 250;
/** The longest time between two frames: texts such as "overdue" depend on the time. */
const longestMs = 60_000;
/** The pause before a shop that could not be read is read again. */
const retryMs = 1000;

const defaultRows = 24;

/** Refuses what cannot be drawn again: a pipe, and a format that is not for people. */
function checkTerminal({ io, settings: { format }, globalFlags: { jq } }: Context): void {
  if (!io.stdout.isTerminal) throw new HintedError('usage', '--watch needs a terminal.', { command: ['log', '--follow'] });
  if (jq !== undefined || !isForPeople(format))
    throw new HintedError('usage', `--watch draws a table, not ${jq === undefined ? format : 'the output of --jq'}.`, { command: ['log', '--follow'] });
}

/** What a command writes, as one text. The messages for standard error are part of it. */
async function textOf(context: Context, draw: (context: Context) => Promise<unknown>): Promise<string> {
  let text = '';
  const { io, settings } = context;
  const out: Output = { write: async (more) => void (text += more), isTerminal: true, columns: io.stdout.columns };
  const captured = withOutputs(io, { stdout: out, stderr: out });
  await draw({ ...context, io: captured, note: async (line) => (settings.quiet ? undefined : writeText(out, `${sanitiseCell(line)}\n`)) });
  return text;
}

/** Why a shop cannot be read at the moment; undefined for an error that ends the command. */
function passingProblem(error: unknown): string | undefined {
  return error instanceof StoreError && isUnavailable(error) ? sanitiseCell(error.message) : undefined;
}

/** Whether the ledger lost entries, for example in a failover. What is left of it can be followed. */
function hasGoneBack(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'cursor_expired';
}

/** Calls `onChange` now and at each new ledger entry until `stopping` is aborted. Refuses as `Shop.follow` does. */
async function followFromNewest(shop: Shop, onChange: () => void, stopping: AbortSignal): Promise<void> {
  const { items } = await shop.call(listLedger, { sort: '-id', limit: 1 });
  const entries = shop.follow(positionAfter(items[0]))[Symbol.asyncIterator]();
  const stop = (): void => void entries.return?.().catch(() => undefined);
  stopping.addEventListener('abort', stop);
  try {
    // What was drawn before this moment may be older than the newest entry.
    do onChange();
    while (!stopping.aborted && (await entries.next()).done !== true);
  } finally {
    stopping.removeEventListener('abort', stop);
  }
}

/** Follows a shop until `stopping` is aborted; after a time without the shop, from its newest entry. */
async function followChanges(shop: Shop, onChange: () => void, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      await followFromNewest(shop, onChange, stopping);
    } catch (error) {
      if (passingProblem(error) === undefined && !hasGoneBack(error)) throw error;
      onChange();
      await sleep(retryMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

/** The changes to draw: those of the shop, and others that `report` is called for. */
interface Changes {
  /** Resolves at a change since the last call, or after some ms. Throws the error that ended the following of the ledger. */
  readonly next: (longestWaitMs: number) => Promise<void>;
  readonly report: () => void;
  readonly stop: () => void;
}

/** The changes of a shop from now on. */
function changesOf(shop: Shop): Changes {
  let isChanged = false;
  const stopping = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  const report = (): void => {
    isChanged = true;
    wake?.();
  };
  followChanges(shop, report, stopping.signal).catch((error: unknown) => {
    failure = { error };
    report();
  });
  return {
    next: async (longestWaitMs) => {
      let timer: NodeJS.Timeout | undefined;
      if (!isChanged)
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, longestWaitMs);
        });
      clearTimeout(timer);
      if (failure !== undefined) throw failure.error;
      isChanged = false;
    },
    report,
    stop: () => stopping.abort(),
  };
}

/** The last line of a frame. */
function statusLine({ io, paint, zone }: Context, problem: string | undefined): (hiddenLines: number) => string {
  const time = followedTime(formatDateTime(io.now()), io.now(), zone);
  return (hiddenLines) => {
    if (problem !== undefined) return paint.yellow(problem);
    const hidden = hiddenLines === 0 ? '' : `${hiddenLines} more ${hiddenLines === 1 ? 'line' : 'lines'}. `;
    const long = `${hidden}Updated ${time}. Ctrl-C ends.`;
    return paint.dim(long.length <= io.stdout.columns ? long : `${hidden}${time}. Ctrl-C ends.`);
  };
}

/**
 * Draws the output of a command on a screen of its own and again after each change of the shop, at most four times a second,
 * until Ctrl-C. Refuses with `usage` where there is no terminal. What the first drawing refuses is refused before the screen opens.
 */
export async function watch(context: Context, draw: (context: Context) => Promise<unknown>): Promise<void> {
  checkTerminal(context);
  const { io } = context;
  let text = await textOf(context, draw);
  const changes = changesOf(await context.shop());
  const screen = await openLiveScreen(io.stdout);
  const { close } = screen;
  const cancelInterrupt = io.beforeInterrupt(close);
  const cancelSuspend = io.aroundSuspend(close, async () => {
    await screen.reopen();
    changes.report();
  });
  const stream = io.stdout.stream?.();
  stream?.on('resize', changes.report);
  let problem: string | undefined;
  try {
    for (;;) {
      await screen.draw(frameOf(text, io.stdout.rows ?? defaultRows, statusLine(context, problem)));
      await sleep(problem === undefined ? shortestMs : retryMs);
      if (problem === undefined) await changes.next(longestMs);
      try {
        text = await textOf(context, draw);
        problem = undefined;
      } catch (error) {
        problem = passingProblem(error);
        if (problem === undefined) throw error;
      }
    }
  } finally {
    stream?.off('resize', changes.report);
    changes.stop();
    cancelInterrupt();
    cancelSuspend();
    await close();
  }
}
