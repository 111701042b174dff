import type { Caller } from '../domain/caller.js';
import { keyReused } from '../domain/sender.js';
import type { CallOptions } from '../domain/call.js';
import { startsWithSelect, queriesThrough } from './expiring-queries.js';
import type { Queries, WriteQueries, WriteWork } from './queries.js';
import type { Sql } from './sql.js';
import { sha256 } from './secrets.js';
import { findKeyUse, keepReplay, type KeyedRequest } from './tables/replay-table.js';

/** A request under its key. */
export function keyedRequest(key: string, caller: Caller, request: unknown): KeyedRequest {
  return { key, sender: caller, digest: sha256(JSON.stringify(request)), now: caller.clock() };
}

/** The stored answer of a request; undefined if the key of its sender is unused. Refuses a key that was used for another request. */
export async function storedAnswer(queries: Queries, request: KeyedRequest): Promise<string | undefined> {
  const found = await findKeyUse(queries, request);
  if (found === undefined) return undefined;
  if (found.answer === null || found.digest !== request.digest) throw keyReused(request.key);
  return found.answer;
}

/** Queries of which the reads are sent at once, and whose answers and changes wait for `check`. */
function queriesAfter(check: () => Promise<void>, queries: WriteQueries): WriteQueries {
  const ask = async <T>(query: Sql, send: (query: Sql) => Promise<T>): Promise<T> => {
    const early = startsWithSelect(query) ? send(query) : undefined;
    // If the check fails too, its error says why.
    early?.catch(() => undefined);
    await check();
    return early ?? send(query);
  };
  return queriesThrough(queries, ask);
}

/** How keyed work runs. */
interface KeyedOptions extends Pick<CallOptions, 'onReplay'> {
  /** Whether the work reads before it changes anything. What it reads first is then sent with the question for its key, in one round trip. */
  readonly readsFirst: boolean;
}

/**
 * Makes work idempotent: a repeat by the same sender under the same key returns the first answer and changes nothing.
 * Refuses another request under the key.
 */
export function keyed<Output>(work: WriteWork<readonly Output[]>, request: KeyedRequest, { onReplay, readsFirst }: KeyedOptions): WriteWork<readonly Output[]> {
  return async (queries) => {
    const stored = storedAnswer(queries, request);
    const refuseRepeat = async (): Promise<void> => {
      if ((await stored) !== undefined) throw new Error('The request was answered before.');
    };
    try {
      if (!readsFirst) await refuseRepeat();
      const outputs = await work(queriesAfter(refuseRepeat, queries));
      await refuseRepeat();
      await keepReplay(queries, request, JSON.stringify(outputs));
      return outputs;
    } catch (error) {
      const answer = await stored;
      if (answer === undefined) throw error;
      onReplay?.();
      return JSON.parse(answer) as readonly Output[];
    }
  };
}
