import { type Output, withOutputs } from './io.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing } from '../domain/errors.js';
import { listLedger } from '../domain/ledger/list-ledger.js';
import type { Shop } from '../domain/shop.js';
import { formatDateTime } from '../domain/values/time.js';
import { HintedError } from '../settings/hint.js';
import { isForPeople } from '../settings/output-format.js';
import type { Context } from './command.js';
import { sanitiseCell } from './output/sanitise.js';
import { followedTime } from './output/time-text.js';
import { writeText } from './output/wrapped-text.js';

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

/** The time between two looks at the ledger, and so the shortest one between two frames. */
const lookMs = 500;
/** The longest time between two frames: texts such as "overdue" depend on the time. */
const longestMs = 60_000;

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

async function newestEntry({ call }: Shop): Promise<number | undefined> {
  const { items } = await call(listLedger, { sort: '-id', limit: 1 });
  return items[0]?.id;
}

/** Waits until the newest entry is another one, or something else must be drawn; answers the newest entry. */
async function nextEntry(shop: Shop, drawn: number | undefined, mustDraw: () => boolean): Promise<number | undefined> {
  for (;;) {
    await sleep(lookMs);
    const newest = await newestEntry(shop);
    if (newest !== drawn || mustDraw()) return newest;
  }
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
 * Draws the output of a command on a screen of its own and again when the ledger has moved, at most twice a second, until Ctrl-C.
 * Refuses with `usage` where there is no terminal. What the first drawing refuses is refused before the screen opens.
 */
export async function watch(context: Context, draw: (context: Context) => Promise<unknown>): Promise<void> {
  checkTerminal(context);
  const { io } = context;
  const shop = await context.shop();
  let drawnEntry = await newestEntry(shop);
  let text = await textOf(context, draw);
  let isOutdated = false;
  const drawAgain = (): void => void (isOutdated = true);
  const { write } = io.stdout;
  const close = (): Promise<void> => write(leave);
  await write(enter);
  const cancelInterrupt = io.beforeInterrupt(close);
  const cancelSuspend = io.aroundSuspend(close, async () => {
    await write(enter);
    drawAgain();
  });
  const stream = io.stdout.stream?.();
  stream?.on('resize', drawAgain);
  let problem: string | undefined;
  try {
    for (;;) {
      await write(`${beginFrame}${frameOf(text, io.stdout.rows ?? defaultRows, statusLine(context, problem))}${endFrame}`);
      const drawnAt = io.now();
      try {
        // Read before it is drawn: what is drawn may be newer than this entry, never older.
        drawnEntry = await nextEntry(shop, drawnEntry, () => isOutdated || problem !== undefined || io.now() - drawnAt >= longestMs);
        isOutdated = false;
        text = await textOf(context, draw);
        problem = undefined;
      } catch (error) {
        if (!isPassing(error)) throw error;
        problem = sanitiseCell(error.message);
      }
    }
  } finally {
    stream?.off('resize', drawAgain);
    cancelInterrupt();
    cancelSuspend();
    await close();
  }
}
