import { keyReused } from '../domain/sender.js';
import type { CallOptions } from '../domain/call.js';
import type { Queries, Work } from './queries.js';
import { findKeyUse, keepReplay, type KeyedRequest } from './tables/replay-table.js';

/** The digest of a request. Loads node:crypto on first use, which saves start-up time. */
export async function digestOf(request: unknown): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

/** The stored answer of a request; undefined if the key of its sender is unused. Refuses a key that was used for another request. */
export async function storedAnswer(queries: Queries, request: KeyedRequest): Promise<string | undefined> {
  const found = await findKeyUse(queries, request);
  if (found === undefined) return undefined;
  if (!('answer' in found) || found.digest !== request.digest) throw keyReused(request.key);
  return found.answer;
}

/**
 * Makes work idempotent: a repeat by the same sender under the same key returns the first answer and changes nothing.
 * Refuses another request under the key.
 */
export function keyed<Output>(work: Work<readonly Output[]>, request: KeyedRequest, { onReplay }: Pick<CallOptions, 'onReplay'>): Work<readonly Output[]> {
  return async (queries) => {
    const answer = await storedAnswer(queries, request);
    if (answer === undefined) {
      const outputs = await work(queries);
      await keepReplay(queries, request, JSON.stringify(outputs));
      return outputs;
    }
    onReplay?.();
    return JSON.parse(answer) as readonly Output[];
  };
}
