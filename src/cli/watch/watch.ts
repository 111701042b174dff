import { type Output, withOutputs } from '../io.js';
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
import { sanitiseCell } from '../output/sanitise.js';
import { followedTime } from '../output/time-text.js';
import { writeText } from '../output/wrapped-text.js';

// The screen of its own that a terminal has beside its lines (DEC mode 1049), without a cursor (25); a long line is cut, not wrapped (7).
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l';
// Terminals that know DEC mode 2026 show a frame only when all of it has arrived.
const [beginFrame, endFrame] = ['\u001b[?2026h\u001b[H', '\u001b[?2026l'];
// Before a text, not after it: a line as wide as the terminal leaves the cursor on its last character, which would be erased.
const [eraseLine, eraseBelow] = ['\u001b[K', '\u001b[J'];

/** One frame: the lines of a text that fit, and the last line of the terminal. */
export function frameOf(text: string, rows: number, status: (hiddenLines: number) => string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, Math.max(0, rows - 1));
  return [...shown.map((line) => `${eraseLine}${line}`), `${eraseBelow}${status(lines.length - shown.length)}`].join('\r\n');
}

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

/** The entries of a shop from its newest one on. */
async function entriesOf(shop: Shop): Promise<AsyncIterator<unknown>> {
  const { items } = await shop.call(listLedger, { sort: '-id', limit: 1 });
  return shop.follow(positionAfter(items[0]))[Symbol.asyncIterator]();
}

interface Changes {
  /** Resolves at a new ledger entry, when `report` is called, or after some ms; at its first call and after a failure at once. Refuses as `Shop.follow` does. */
  readonly next: (longestWaitMs: number) => Promise<void>;
  /** Reports another reason to draw again. */
  readonly report: () => void;
  readonly stop: () => void;
}

function changesOf(shop: Shop): Changes {
  let entries: AsyncIterator<unknown> | undefined;
  let coming: Promise<{ readonly error?: unknown }> | undefined;
  let isReported = false;
  let wake: (() => void) | undefined;
  const stop = (): void => void entries?.return?.().catch(() => undefined);
  return {
    next: async (longestWaitMs) => {
      // What was drawn before this moment may be older than the newest entry.
      if (entries === undefined) return void (entries = await entriesOf(shop));
      coming ??= entries.next().then(
        () => ({}),
        (error: unknown) => ({ error }),
      );
      let timer: NodeJS.Timeout | undefined;
      const other = new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, isReported ? 0 : longestWaitMs);
      });
      const change = await Promise.race([coming, other]);
      clearTimeout(timer);
      isReported = false;
      if (typeof change !== 'object') return;
      coming = undefined;
      if (change.error === undefined) return;
      entries = undefined;
      throw change.error;
    },
    report: () => {
      isReported = true;
      wake?.();
    },
    stop,
  };
}

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
  const { write } = io.stdout;
  const close = (): Promise<void> => write(leave);
  await write(enter);
  const cancelInterrupt = io.beforeInterrupt(close);
  const cancelSuspend = io.aroundSuspend(close, async () => {
    await write(enter);
    changes.report();
  });
  const stream = io.stdout.stream?.();
  stream?.on('resize', changes.report);
  let problem: string | undefined;
  try {
    for (;;) {
      await write(`${beginFrame}${frameOf(text, io.stdout.rows ?? defaultRows, statusLine(context, problem))}${endFrame}`);
      await sleep(problem === undefined ? shortestMs : retryMs);
      try {
        if (problem === undefined) await changes.next(longestMs);
        text = await textOf(context, draw);
        problem = undefined;
      } catch (error) {
        if (hasGoneBack(error)) continue;
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
