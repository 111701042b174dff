import type { Context } from '../command.js';

const minimumMs = 300;

interface Bar {
  readonly show: (done: number, total: number) => void;
  readonly stop: () => void;
}

/** A progress bar that appears after `minimumMs`; undefined without a terminal and with --quiet. */
export async function barOf({ io, settings }: Context, verb: string): Promise<Bar | undefined> {
  if (settings.quiet || !io.stderr.isTerminal || !io.stderr.stream) return undefined;
  const { SingleBar } = await import('cli-progress');
  const started = io.now();
  const bar = new SingleBar({ format: `${verb} {bar} {percentage}%`, stream: io.stderr.stream(), clearOnComplete: true, barsize: 30, linewrap: true });
  let shown = false;
  return {
    show: (done, total) => {
      if (!shown && io.now() - started > minimumMs) {
        bar.start(total, done);
        shown = true;
      }
      if (shown) bar.update(done);
    },
    stop: () => {
      if (shown) bar.stop();
    },
  };
}

/** A progress bar for reading a file of `size` bytes. */
export async function progressOf(
  context: Context,
  size: number | undefined,
): Promise<{ readonly progress: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>; readonly stop: () => void }> {
  const bar = size === undefined ? undefined : await barOf(context, 'reading');
  if (bar === undefined || size === undefined) return { progress: (bytes) => bytes, stop: () => undefined };
  let passed = 0;
  return {
    progress: async function* progress(bytes) {
      for await (const chunk of bytes) {
        passed += chunk.length;
        bar.show(passed, size);
        yield chunk;
      }
      bar.stop();
    },
    stop: bar.stop,
  };
}
