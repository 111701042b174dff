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

const maximumOutputBytes = 1 << 26;

const answer = (result: JqAnswer): void => parentPort?.postMessage(result, []);

/** Limits the output of an expression: jq keeps it in an array of bytes that it doubles, and the limits of a thread do not count those. */
function limitOutput(): void {
  const limited = new Proxy(Uint8Array, {
    construct: (target, values: readonly unknown[]) => {
      const [length] = values;
      // The main thread then ends this one, even while jq runs.
      if (typeof length === 'number' && length > maximumOutputBytes) answer({ limit: 'output' });
      return Reflect.construct(target, values) as Uint8Array;
    },
  });
  Object.assign(globalThis, { Uint8Array: limited });
}

async function begin({ expression, wasmPath }: JqWorkerOptions): Promise<void> {
  limitOutput();
  const filter = await jqProgram(brotliDecompressSync(readFileSync(wasmPath)), expression);
  parentPort?.on('message', (json: string) => answer(filter(json)));
}

void begin(workerData as JqWorkerOptions);
