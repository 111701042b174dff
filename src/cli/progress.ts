import type { Context } from './command.js';

/** Work shorter than this shows no bar (ms). */
const patience = 300;

/** A bar on standard error while the bytes of a file pass; only on a terminal, and only when it takes a while. */
export async function progressOf(
  { io, settings }: Context,
  size: number | undefined,
): Promise<{ readonly progress: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>; readonly stop: () => void }> {
  if (settings.quiet || !io.stderr.isTerminal || size === undefined || !io.stderr.stream) return { progress: (bytes) => bytes, stop: () => undefined };
  const { SingleBar } = await import('cli-progress');
  const started = io.now();
  const bar = new SingleBar({ format: 'reading {bar} {percentage}%', stream: io.stderr.stream(), clearOnComplete: true, barsize: 30, linewrap: true });
  let passed = 0;
  let shown = false;
  return {
    progress: async function* progress(bytes) {
      for await (const chunk of bytes) {
        passed += chunk.length;
        if (!shown && io.now() - started > patience) {
          bar.start(size, passed);
          shown = true;
        }
        if (shown) bar.update(passed);
        yield chunk;
      }
      if (shown) bar.stop();
    },
    stop: () => {
      if (shown) bar.stop();
    },
  };
}
