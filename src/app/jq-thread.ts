import { join } from 'node:path';
import { Worker as Thread } from 'node:worker_threads';
import { jqTimeLimitSeconds, type JqAnswer, type JqFilter } from '../cli/program-setup.js';
import type { JqWorkerOptions } from './jq-worker.js';

/** The answer of the thread to one text of JSON, or the limit that it has reached. */
async function answerOf(thread: Thread, json: string, timeLimitMs: number): Promise<JqAnswer> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<JqAnswer>((resolve, reject) => {
      timer = setTimeout(() => resolve({ limit: 'time' }), timeLimitMs);
      thread.once('message', resolve);
      thread.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ limit: 'memory' }) : reject(error)));
      thread.postMessage(json, []);
    });
  } finally {
    clearTimeout(timer);
    thread.removeAllListeners('message').removeAllListeners('error');
  }
}

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
    filter: (json) => answerOf(thread, json, timeLimitMs),
    close: async () => void (await thread.terminate()),
  };
}
