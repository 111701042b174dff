import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { JqAnswer } from '../cli/program-setup.js';
import { brotliDecompressSync } from 'node:zlib';
import { jqProgram } from './jq-program.js';

/** The start parameters of the thread that runs jq. */
export interface JqWorkerOptions {
  readonly expression: string;
  /** The path of the WebAssembly module of jq, compressed with Brotli. */
  readonly wasmPath: string;
}

const answer = (result: JqAnswer): void => parentPort?.postMessage(result, []);

async function begin({ expression, wasmPath }: JqWorkerOptions): Promise<void> {
  const filter = await jqProgram(brotliDecompressSync(readFileSync(wasmPath)), expression);
  parentPort?.on('message', (json: string) => answer(filter(json)));
}

void begin(workerData as JqWorkerOptions);
