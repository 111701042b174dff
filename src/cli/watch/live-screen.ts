import type { Output } from '../io.js';

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

/** A terminal whose lines are replaced frame by frame. */
export interface LiveScreen {
  /** Draws a frame in one write. */
  readonly draw: (frame: string) => Promise<void>;
  /** Shows again what the terminal showed before. */
  readonly close: () => Promise<void>;
  /** Takes over the screen again after `close`. */
  readonly reopen: () => Promise<void>;
}

/** Takes over the screen of a terminal. */
export async function openLiveScreen({ write }: Output): Promise<LiveScreen> {
  await write(enter);
  return { draw: (frame) => write(`${beginFrame}${frame}${endFrame}`), close: () => write(leave), reopen: () => write(enter) };
}
