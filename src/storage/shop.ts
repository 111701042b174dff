import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../domain/caller.js';
import { eventsAfter, newestEvent } from '../domain/ledger/follow-ledger.js';
import type { LedgerPosition } from '../domain/ledger/ledger-position.js';
import type { NamedEntry } from '../domain/ledger/named-entry.js';
import { readTransaction, writeTransaction } from './transactions.js';
import { keyed, keyedRequest } from './replay.js';
import { senderId } from '../domain/sender.js';
import { checkInput } from '../domain/check-input.js';
import type { Call } from '../domain/call.js';
import type { Shop } from '../domain/shop.js';
import type { Engine } from './engine.js';
import { hookKeeper } from './hook-keeper.js';
import type { Queries, WriteQueries } from './queries.js';
import { sessionKeeper } from './session-keeper.js';
import { tokenKeeper } from './token-keeper.js';

/** A shop over an engine: every operation runs in one transaction. */
export function localShop(engine: Engine, caller: Caller, where: string): Shop {
  const callEach: Shop['callEach'] = async (operation, inputs, options = {}) => {
    const checked = inputs.map((input) => checkInput(operation, input));
    const { key, dryRun, waitedMs } = options;
    if (operation.kind === 'read') {
      const read = (queries: Queries) => runEach(checked, (input) => operation.run(readTransaction(queries, caller), input));
      return engine.read(read, { waitedMs });
    }
    // The same time wherever the work begins again.
    const now = caller.clock();
    const at = { ...caller, clock: () => now };
    const work = async (queries: WriteQueries) => {
      const tx = writeTransaction(queries, at, options);
      return runEach(checked, (input) => operation.run(tx, input));
    };
    const request = key === undefined ? undefined : keyedRequest(key, at, [operation.id, checked]);
    const [only, ...others] = checked;
    const isOne = only !== undefined && others.length === 0;
    if (isOne && operation.importToUndo !== undefined) {
      const { undoImportOf } = await import('./bulk/undo-batch.js');
      const undone = await undoImportOf(engine, caller, operation, only, { ...options, request });
      if (undone !== undefined) return undone;
    }
    const records = isOne ? operation.records?.(only) : undefined;
    if (request === undefined) return engine.write(work, { dryRun, waitedMs, at: now, records });
    // Work that names a record reads that first.
    const once = keyed(work, request, { ...options, readsFirst: (records?.length ?? 0) > 0 });
    return engine.write(once, { dryRun, waitedMs, at: now, records: records && [...records, `key ${senderId(caller)} ${request.key}`] });
  };
  const call: Shop['call'] = async (operation, input, options) => {
    const [output] = await callEach(operation, [input], options);
    return output as NonNullable<typeof output>;
  };
  return {
    callEach,
    call,
    snapshot: (work) => engine.read((queries) => work(callOn(queries, caller)), { isOnce: true }),
    importPets: async (file, options) => (await import('./bulk/import-pets.js')).importPetFile(engine, caller, file, options),
    importCodes: async (file, options) => (await import('./bulk/import-codes.js')).importCodeFile(engine, caller, file, options),
    importStock: async (file, options) => (await import('./bulk/import-stock.js')).importStockFile(engine, caller, file, options),
    undoBatch: async (batchId, options) => (await import('./bulk/undo-batch.js')).undoBatch(engine, caller, batchId, options),
    tokens: tokenKeeper(engine, caller),
    sessions: sessionKeeper(engine, caller),
    hooks: hookKeeper(engine, caller),
    follow: async function* follow(after) {
      yield* followLedger(call, after);
    },
    changeMark: engine.changeMark,
    where,
    close: () => engine.close(),
  };
}

/** Calls operations on one snapshot. */
function callOn(queries: Queries, caller: Caller): Call {
  const tx = readTransaction(queries, caller);
  return async (operation, input) => {
    if (operation.kind === 'write') throw new Error(`${operation.id} changes the shop and cannot run in a snapshot.`);
    return operation.run(tx, checkInput(operation, input));
  };
}

async function runEach<Input, Output>(inputs: readonly Input[], run: (input: Input) => Promise<Output>): Promise<readonly Output[]> {
  const outputs: Output[] = [];
  for (const input of inputs) outputs.push(await run(input));
  return outputs;
}

const pollIntervalMs = 200;

/**
 * Yields new ledger entries as they are written, in groups; from the newest one when `after` is not given. Polls, because
 * other processes do not notify this one. Refuses with `cursor_expired` when the ledger no longer has the last entry.
 */
async function* followLedger(call: Call, after: LedgerPosition | undefined): AsyncGenerator<readonly NamedEntry[], void> {
  let position = after ?? (await call(newestEvent, {})).newest;
  for (;;) {
    const { entries, last } = await call(eventsAfter, { after: position });
    position = last;
    if (entries.length === 0) await sleep(pollIntervalMs);
    else yield entries;
  }
}
