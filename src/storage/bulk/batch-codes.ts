import { codeKey, type Code } from '../../domain/codes/code.js';
import type { CodeDraft } from '../../domain/imports/code-row.js';
import type { ShopCodes } from '../../domain/imports/plan-codes.js';
import type { Engine } from '../engine.js';
import { overlapped, type Queries } from '../queries.js';
import { list, sql, type Sql } from '../sql.js';
import { insertRecords } from '../tables/columns.js';
import { codesByKey } from '../tables/code-table.js';
import { highestId } from '../tables/ids.js';
import { stampCells, type RecordedBatch } from './staged-rows.js';

/** The rows that are looked up, written or removed with one statement of each kind. */
export const codesTogether = 1000;

/** What the shop holds of the pets and the codes of some rows; `added` counts the codes that earlier rows add to a pet. */
export async function shopCodesOf(queries: Queries, drafts: readonly CodeDraft[], added: ReadonlyMap<number, number>): Promise<ShopCodes> {
  const codes = await codesByKey(queries, [...new Set(drafts.map(({ code }) => codeKey(code)))].toSorted());
  const petIds = [...new Set([...drafts, ...codes.values()].map(({ petId }) => petId))].toSorted((left, right) => left - right);
  const pets = await queries.all<{ readonly id: number; readonly name: string; readonly codes: number }>(
    sql`SELECT p.id, p.name, (SELECT count(*) FROM codes k WHERE k.pet_id = p.id) AS codes FROM pets p WHERE p.archived = 0 AND p.id IN ${list(petIds)}`,
  );
  return {
    names: new Map(pets.map(({ id, name }) => [id, name])),
    codes,
    counts: new Map(pets.map(({ id, codes: count }) => [id, count + (added.get(id) ?? 0)])),
  };
}

/** The batch of the entries, with a stamp for an undo and for the codes of new pets. */
interface CodeEntries extends RecordedBatch {
  readonly engine: Pick<Engine, 'insertRows'>;
}

function valuesText({ code, units }: Pick<Code, 'code' | 'units'>): string {
  return JSON.stringify({ code, units });
}

/** Adds codes that no pet has, with an entry for each. */
export async function insertCodes(queries: Queries, blocks: Iterable<readonly CodeDraft[]>, { engine, batchId, stamp }: CodeEntries): Promise<void> {
  let entry = await highestId(queries, 'ledger');
  await overlapped(blocks, (some) => {
    const codes = some.map(({ code, petId, units }) => ({ key: codeKey(code), code, pet_id: petId, units }));
    const entries = some.map((draft) => {
      const { petId, line } = draft;
      return { id: (entry += 1), kind: 'code.added', pet_id: petId, batch_id: batchId, line, current: valuesText(draft), ...stampCells(stamp) };
    });
    return [insertRecords(engine, queries, 'codes', codes), insertRecords(engine, queries, 'ledger', entries)];
  });
}

/** An entry of a batch that an undo reverses. */
interface EntryToUndo {
  readonly id: number;
  readonly petId: number;
}

/** The entries of a batch that meet a condition and were not undone individually, newest first, so many at a time. */
export async function* entriesToUndo<Columns>(
  queries: Queries,
  batchId: number,
  { columns, where, together }: { readonly columns: Sql; readonly where: Sql; readonly together: number },
): AsyncGenerator<readonly (EntryToUndo & Columns)[], void> {
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const entries = await queries.all<EntryToUndo & Columns>(sql`SELECT l.id, l.pet_id AS "petId", ${columns} FROM ledger l
      WHERE l.batch_id = ${batchId} AND l.id < ${before} AND l.id >= (SELECT first_entry FROM batches WHERE id = ${batchId}) AND ${where}
      AND NOT EXISTS (SELECT 1 FROM ledger r WHERE r.reverses = l.id) ORDER BY l.id DESC LIMIT ${together}`);
    yield entries;
    if (entries.length < together) return;
    before = entries.at(-1)?.id ?? before;
  }
}

/** The condition for an added code that was not removed since by a change that still counts: what was added again belongs to whoever did. */
const isStillOfBatch = sql`l.kind = 'code.added' AND NOT EXISTS (SELECT 1 FROM ledger d WHERE d.pet_id = l.pet_id AND d.id > l.id AND d.kind = 'code.removed'
  AND d.previous = l.current AND d.reverses IS NULL AND NOT EXISTS (SELECT 1 FROM ledger u WHERE u.reverses = d.id))`;

/** Removes the codes of an import that are still in the shop as it added them, with an entry for each. Returns their number. */
export async function removeBatchCodes(queries: Queries, { engine, batchId, stamp }: CodeEntries): Promise<number> {
  let removed = 0;
  const entries = { columns: sql`l.line, l.current`, where: isStillOfBatch, together: codesTogether };
  for await (const some of entriesToUndo<{ readonly line: number; readonly current: string }>(queries, batchId, entries)) {
    if (some.length === 0) break;
    const keys = some.map(({ current }) => codeKey((JSON.parse(current) as Code).code));
    await queries.run(sql`DELETE FROM codes WHERE key IN ${list(keys)}`);
    const last = await highestId(queries, 'ledger');
    const undone = some.map(({ id, petId, line, current }, index) => {
      const facts = { id: last + index + 1, kind: 'code.removed', pet_id: petId, batch_id: batchId, line, reverses: id, previous: current };
      return { ...facts, ...stampCells(stamp) };
    });
    await insertRecords(engine, queries, 'ledger', undone);
    removed += some.length;
  }
  return removed;
}
