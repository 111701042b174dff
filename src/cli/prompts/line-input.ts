import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from '../io.js';
import { fit, measure } from '../../formats/text-width.js';
import { sanitiseCell } from '../output/sanitise.js';

/** Lines of a paste or of a scanner follow each other in less time: an empty one with more after it is not the end. */
export const burstMs = 200;

/** The bell of a terminal: who scans does not look at the screen. */
export const bell = '\u0007';

/** A line that was typed, scanned or pasted. */
export interface TypedLine {
  readonly text: string;
  /** When its end arrived, ms since 1970. */
  readonly at: number;
}

/**
 * Lines from a terminal, in the order in which they arrive. Scanners and pastes send them faster than they are answered: those that
 * nobody asked for yet wait, and none is lost.
 */
export interface LineInput {
  /** The next line, shown behind a question if it has to be waited for; `end` after Ctrl-D, `interrupt` after Ctrl-C. */
  readonly next: (question: string) => Promise<TypedLine | 'end' | 'interrupt'>;
  /** The next line if it has arrived already. */
  readonly take: () => TypedLine | undefined;
  /** Gives a line back, to be the next one. */
  readonly putBack: (line: TypedLine) => void;
  /** Whether more is typed within some ms. */
  readonly isTypedWithin: (ms: number) => Promise<boolean>;
  /** Resolves after some ms, or at the first Ctrl-C. */
  readonly pause: (ms: number) => Promise<void>;
  /** Writes lines above the question. */
  readonly print: (text: string) => Promise<void>;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Ends the question that waits for an answer, and all later ones, as Ctrl-D does. */
  readonly stop: () => void;
  /** Restores the terminal. */
  readonly close: () => void;
}

const eraseLine = '\r\u001b[K';

/** Discards what readline draws: the question is drawn by this file. */
function discardingStream(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** The text of a line that fits behind a question, and how many cells the cursor is before its end. */
function visible(line: string, cursor: number, room: number): { readonly text: string; readonly back: number } {
  const text = sanitiseCell(line);
  const cut =
    measure(text) <= room
      ? text
      : `…${Array.from(text)
          .slice(1 - Math.max(2, room))
          .join('')}`;
  return { text: cut, back: Math.min(measure(sanitiseCell(line.slice(cursor))), measure(cut)) };
}

type Answer = TypedLine | 'end' | 'interrupt';

/** A question that waits for its answer. */
interface Asked {
  readonly question: string;
  readonly give: (answer: Answer) => void;
}

/** What is drawn of a line that is being typed, behind its question. */
function drawn({ question }: Asked, { line, cursor }: { readonly line: string; readonly cursor: number }, columns: number): string {
  const shown = fit(question, Math.max(10, columns - 12));
  const { text, back } = visible(line, cursor, columns - measure(shown) - 1);
  return `${eraseLine}${shown}${text}${back > 0 ? `\u001b[${back}D` : ''}`;
}

/** Lines that wait, and whether something is typed: the part of a `LineInput` that does not use the terminal. */
function lineQueue() {
  const waiting: TypedLine[] = [];
  let onTyped: (() => void) | undefined;
  return {
    waiting,
    typed: (): void => onTyped?.(),
    isTypedWithin: (ms: number, isEnded: () => boolean): Promise<boolean> => {
      if (waiting.length > 0) return Promise.resolve(true);
      if (isEnded()) return Promise.resolve(false);
      return new Promise((resolve) => {
        const settle = (isTyped: boolean): void => {
          clearTimeout(timer);
          onTyped = undefined;
          resolve(isTyped);
        };
        const timer = setTimeout(() => settle(false), ms);
        onTyped = () => settle(!isEnded());
      });
    },
  };
}

/** Resolves after some ms, or when a signal is aborted after this call. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/** Reads lines from the terminal of the process until `close`; questions are drawn on standard error. */
export function openLineInput({ stderr, now }: Pick<Io, 'stderr' | 'now'>): LineInput {
  const { stdin } = process;
  // CR and LF are one end of a line, whenever they arrive.
  const editor = createInterface({ input: stdin, output: discardingStream(), terminal: true, historySize: 0, crlfDelay: Infinity });
  const { waiting, typed, isTypedWithin } = lineQueue();
  const interruption = new AbortController();
  let asked: Asked | undefined;
  let ending: 'end' | 'interrupt' | undefined;
  const draw = (): void => void (asked && stderr.write(drawn(asked, editor, stderr.columns)));
  const answer = (line: Answer): void => {
    if (asked === undefined) return;
    const { question, give } = asked;
    asked = undefined;
    void stderr.write(`${eraseLine}${question}${typeof line === 'string' ? '' : sanitiseCell(line.text)}\n`);
    give(line);
  };
  const end = (how: 'end' | 'interrupt'): void => {
    ending ??= how;
    if (how === 'interrupt') interruption.abort();
    answer(ending);
    typed();
  };
  const take = (): TypedLine | undefined => (ending === 'interrupt' ? undefined : waiting.shift());
  const onKeypress = (): void => (typed(), draw());
  const onHangup = (): void => end('end');
  const onLine = (text: string): void => {
    const line = { text, at: now() };
    if (asked === undefined) waiting.push(line);
    else answer(line);
  };
  // After Ctrl-Z and fg, readline does not resume its input.
  const onContinue = (): void => (editor.resume(), draw());
  const onInterrupt = (): void => end('interrupt');
  editor.on('line', onLine).on('SIGINT', onInterrupt).on('SIGCONT', onContinue).on('close', onHangup);
  stdin.on('keypress', onKeypress).on('error', onHangup);
  return {
    next: async (question) => {
      const known = take() ?? ending;
      if (known !== undefined) return known;
      return new Promise((give) => {
        asked = { question, give };
        draw();
      });
    },
    take,
    putBack: (line) => void waiting.unshift(line),
    isTypedWithin: (ms) => isTypedWithin(ms, () => ending !== undefined),
    pause: (ms) => pause(ms, interruption.signal),
    print: async (text) => {
      await stderr.write(asked === undefined ? text : `${eraseLine}${text}`);
      draw();
    },
    interrupted: interruption.signal,
    stop: onHangup,
    close: () => {
      stdin.off('keypress', onKeypress).off('error', onHangup);
      editor.off('close', onHangup).close();
    },
  };
}
