import type { Caller } from '../domain/caller.js';
import { keyReused } from '../domain/keys.js';
import type { CallOptions } from '../domain/call.js';
import type { Work } from './engine.js';
import { findKeyUse, keepReplay } from './tables/replay-table.js';

/** The digest of a request. Loads node:crypto on first use, which saves start-up time. */
export async function digestOf(request: unknown): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

/**
 * Makes work idempotent: a repeat by the same sender under the same key returns the first answer and changes nothing.
 * Refuses another request under the key.
 */
export function keyed<Output>(work: Work<readonly Output[]>, key: string, digest: string, caller: Caller, { onReplay }: CallOptions): Work<readonly Output[]> {
  return async (queries) => {
    const own = { key, sender: caller };
    const found = await findKeyUse(queries, own, digest, caller.clock());
    if (found === undefined) {
      const outputs = await work(queries);
      await keepReplay(queries, own, { digest, answer: JSON.stringify(outputs) }, caller.clock());
      return outputs;
    }
    if (!('answer' in found) || found.digest !== digest) throw keyReused(key);
    onReplay?.();
    return JSON.parse(found.answer) as readonly Output[];
  };
}
