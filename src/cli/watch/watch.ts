import { StoreError } from '../../domain/errors.js';
import { listLedger } from '../../domain/ledger/list-ledger.js';
import { positionAfter } from '../../domain/ledger/ledger-position.js';
import type { Shop } from '../../domain/shop.js';
import { formatDateTime } from '../../domain/values/time.js';
import { HintedError } from '../../settings/hint.js';
import type { Context } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import type { Io, Output } from '../io.js';
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
  if (jq !== undefined || (format !== undefined && format !== 'table'))
    throw new HintedError('usage', `--watch draws a table, not ${jq === undefined ? format : 'the output of --jq'}.`, { command: ['log', '--follow'] });
}

/** What a command writes, as one text. The messages for standard error are part of it. */
async function textOf(context: Context, draw: (context: Context) => Promise<unknown>): Promise<string> {
  let text = '';
  const { io, settings } = context;
  const out: Output = { write: async (more) => void (text += more), isTerminal: true, columns: io.stdout.columns };
  // Not a copy: getters of `io` create the other streams on first use.
  const captured = Object.create(io, { stdout: { value: out }, stderr: { value: out } }) as Io;
  await draw({ ...context, io: captured, note: async (line) => (settings.quiet ? undefined : writeText(out, `${sanitiseCell(line)}\n`)) });
  return text;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Why a shop cannot be read at the moment; undefined for an error that ends the command. */
function passingProblem(error: unknown): string | undefined {
  return error instanceof StoreError && exitCodes[error.code] === 7 ? sanitiseCell(error.message) : undefined;
}

/** Whether the ledger lost entries, for example in a failover. What is left of it can be followed. */
function hasGoneBack(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'cursor_expired';
}

/** Tells of changes: those of the shop, and others that `tell` reports. */
interface Changes {
  /** Resolves at a change since the last call, or after some ms. Throws the error that ended the following of the ledger. */
  readonly next: (longestWaitMs: number) => Promise<void>;
  readonly tell: () => void;
  readonly stop: () => void;
}

/** Follows the ledger of a shop; after a time without the shop, from its newest entry. */
function changesOf(shop: Shop): Changes {
  let entries: AsyncIterator<unknown> | undefined;
  let isChanged = false;
  const stopping = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  const tell = (): void => {
    isChanged = true;
    wake?.();
  };
  const follow = async (): Promise<void> => {
    const { items } = await shop.call(listLedger, { sort: '-id', limit: 1 });
    entries = shop.follow(positionAfter(items[0]))[Symbol.asyncIterator]();
    // What was drawn before this moment may be older than the newest entry.
    do tell();
    while ((await entries.next()).done !== true);
  };
  const followAgain = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (passingProblem(error) === undefined && !hasGoneBack(error)) failure = { error };
        tell();
        if (failure !== undefined) return;
        await pause(retryMs);
      }
    }
  };
  void followAgain();
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
    tell,
    stop: () => {
      stopping.abort();
      void entries?.return?.().catch(() => undefined);
    },
  };
}

/** The last line of a frame. */
function statusLine({ io, paint, zone }: Context, problem: string | undefined): (hiddenLines: number) => string {
  const time = followedTime(formatDateTime(io.now()), io.now(), zone);
  return (hiddenLines) => {
    if (problem !== undefined) return paint.yellow(problem);
    const hidden = hiddenLines === 0 ? '' : `${hiddenLines} more ${hiddenLines === 1 ? 'line' : 'lines'}. `;
    return paint.dim(`${hidden}Updated ${time}. Ctrl-C ends.`);
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
  const cancelInterrupt = io.beforeInterrupt(screen.close);
  const stream = io.stdout.stream?.();
  stream?.on('resize', changes.tell);
  let problem: string | undefined;
  try {
    for (;;) {
      await screen.draw(frameOf(text, io.stdout.rows ?? defaultRows, statusLine(context, problem)));
      await pause(problem === undefined ? shortestMs : retryMs);
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
    stream?.off('resize', changes.tell);
    changes.stop();
    cancelInterrupt();
    await screen.close();
  }
}
