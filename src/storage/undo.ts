import { StoreError } from '../domain/errors.js';
import type { BatchDetails } from '../domain/imports.js';
import { notFound } from '../domain/numbers.js';
import type { UndoOptions, UndoReport } from '../domain/shop.js';
import type { Reading } from '../domain/transaction.js';
import { checkUndoable } from '../domain/undo.js';
import type { Bulk, Engine, Queries } from './engine.js';
import { digestOf, keyReused, readingOf, writingOf, type Worker } from './local.js';
import { refusedRows, type RefusedRows } from './refused-rows.js';
import { sortedFigures, type SortedFigures } from './runs.js';
import { sql } from './sql.js';
import { findReplay, keepReplay } from './tables/replays.js';

const rowsPerRead = 10_000;

interface Movement {
  readonly id: number;
  readonly petId: number;
  readonly delta: number;
}

/** The rows of a batch that were not taken back one by one, latest first: so each finds what it left. */
async function collect(queries: Queries, batchId: number, figures: SortedFigures): Promise<number> {
  let before = Number.MAX_SAFE_INTEGER;
  let count = 0;
  for (;;) {
    const rows = await queries.all<Movement>(sql`SELECT l.id, l.pet_id AS "petId", l.delta FROM ledger l
      WHERE l.batch_id = ${batchId} AND l.id < ${before} AND l.id >= (SELECT first_entry FROM batches WHERE id = ${batchId})
      AND l.kind IN ('count', 'adjust') AND NOT EXISTS (SELECT 1 FROM ledger r WHERE r.reverses = l.id)
      ORDER BY l.id DESC LIMIT ${rowsPerRead}`);
    for (const { id, petId, delta } of rows) figures.add(petId, -delta, undefined, id, count++);
    before = rows.at(-1)?.id ?? before;
    if (rows.length < rowsPerRead) return count;
  }
}

async function undoable(tx: Reading, batchId: number): Promise<BatchDetails> {
  const found = await tx.batches.get(batchId);
  if (found === undefined) throw notFound('batch', batchId);
  checkUndoable(found);
  return found;
}

/** Whether rows of a batch were taken back one by one after a ledger row. */
async function overtaken(queries: Queries, batchId: number, newest: number): Promise<boolean> {
  const found = await queries.get(sql`SELECT r.id FROM ledger r JOIN ledger l ON l.id = r.reverses WHERE r.id > ${newest} AND l.batch_id = ${batchId} LIMIT 1`);
  return found !== undefined;
}

function check(batchId: number, refused: RefusedRows): void {
  const [first] = refused.first();
  if (first === undefined) return;
  const others = refused.count() - 1;
  throw new StoreError(
    first.code,
    `Batch ${batchId} cannot be undone: ${others > 0 ? first.message.replace(/\.$/, ` (and ${others} more).`) : first.message}`,
    `petstore log --batch ${batchId}`,
  );
}

/** Takes a batch back; undefined where somebody took back one of its rows meanwhile. */
async function attempt(engine: Engine, worker: Worker, batchId: number, options: UndoOptions): Promise<UndoReport | undefined> {
  const { dryRun, note, allowShortage = false } = options;
  const digest = await requestDigest(batchId, options);
  const figures = sortedFigures();
  const refused = refusedRows(false);
  let bulk: Bulk | undefined;
  try {
    bulk = await engine.bulk();
    const { batch, rows, newest } = await engine.read(async (queries) => ({
      batch: await undoable(readingOf(queries), batchId),
      rows: await collect(queries, batchId, figures),
      newest: (await queries.get<{ readonly id: number }>(sql`SELECT max(id) AS id FROM ledger`))?.id ?? 0,
    }));
    const policy = { allowShortage, onStale: 'fail' } as const;
    await bulk.stage({ kind: 'undo', figures, policy, refused, skip: () => false, notes: new Map(), named: new Set() });
    let late = false;
    if (dryRun === true) check(batchId, refused);
    else {
      await bulk.apply(async (queries) => {
        const tx = await writingOf(queries, worker, {});
        await undoable(tx, batchId);
        late = await overtaken(queries, batchId, newest);
        if (late) return undefined;
        check(batchId, refused);
        await tx.batches.markUndone(batchId);
        if (options.key !== undefined) {
          const report: UndoReport = { batch: { ...batch, state: 'undone' }, rows };
          await keepReplay(queries, options.key, { digest, answer: JSON.stringify(report) }, tx.now);
        }
        return { batchId, stamp: { at: tx.now, actor: worker.actor, source: worker.source, note } };
      });
    }
    return late ? undefined : { batch: { ...batch, state: 'undone' }, rows };
  } finally {
    await bulk?.close();
    figures.close();
  }
}

function requestDigest(batchId: number, { allowShortage = false }: UndoOptions): Promise<string> {
  return digestOf(['undoBatch', batchId, allowShortage]);
}

/** What an earlier undo of the batch under the same key answered; another request under it is refused. */
async function replay(engine: Engine, worker: Worker, batchId: number, options: UndoOptions & { readonly key: string }): Promise<UndoReport | undefined> {
  const { key } = options;
  const found = await engine.read((queries) => findReplay(queries, key, worker.clock()), true);
  if (found === undefined) return undefined;
  if (found.digest !== (await requestDigest(batchId, options))) throw keyReused(key);
  return JSON.parse(found.answer) as UndoReport;
}

/** Takes a whole bulk import back in one transaction, on top of what happened since: all of it or nothing. */
export async function undoBatch(engine: Engine, worker: Worker, batchId: number, options: UndoOptions): Promise<UndoReport> {
  const { key } = options;
  const replayed = key === undefined ? undefined : await replay(engine, worker, batchId, { ...options, key });
  if (replayed) {
    options.onReplay?.();
    return replayed;
  }
  // Every turn but the last finds fewer rows than the one before.
  for (;;) {
    const report = await attempt(engine, worker, batchId, options);
    if (report) return report;
  }
}
