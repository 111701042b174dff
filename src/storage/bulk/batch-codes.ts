import { codeKey, type Code } from '../../domain/codes/code.js';
import { StoreError } from '../../domain/errors.js';
import { maximumCodeRows, type CodeDraft } from '../../domain/imports/code-row.js';
import type { ShopCodes } from '../../domain/imports/plan-codes.js';
import { subjectOf } from '../../formats/fault.js';
import type { Engine } from '../engine.js';
import { columnsOf } from '../migrations/migrations.js';
import type { Cell, Queries } from '../queries.js';
import { list, sql } from '../sql.js';
import type { Stamp } from '../tables/ledger-table.js';
import { highestId } from '../tables/ids.js';
import { codesOf } from './stock-reading.js';

/** The rows that are looked up, written or removed with one statement of each kind. */
export const codesTogether = 1000;

/** The refusal of a file with more codes than one import adds. */
export function tooManyCodes(name = 'standard input'): StoreError {
  return new StoreError('validation_failed', `${subjectOf(name)} has more than ${maximumCodeRows} codes.`, { advice: 'Split it into several files.' });
}

/** What the shop holds of the pets and the codes of some rows; `added` counts the codes that earlier rows add to a pet. */
export async function shopCodesOf(queries: Queries, drafts: readonly CodeDraft[], added: ReadonlyMap<number, number>): Promise<ShopCodes> {
  const codes = await codesOf(queries, [...new Set(drafts.map(({ code }) => codeKey(code)))].toSorted());
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

const codeLayout = { name: 'codes', columns: columnsOf('codes') };
const ledgerLayout = { name: 'ledger', columns: columnsOf('ledger') };

/** The cells of rows in the order of the columns of a table; NULL for a column that a row does not name. */
function cellsIn(columns: Readonly<Record<string, unknown>>, rows: readonly Readonly<Record<string, Cell>>[]): readonly (readonly Cell[])[] {
  const names = Object.keys(columns);
  return rows.map((row) => names.map((name) => row[name] ?? null));
}

/** The batch of the entries, and their stamp where it is not that of the batch: for an undo, and for the codes of new pets. */
export interface CodeEntries {
  readonly engine: Pick<Engine, 'insertRows'>;
  readonly batchId: number;
  readonly stamp?: Stamp | undefined;
}

function stampCells(stamp: Stamp | undefined): Readonly<Record<string, Cell>> {
  return stamp === undefined ? {} : { at: stamp.at, actor: stamp.actor, source: stamp.source, note: stamp.note ?? null };
}

function valuesText({ code, units }: Pick<Code, 'code' | 'units'>): string {
  return JSON.stringify({ code, units });
}

/** Adds codes that no pet has, with an entry for each. */
export async function insertCodes(queries: Queries, drafts: readonly CodeDraft[], { engine, batchId, stamp }: CodeEntries): Promise<void> {
  for (let from = 0; from < drafts.length; from += codesTogether) {
    const some = drafts.slice(from, from + codesTogether);
    const codes = some.map(({ code, petId, units }) => ({ key: codeKey(code), code, pet_id: petId, units }));
    await engine.insertRows(queries, codeLayout, cellsIn(codeLayout.columns, codes));
    const last = await highestId(queries, 'ledger');
    const entries = some.map((draft, index) => {
      const { petId, line } = draft;
      return { id: last + index + 1, kind: 'code.added', pet_id: petId, batch_id: batchId, line, current: valuesText(draft), ...stampCells(stamp) };
    });
    await engine.insertRows(queries, ledgerLayout, cellsIn(ledgerLayout.columns, entries));
  }
}

interface AddedEntry {
  readonly id: number;
  readonly petId: number;
  readonly line: number;
  readonly current: string;
}

/** Removes the codes of an import that still belong to the pets to which it added them, with an entry for each. Returns their number. */
export async function removeBatchCodes(queries: Queries, { engine, batchId, stamp }: CodeEntries): Promise<number> {
  let before = Number.MAX_SAFE_INTEGER;
  let removed = 0;
  for (;;) {
    const entries: readonly AddedEntry[] = await queries.all<AddedEntry>(sql`SELECT l.id, l.pet_id AS "petId", l.line, l.current FROM ledger l
      WHERE l.batch_id = ${batchId} AND l.id < ${before} AND l.id >= (SELECT first_entry FROM batches WHERE id = ${batchId}) AND l.kind = 'code.added'
      AND NOT EXISTS (SELECT 1 FROM ledger r WHERE r.reverses = l.id) ORDER BY l.id DESC LIMIT ${codesTogether}`);
    const added = entries.map(({ id, petId, line, current }) => ({ id, petId, line, code: (JSON.parse(current) as Code).code }));
    const present = await codesOf(queries, added.map(({ code }) => codeKey(code)).toSorted());
    const found = added.flatMap((one) => {
      const code = present.get(codeKey(one.code));
      return code?.petId === one.petId ? [{ ...one, code }] : [];
    });
    if (found.length > 0) {
      await queries.run(sql`DELETE FROM codes WHERE key IN ${list(found.map(({ code }) => codeKey(code.code)))}`);
      const last = await highestId(queries, 'ledger');
      const undone = found.map(({ id, petId, line, code }, index) => {
        const facts = { id: last + index + 1, kind: 'code.removed', pet_id: petId, batch_id: batchId, line, reverses: id, previous: valuesText(code) };
        return { ...facts, ...stampCells(stamp) };
      });
      await engine.insertRows(queries, ledgerLayout, cellsIn(ledgerLayout.columns, undone));
    }
    removed += found.length;
    before = entries.at(-1)?.id ?? before;
    if (entries.length < codesTogether) return removed;
  }
}
