import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Io } from '../io.js';

/** Lines of a paste or of a scanner follow each other in less time: an empty one with more after it is not the end. */
const burstMs = 200;

/** How the lines ended: with an empty line, Ctrl-D or Ctrl-C. */
export type LinesEnd = 'empty' | 'end' | 'interrupt';

/** Lines from a terminal. Those that arrive faster than they are taken wait, and none is lost. */
export interface LineInput {
  /** The next line without the spaces around it, asked for where none has arrived. */
  readonly next: (question: string) => Promise<{ readonly text: string } | LinesEnd>;
  /** The lines that have arrived and were not taken. */
  readonly rest: () => readonly string[];
  /** Resolves after some ms, or at the first Ctrl-C. */
  readonly pause: (ms: number) => Promise<void>;
  /** Writes lines above the question. */
  readonly print: (text: string) => Promise<void>;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Restores the terminal. */
  readonly close: () => void;
}

/** Whether a key is typed within some ms. */
function isTypedWithin(stdin: NodeJS.ReadStream, ms: number): Promise<boolean> {
  return once(stdin, 'keypress', { signal: AbortSignal.timeout(ms) }).then(
    () => true,
    () => false,
  );
}

/** Reads lines from the terminal of the process until `close`. */
export function openLineInput({ stderr }: Pick<Io, 'stderr'>): LineInput {
  const { stdin } = process;
  // CR and LF are one end of a line, whenever they arrive.
  const editor = createInterface({ input: stdin, output: process.stderr, terminal: true, historySize: 0, crlfDelay: Infinity });
  const waiting: string[] = [];
  const interruption = new AbortController();
  let ending: Exclude<LinesEnd, 'empty'> | undefined;
  let onArrival: (() => void) | undefined;
  const end = (how: 'end' | 'interrupt'): void => {
    ending ??= how;
    if (how === 'interrupt') interruption.abort();
    onArrival?.();
  };
  const onHangup = (): void => end('end');
  const prompt = (): void => {
    if (onArrival !== undefined && ending === undefined) editor.prompt(true);
  };
  const onLine = (text: string): void => {
    waiting.push(text.trim());
    onArrival?.();
  };
  const onInterrupt = (): void => end('interrupt');
  // After Ctrl-Z and fg, readline does not resume its input by itself.
  editor.on('line', onLine).on('SIGINT', onInterrupt).on('SIGCONT', prompt).on('close', onHangup);
  stdin.on('error', onHangup);
  const arrival = async (question: string): Promise<void> => {
    await new Promise<void>((resolve) => {
      onArrival = resolve;
      editor.setPrompt(question);
      prompt();
    });
    onArrival = undefined;
  };
  /** Whether an empty line is in the middle of a burst. */
  const isInBurst = async (): Promise<boolean> => waiting.length > 0 || (ending === undefined && (await isTypedWithin(stdin, burstMs)));
  return {
    next: async (question) => {
      for (;;) {
        if (ending === 'interrupt') return ending;
        const text = waiting.shift();
        if (text === undefined && ending !== undefined) return ending;
        if (text === undefined) await arrival(question);
        else if (text !== '') return { text };
        else if (!(await isInBurst())) return 'empty';
      }
    },
    rest: () => waiting,
    pause: (ms) => sleep(ms, undefined, { signal: interruption.signal }).catch(() => undefined),
    print: async (text) => {
      await stderr.write(`\r\u001b[K${text}`);
      prompt();
    },
    interrupted: interruption.signal,
    close: () => {
      stdin.off('error', onHangup);
      editor.off('close', onHangup).close();
    },
  };
}
