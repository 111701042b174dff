import { loadJq } from 'jq-wasm';
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import type { JqAnswer } from '../cli/program-setup.js';

/** The start parameters of the thread that runs jq. */
export interface JqWorkerOptions {
  readonly expression: string;
  /** The path of the WebAssembly module of jq, compressed with Brotli. */
  readonly wasmPath: string;
}

async function begin({ expression, wasmPath }: JqWorkerOptions): Promise<void> {
  const jq = await loadJq({ wasmBinary: brotliDecompressSync(readFileSync(wasmPath)) });
  const filtered = (json: string): JqAnswer => {
    try {
      // Compact JSON, one value per line. After "--" an expression can begin with a dash.
      return jq.raw(json, expression, ['-c', '--']);
    } catch {
      // The module ends with an abort when its memory, which has a limit of its own, is used up.
      return { limit: 'memory' };
    }
  };
  parentPort?.on('message', (json: string) => parentPort?.postMessage(filtered(json), []));
}

void begin(workerData as JqWorkerOptions);
