import { checkInput } from '../domain/check.js';
import { keyReused, type Sender } from '../domain/keys.js';
import { checkedNote, type LedgerSource } from '../domain/ledger.js';
import type { Call, CallOptions, Shop } from '../domain/shop.js';
import type { TokenKeeper } from '../domain/tokens.js';
import type { Reading, Writing } from '../domain/transaction.js';
import type { Engine, Queries, Work } from './engine.js';
import { sql } from './sql.js';
import { batchTable } from './tables/batches.js';
import { categoryTable } from './tables/categories.js';
import { ledgerTable, type Stamp } from './tables/ledger.js';
import { orderTable } from './tables/orders.js';
import { petTable } from './tables/pets.js';
import { findKeyUse, keepReplay } from './tables/replays.js';
import { reportTable } from './tables/reports.js';
import { stockTable } from './tables/stock.js';
import { summaryTable } from './tables/summary.js';

/** Who works on the shop, through which door, and by which clock. */
export interface Worker extends Sender {
  readonly source: LedgerSource;
  /** The present instant, ms since 1970. */
  readonly clock: () => number;
}

const nobody: Stamp = { at: 0, actor: '', source: 'cli', note: undefined };

/** The tables of a read snapshot. */
export function readingOf(queries: Queries): Reading {
  return {
    pets: petTable(queries),
    categories: categoryTable(queries),
    stock: stockTable(queries),
    orders: orderTable(queries),
    ledger: ledgerTable(queries, nobody),
    batches: batchTable(queries, nobody),
    summary: summaryTable(queries),
    reports: reportTable(queries),
  };
}

/** The tables of a write transaction; its time never lies before the last ledger row, whatever the clock says. */
export async function writingOf(queries: Queries, worker: Worker, { note: given, ifMatch, ifNoneMatch }: CallOptions): Promise<Writing> {
  const note = given === undefined ? undefined : checkedNote(given);
  const last = await queries.get<{ readonly at: number }>(
    sql`SELECT coalesce(l.at, b.at) AS at FROM ledger l LEFT JOIN batches b ON b.id = l.batch_id ORDER BY l.id DESC LIMIT 1`,
  );
  const now = Math.max(worker.clock(), last?.at ?? 0);
  const stamp: Stamp = { at: now, actor: worker.actor, source: worker.source, note };
  return {
    pets: petTable(queries),
    categories: categoryTable(queries),
    stock: stockTable(queries),
    orders: orderTable(queries),
    ledger: ledgerTable(queries, stamp),
    batches: batchTable(queries, stamp),
    summary: summaryTable(queries),
    reports: reportTable(queries),
    now,
    ifMatch,
    ifNoneMatch,
  };
}

/** A shop whose rows an engine keeps: one operation, one transaction. */
export function localShop(engine: Engine, worker: Worker, where: string): Shop {
  const callEach: Shop['callEach'] = async (operation, inputs, options = {}) => {
    const checked = inputs.map((input) => checkInput(operation, input));
    if (operation.kind === 'read') {
      return engine.read(async (queries) => runEach(checked, (input) => operation.run(readingOf(queries), input)), true);
    }
    const work = async (queries: Queries) => {
      const tx = await writingOf(queries, worker, options);
      return runEach(checked, (input) => operation.run(tx, input));
    };
    const { key } = options;
    const once = key === undefined ? work : keyed(work, key, await digestOf([operation.id, checked]), worker, options);
    return engine.write(once, options.dryRun !== true);
  };
  const call: Shop['call'] = async (operation, input, options) => {
    const [output] = await callEach(operation, [input], options);
    return output as NonNullable<typeof output>;
  };
  return {
    callEach,
    call,
    snapshot: (work) =>
      engine.read((queries) => {
        const tx = readingOf(queries);
        const ask: Call = async (operation, input) => {
          if (operation.kind === 'write') throw new Error(`${operation.id} changes the shop and cannot run in a snapshot.`);
          return operation.run(tx, checkInput(operation, input));
        };
        return work(ask, (operation, input, columns, limit) => operation.lines?.(tx, checkInput(operation, input), columns, limit));
      }),
    importPets: async (file, options) => (await import('./pet-imports.js')).importPetFile(engine, worker, file, options),
    importStock: async (file, options) => (await import('./stock-imports.js')).importStockFile(engine, worker, file, options),
    undoBatch: async (batchId, options) => (await import('./undo.js')).undoBatch(engine, worker, batchId, options),
    tokens: lazyTokens(engine, worker),
    follow: async function* follow(after) {
      yield* (await import('./follow.js')).followLedger(call, after);
    },
    where,
    close: () => engine.close(),
  };
}

/** The tokens of a shop. Their module is loaded when it is asked for: most commands start faster without. */
function lazyTokens(engine: Engine, worker: Worker): TokenKeeper {
  let loading: Promise<TokenKeeper> | undefined;
  const keeper = (): Promise<TokenKeeper> => (loading ??= import('./tokens.js').then(({ tokenKeeper }) => tokenKeeper(engine, worker)));
  return {
    create: async (draft, options) => (await keeper()).create(draft, options),
    list: async () => (await keeper()).list(),
    revoke: async (name, options) => (await keeper()).revoke(name, options),
    check: async (text) => (await keeper()).check(text),
    everCreated: async () => (await keeper()).everCreated(),
    used: async (id) => (await keeper()).used(id),
  };
}

async function runEach<Input, Output>(inputs: readonly Input[], run: (input: Input) => Promise<Output>): Promise<readonly Output[]> {
  const outputs: Output[] = [];
  for (const input of inputs) outputs.push(await run(input));
  return outputs;
}

/** The digest of a request. The module is loaded when a key asks for it: most commands start faster without. */
export async function digestOf(request: unknown): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

/** The same work, but a repeat by the same sender under the same key answers what the first one answered and changes nothing. */
function keyed<Output>(work: Work<readonly Output[]>, key: string, digest: string, worker: Worker, { onReplay }: CallOptions): Work<readonly Output[]> {
  return async (queries) => {
    const own = { key, sender: worker };
    const found = await findKeyUse(queries, own, digest, worker.clock());
    if (found === undefined) {
      const outputs = await work(queries);
      await keepReplay(queries, own, { digest, answer: JSON.stringify(outputs) }, worker.clock());
      return outputs;
    }
    if (!('answer' in found) || found.digest !== digest) throw keyReused(key);
    onReplay?.();
    return JSON.parse(found.answer) as readonly Output[];
  };
}
