import { loadJq } from 'jq-wasm';
import type { JqAnswer } from '../cli/program-setup.js';

/** Loads jq from the bytes of its WebAssembly module and returns a function that filters JSON with one expression. */
export async function jqProgram(wasm: Uint8Array, expression: string): Promise<(json: string) => JqAnswer> {
  const jq = await loadJq({ wasmBinary: wasm });
  return (json) => {
    try {
      // Compact JSON, one value per line. After "--" an expression can begin with a dash.
      return jq.raw(json, expression, ['-c', '--']);
    } catch {
      // The module ends with an abort when its memory, which has a limit of its own, is used up.
      return { limit: 'memory' };
    }
  };
}
