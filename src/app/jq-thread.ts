import { once } from 'node:events';
import { join } from 'node:path';
import { Worker as Thread } from 'node:worker_threads';
import { jqTimeLimitSeconds, type JqAnswer, type JqFilter } from '../cli/program-setup.js';
import type { JqWorkerOptions } from './jq-worker.js';

/** Starts a thread that runs jq: an expression that never ends, or needs too much memory, can then be stopped. */
export function jqThread(build: string, expression: string, timeLimitMs = jqTimeLimitSeconds * 1000): JqFilter {
  const workerData: JqWorkerOptions = { expression, wasmPath: join(build, 'jq.wasm.br') };
  const thread = new Thread(join(build, 'jq-worker.cjs'), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
    // jq prints when it aborts; the answer says so too.
    stdout: true,
    stderr: true,
  });
  return {
    filter: async (json) => {
      const signal = AbortSignal.timeout(timeLimitMs);
      thread.postMessage(json, []);
      try {
        const [answer] = (await once(thread, 'message', { signal })) as [JqAnswer];
        return answer;
      } catch (error) {
        if (signal.aborted) return { limit: 'time' };
        if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return { limit: 'memory' };
        throw error;
      }
    },
    close: async () => void (await thread.terminate()),
  };
}
