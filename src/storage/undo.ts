import { StoreError } from '../domain/errors.js';
import type { BatchDetails } from '../domain/imports.js';
import { notFound } from '../domain/numbers.js';
import type { UndoOptions, UndoReport } from '../domain/shop.js';
import type { Reading } from '../domain/transaction.js';
import { checkUndoable } from '../domain/undo.js';
import type { Engine, Queries } from './engine.js';
import { readingOf, writingOf, type Worker } from './local.js';
import { refusedRows } from './refused-rows.js';
import { sortedFigures, type SortedFigures } from './runs.js';
import { sql } from './sql.js';

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

/** Takes a whole bulk import back in one transaction, on top of what happened since: all of it or nothing. */
export async function undoBatch(engine: Engine, worker: Worker, batchId: number, { dryRun, note, allowShortage = false }: UndoOptions): Promise<UndoReport> {
  const figures = sortedFigures();
  const refused = refusedRows(false);
  const bulk = await engine.bulk();
  const check = (): void => {
    const [first] = refused.first();
    if (first === undefined) return;
    const others = refused.count() - 1;
    throw new StoreError(
      first.code,
      `Batch ${batchId} cannot be undone: ${first.message}${others > 0 ? ` (and ${others} more)` : ''}`,
      `petstore log --batch ${batchId}`,
    );
  };
  try {
    const { batch, rows } = await engine.read(async (queries) => ({
      batch: await undoable(readingOf(queries), batchId),
      rows: await collect(queries, batchId, figures),
    }));
    const policy = { allowShortage, onStale: 'fail' } as const;
    await bulk.stage({ kind: 'undo', figures, policy, refused, skip: () => false, notes: new Map(), named: new Set() });
    check();
    if (dryRun !== true) {
      await bulk.apply(async (queries) => {
        check();
        const tx = await writingOf(queries, worker, {});
        await undoable(tx, batchId);
        await tx.batches.markUndone(batchId);
        return { batchId, stamp: { at: tx.now, actor: worker.actor, source: worker.source, note } };
      });
    }
    return { batch: { ...batch, state: 'undone' }, rows };
  } finally {
    bulk.close();
    figures.close();
  }
}
