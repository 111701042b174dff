import type { ErrorCode } from '../../../src/domain/errors.js';
import type { Rules } from './apply-command.js';
import { appendRow, created, done, move, refuse, reservedOf, type Model, type ModelCount, type ModelCountPet } from './shop.js';

/** A number that somebody writes down for a pet. */
export interface ModelNewLine {
  readonly pet: number;
  readonly number: number;
  readonly adds: boolean;
  /** Whether the pet is taken into the count. */
  readonly also: boolean;
  readonly lineKey: string | undefined;
}

/** The commands for counts. */
export type CountCommand =
  | { readonly do: 'start count'; readonly category: number | undefined }
  | { readonly do: 'count lines'; readonly count: number; readonly lines: readonly ModelNewLine[] }
  | { readonly do: 'undo line'; readonly count: number; readonly line: number }
  | {
      readonly do: 'close count';
      readonly count: number;
      readonly missing: 'keep' | 'zero';
      readonly keepGoing: boolean;
      readonly allowShortage: boolean;
    }
  | { readonly do: 'cancel count'; readonly count: number };

function openCount({ counts }: Model, id: number): ModelCount {
  const count = counts.get(id) ?? refuse('count_not_found');
  return count.state === 'open' ? count : refuse('count_not_open');
}

/** Whether an open count has a pet. */
function isBeingCounted({ counts }: Model, pet: number): boolean {
  return [...counts.values()].some(({ state, pets }) => state === 'open' && pets.has(pet));
}

const uncounted = (): ModelCountPet => ({ counted: undefined, expected: undefined, lines: 0, refused: undefined });

/** What the lines of a pet come to, from the last line that replaces the others. */
function addUp(model: Model, id: number, pet: number): void {
  const lines = model.countLines.filter((line) => line.count === id && line.pet === pet && !line.undone);
  const first = Math.max(
    0,
    lines.findLastIndex(({ adds }) => !adds),
  );
  const counted = lines.length === 0 ? undefined : lines.slice(first).reduce((sum, { number }) => sum + number, 0);
  model.counts.get(id)?.pets.set(pet, { counted, expected: lines.at(-1)?.onHand, lines: lines.length, refused: undefined });
}

/** The lines that the count does not have under their keys, nor an earlier line of the request. A key is of one line for ever. */
function newLines(model: Model, id: number, lines: readonly ModelNewLine[]): readonly ModelNewLine[] {
  const known: Pick<ModelNewLine, 'pet' | 'number' | 'adds' | 'lineKey'>[] = model.countLines
    .filter((line) => line.count === id)
    .map(({ key: lineKey, ...line }) => ({ ...line, lineKey }));
  return lines.filter((line) => {
    const before = line.lineKey === undefined ? undefined : known.find(({ lineKey }) => lineKey === line.lineKey);
    known.push(line);
    if (before === undefined) return true;
    if (before.pet !== line.pet || before.number !== line.number || before.adds !== line.adds) refuse('idempotency_key_reused');
    return false;
  });
}

function addLines(model: Model, id: number, lines: readonly ModelNewLine[]): void {
  const { pets } = model.counts.get(id) ?? refuse('count_not_found');
  const added = newLines(model, id, lines);
  // Lines that the count has already are answered, also after it has ended.
  if (added.length > 0) openCount(model, id);
  const newest = model.ledger.length;
  const outside = new Set<number>();
  for (const { pet, number, adds, also, lineKey: key } of added) {
    const found = model.pets.get(pet);
    if (found?.live !== true) return refuse('unknown_pet');
    if (!pets.has(pet) && !also) refuse('not_in_count');
    if (!pets.has(pet)) outside.add(pet);
    model.countLines.push({ count: id, pet, number, adds, onHand: found.quantity, entry: newest, key, undone: false });
  }
  for (const pet of outside) {
    if (isBeingCounted(model, pet)) refuse('already_counting');
    pets.set(pet, uncounted());
  }
  for (const { pet } of added) addUp(model, id, pet);
}

/** Why a pet cannot have this quantity after a close. */
function problemOf(model: Model, id: number, before: number, after: number, allowShortage: boolean): ErrorCode | undefined {
  if (after < 0) return 'out_of_stock';
  return after < before && after < reservedOf(model, id) && !allowShortage ? 'stock_reserved' : undefined;
}

interface Figures {
  readonly changed: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/** Notes in the rows of a count what its close does to each pet; returns how many pets change and do not. */
function judge(model: Model, { pets }: ModelCount, missing: 'keep' | 'zero', allowShortage: boolean): Figures {
  let [changed, unchanged, rejected] = [0, 0, 0];
  for (const [id, row] of pets) {
    const pet = model.pets.get(id);
    const isThere = pet?.live === true;
    if (row.counted !== undefined && !isThere) row.refused = 'unknown_pet';
    if (!isThere || (row.counted === undefined && missing === 'keep')) continue;
    if (row.counted === undefined) Object.assign(row, { counted: 0, expected: pet.quantity });
    const after = pet.quantity + (row.counted ?? 0) - (row.expected ?? 0);
    row.refused = problemOf(model, id, pet.quantity, after, allowShortage);
    if (row.refused !== undefined) rejected += 1;
    else if (after === pet.quantity) unchanged += 1;
    else changed += 1;
  }
  return { changed, unchanged, rejected };
}

/** The rules of counts. */
export const countRules: Rules<CountCommand> = {
  'start count': (model, { category }) => {
    if (category !== undefined && model.categories.get(category)?.live !== true) refuse('unknown_category');
    const found = [...model.pets].filter(([, pet]) => pet.live && (category === undefined || pet.category === category)).map(([id]) => id);
    if (found.length === 0) refuse('nothing_to_count');
    if (found.some((pet) => isBeingCounted(model, pet))) refuse('already_counting');
    const id = model.counts.size + 1;
    model.counts.set(id, { state: 'open', pets: new Map(found.map((pet) => [pet, uncounted()])), batch: undefined });
    appendRow(model, { kind: 'count.started', count: id });
    return created(id);
  },
  'count lines': (model, { count, lines }) => {
    addLines(model, count, lines);
    return done;
  },
  'undo line': (model, { count, line }) => {
    openCount(model, count);
    const found = model.countLines[line - 1];
    if (found?.count !== count) return refuse('line_not_found');
    found.undone = true;
    addUp(model, count, found.pet);
    return done;
  },
  'close count': (model, { count: id, missing, keepGoing, allowShortage }) => {
    const count = openCount(model, id);
    const { changed, unchanged, rejected } = judge(model, count, missing, allowShortage);
    if (rejected > 0 && !keepGoing) refuse('count_refused');
    const state = rejected === 0 ? 'applied' : changed + unchanged > 0 ? 'partial' : 'refused';
    const figures = { total: changed + unchanged + rejected, applied: changed, unchanged, refused: Array.from({ length: rejected }, (_, index) => index) };
    // The tables keep the batch of a count as one of kind "stock".
    model.batches.push({ kind: 'stock', state, key: `count ${id}`, file: undefined, text: '', ...figures });
    const batch = model.batches.length;
    for (const [pet, { counted, expected, refused }] of [...count.pets].toSorted(([one], [other]) => one - other))
      if (counted !== undefined && expected !== undefined && counted !== expected && refused === undefined)
        move(model, pet, counted - expected, { kind: 'count', batch });
    Object.assign(count, { state: 'closed', batch });
    appendRow(model, { kind: 'count.closed', count: id });
    return done;
  },
  'cancel count': (model, { count: id }) => {
    openCount(model, id).state = 'cancelled';
    appendRow(model, { kind: 'count.cancelled', count: id });
    return done;
  },
};
