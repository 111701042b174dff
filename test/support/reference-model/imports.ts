import type { ErrorCode } from '../../../src/domain/errors.js';
import type { Rules } from './apply-command.js';
import { createPet, contradictsStatus, type NewPet } from './pets.js';
import { answerUnder, done, livePet, move, reservedOf, refuse, type Model, type ModelBatch } from './shop.js';

/** A row of a stock file. */
export interface StockRow {
  readonly pet: number;
  readonly units: number;
  readonly expect: number | undefined;
}

/** A stock file. */
export interface StockFile {
  readonly do: 'import stock';
  readonly column: 'quantity' | 'delta';
  readonly rows: readonly StockRow[];
  readonly onStale: 'fail' | 'keep-count' | 'keep-difference';
  readonly allowShortage: boolean;
  readonly keepGoing: boolean;
  readonly maxErrors: number | undefined;
  readonly fileKey: string | undefined;
}

/** A pet file. */
export interface PetFile {
  readonly do: 'import pets';
  readonly rows: readonly NewPet[];
  readonly keepGoing: boolean;
  readonly maxErrors: number | undefined;
  readonly fileKey: string | undefined;
}

/** The commands for bulk imports. */
export type ImportCommand = StockFile | PetFile | { readonly do: 'undo batch'; readonly batch: number; readonly allowShortage: boolean };

/** The file as every adapter sends it. */
export function textOf(file: StockFile | PetFile): string {
  const lines =
    file.do === 'import stock'
      ? [['petId', file.column, 'expected'], ...file.rows.map(({ pet, units, expect }) => [pet, units, expect])]
      : [['name', 'category', 'status', 'quantity'], ...file.rows.map(({ name, category, status, quantity }) => [name, category, status, quantity])];
  return lines.map((cells) => `${cells.join(',')}\n`).join('');
}

/** The counts of an import as every adapter returns them, with the errors of its rows in the order of the file. */
export function reportText(applied: number, unchanged: number, refused: readonly string[], already: number): string {
  const reasons = refused.length > 0 ? ` (${refused.join(', ')})` : '';
  return `${applied} applied, ${unchanged} unchanged, ${refused.length} refused${reasons}, ${already} already applied`;
}

interface RefusedRow {
  readonly rowIndex: number;
  readonly code: ErrorCode;
}

/** The evaluated rows of a file: refused rows, unchanged rows, and the effects of the others. */
interface Evaluation {
  readonly refused: readonly RefusedRow[];
  readonly unchanged: number;
  readonly effects: readonly ((batch: number) => void)[];
}

/** Applies a file without the rows that an earlier run with its key applied; `once` is false if a repeat has no effect. */
function run(model: Model, file: StockFile | PetFile, once: boolean, evaluate: (due: readonly number[]) => Evaluation): string {
  const kind = file.do === 'import stock' ? 'stock' : 'pets';
  const text = textOf(file);
  const key = file.fileKey ?? text;
  const total = file.rows.length;
  if (file.fileKey !== undefined && answerUnder(model, file.fileKey)) refuse('idempotency_key_reused');
  const isKnown = (batch: Model['batches'][number]): boolean => batch.key === key && (file.fileKey !== undefined || batch.kind === kind);
  const earlier = once ? model.batches.findLast((batch) => isKnown(batch) && batch.state !== 'refused') : undefined;
  if (earlier !== undefined && (earlier.kind !== kind || earlier.text !== text)) refuse('idempotency_key_reused');
  const due = earlier === undefined ? [...file.rows.keys()] : earlier.state === 'undone' ? [] : earlier.refused;
  if (due.length === 0) return reportText(0, 0, [], total);
  const { refused, unchanged, effects } = evaluate(due);
  const inOrder = refused.toSorted((left, right) => left.rowIndex - right.rowIndex);
  const none = refused.length > 0 && (!file.keepGoing || refused.length > (file.maxErrors ?? Infinity));
  const counts = { applied: none ? 0 : effects.length, unchanged: none ? 0 : unchanged };
  const state = refused.length === 0 ? 'applied' : counts.applied + counts.unchanged > 0 ? 'partial' : 'refused';
  model.batches.push({ kind, state, key, text, file, total, ...counts, refused: inOrder.map(({ rowIndex }) => rowIndex) });
  if (!none) for (const effect of effects) effect(model.batches.length);
  return reportText(
    counts.applied,
    counts.unchanged,
    inOrder.map(({ code }) => code),
    total - due.length,
  );
}

/** The quantity of a pet after a row, or why the row is refused. */
function after({ column, onStale, allowShortage }: StockFile, { units, expect }: StockRow, quantity: number, reserved: number): number | ErrorCode {
  const stale = expect !== undefined && expect !== quantity;
  if (stale && onStale === 'fail') return 'stock_changed';
  const change = column === 'delta' ? units : units - (stale && onStale === 'keep-difference' ? expect : quantity);
  const result = (stale && onStale === 'keep-count' && column === 'delta' ? expect : quantity) + change;
  if (result < 0) return 'out_of_stock';
  const loses = column === 'quantity' ? result !== quantity : result < quantity;
  return loses && result < reserved && !allowShortage ? 'stock_reserved' : result;
}

function workOutStock(model: Model, file: StockFile, due: readonly number[]): Evaluation {
  const counts = file.column === 'quantity';
  const refused: RefusedRow[] = [];
  const effects: Evaluation['effects'][number][] = [];
  let unchanged = 0;
  const rows = due.flatMap((rowIndex) => {
    const row = file.rows[rowIndex];
    return row === undefined ? [] : [{ ...row, rowIndex }];
  });
  const sound = rows.filter(({ units }) => (counts ? units >= 0 : units !== 0));
  for (const { rowIndex } of rows.filter((row) => !sound.includes(row))) refused.push({ rowIndex, code: 'invalid_quantity' });
  const quantities = new Map([...model.pets].flatMap(([id, { live, quantity }]) => (live ? [[id, quantity]] : [])));
  for (const row of sound.toSorted((left, right) => left.pet - right.pet)) {
    const { pet, rowIndex } = row;
    const quantity = quantities.get(pet);
    const twice = counts && sound.some((other) => other !== row && other.pet === pet);
    const result = twice ? 'duplicate_row' : quantity === undefined ? 'unknown_pet' : after(file, row, quantity, reservedOf(model, pet));
    if (typeof result === 'string') refused.push({ rowIndex, code: result });
    else if (result === quantity) unchanged += 1;
    else {
      quantities.set(pet, result);
      effects.push((batch) => move(model, pet, result - livePet(model, pet).quantity, { kind: counts ? 'count' : 'adjust', batch }));
    }
  }
  return { refused, unchanged, effects };
}

function workOutPets(model: Model, { rows }: PetFile, due: readonly number[]): Evaluation {
  const refused: RefusedRow[] = [];
  const effects: Evaluation['effects'][number][] = [];
  for (const rowIndex of due) {
    const row = rows[rowIndex];
    if (row === undefined) continue;
    if (contradictsStatus(row)) refused.push({ rowIndex, code: 'validation_failed' });
    else if (model.categories.get(row.category)?.live !== true) refused.push({ rowIndex, code: 'unknown_category' });
    else effects.push((batch) => void createPet(model, row, batch));
  }
  return { refused, unchanged: 0, effects };
}

function undoable(model: Model, id: number): ModelBatch {
  const batch = model.batches[id - 1] ?? refuse('batch_not_found');
  if (batch.state === 'undone') refuse('already_undone');
  return batch.kind === 'pets' || batch.state === 'refused' ? refuse('not_undoable') : batch;
}

/** The rows of a batch that are not undone, by pet, the latest of each first; `turn` is the position among all, latest first. */
function entriesToUndo(
  { ledger }: Model,
  id: number,
): readonly { readonly entry: number; readonly pet: number; readonly delta: number; readonly turn: number }[] {
  const undone = new Set(ledger.map(({ reverses }) => reverses));
  return ledger
    .map(({ batch, kind, pet = 0, delta = 0 }, index) => ({ entry: index + 1, pet, delta, moves: batch === id && (kind === 'count' || kind === 'adjust') }))
    .filter(({ entry, moves }) => moves && !undone.has(entry))
    .toReversed()
    .map(({ entry, pet, delta }, turn) => ({ entry, pet, delta, turn }))
    .toSorted((left, right) => left.pet - right.pet);
}

function undoBatch(model: Model, id: number, allowShortage: boolean): string {
  const batch = undoable(model, id);
  const refused: (RefusedRow & { readonly code: ErrorCode })[] = [];
  for (const { entry, pet, delta, turn } of entriesToUndo(model, id)) {
    const found = model.pets.get(pet);
    if (found?.live !== true) refused.push({ rowIndex: turn, code: 'not_undoable' });
    else if (found.quantity < delta) refused.push({ rowIndex: turn, code: 'out_of_stock' });
    else if (delta > 0 && found.quantity - delta < reservedOf(model, pet) && !allowShortage) refused.push({ rowIndex: turn, code: 'stock_reserved' });
    else move(model, pet, -delta, { kind: 'undo', batch: id, reverses: entry });
  }
  const [first] = refused.toSorted((left, right) => left.rowIndex - right.rowIndex);
  if (first !== undefined) refuse(first.code);
  batch.state = 'undone';
  return done;
}

/** The rules of bulk imports. */
export const importRules: Rules<ImportCommand> = {
  'import stock': (model, file) => {
    const expects = file.rows.some(({ units, expect }) => units >= 0 && expect !== undefined);
    const once = file.column === 'delta' || expects || file.onStale === 'keep-difference' || file.fileKey !== undefined;
    return run(model, file, once, (due) => workOutStock(model, file, due));
  },
  'import pets': (model, file) => run(model, file, true, (due) => workOutPets(model, file, due)),
  'undo batch': (model, { batch, allowShortage }) => undoBatch(model, batch, allowShortage),
};
