import { checkConditions } from '../conditions.js';
import { StoreError } from '../errors.js';
import { writeOperation } from '../operation.js';
import type { WriteTransaction } from '../transaction.js';
import { formatDateTime } from '../values/time.js';
import { field, record, requestRecord } from '../values/schemas.js';
import { countIdParameter, maximumPets, type Count } from './count.js';
import { addedLine, exampleLine, maximumLines, maximumLinesOfPet, newLine, type AddedLine, type CountLine, type NewLine } from './count-line.js';
import { afterLine, stockChangeBefore, type Tally } from './count-rules.js';
import type { LineDraft, PetToCount } from './count-table.js';
import { requireCount, requireOpenCount } from './require-count.js';
import { alreadyCounting } from './start-count.js';
import * as v from 'valibot';

const newLines = requestRecord('NewCountLines', 'Lines to add to a count.', {
  lines: field(
    v.pipe(v.array(newLine), v.minLength(1, 'must not be empty'), v.maxLength(maximumLines, `must be at most ${maximumLines} lines`)),
    `The lines, 1 to ${maximumLines}, in the order in which they were written.`,
  ),
});

const addedLines = record('AddedLines', 'The lines that a count has now.', {
  lines: field(v.array(addedLine), 'The lines in the order of the request.'),
});

/** Refuses a line of an unknown or deleted pet, and one of a pet outside the count that does not ask to take it in. */
function checkLine({ id: countId }: Count, { petId, also }: NewLine, lineIndex: number, pet: PetToCount | undefined): PetToCount & { readonly onHand: number } {
  const details = { countId, petId, lineIndex };
  if (pet?.onHand === undefined) {
    const sentence = pet === undefined ? `There is no pet ${petId}.` : `${pet.name} (pet ${petId}) is no longer in the shop.`;
    throw new StoreError('unknown_pet', sentence, { details });
  }
  if (!pet.isInCount && !also) {
    throw new StoreError('not_in_count', `${pet.name} (pet ${petId}) is not in count ${countId}.`, { details });
  }
  return { ...pet, onHand: pet.onHand };
}

/** The refusal of one line more of a pet than a count keeps. */
function tooManyLines({ id: countId }: Count, { petId }: NewLine, lineIndex: number, name: string): StoreError {
  const sentence = `lines: ${name} (pet ${petId}) has ${maximumLinesOfPet} lines in count ${countId}, the most of one pet; undo some of them.`;
  return new StoreError('validation_failed', sentence, { details: { countId, petId, lineIndex } });
}

/** Takes pets into a count. Refuses with `already_counting` pets of another open count. */
async function takeIn(tx: WriteTransaction, { id: countId, pets }: Count, petIds: readonly number[]): Promise<void> {
  if (petIds.length === 0) return;
  if (pets + petIds.length > maximumPets) {
    throw new StoreError('validation_failed', `lines: count ${countId} has ${pets} pets; a count has at most ${maximumPets}.`);
  }
  const taken = await tx.counts.takenAmong(petIds);
  if (taken.length > 0) throw alreadyCounting(taken);
  await tx.counts.takeIn(countId, petIds);
}

type Counted = Pick<NewLine, 'petId' | 'number' | 'adds'>;

const isSame = (one: Counted, other: Counted): boolean => one.petId === other.petId && one.number === other.number && one.adds === other.adds;

/** The refusal of a line under the key of another line, which the count has or which stands before it in the request. */
function keyOfAnother(countId: number, { petId, key = '' }: NewLine, lineIndex: number, stored: CountLine | undefined): StoreError {
  const sentence =
    stored === undefined
      ? `Two different lines have the key "${key}".`
      : `Count ${countId} has another line under the key "${key}": ${stored.adds ? '+' : ''}${stored.number} × ${stored.name} (pet ${stored.petId}).`;
  return new StoreError('idempotency_key_reused', sentence, { details: { countId, petId, lineIndex } });
}

/**
 * The lines of a request that the count does not have under their keys; the first one of those with the same key. Refuses with
 * `idempotency_key_reused` a line under the key of another pet or number, which would be lost.
 */
function unknownLines(countId: number, lines: readonly NewLine[], known: ReadonlyMap<string, CountLine>): readonly number[] {
  const seen = new Map<string, Counted>(known);
  return lines.flatMap((line, index) => {
    const { key } = line;
    if (key === undefined) return [index];
    const before = seen.get(key);
    if (before !== undefined && !isSame(before, line)) throw keyOfAnother(countId, line, index, known.get(key));
    if (before !== undefined) return [];
    seen.set(key, line);
    return [index];
  });
}

/** Stores the lines with these indexes, and what the lines of their pets come to. */
async function store(tx: WriteTransaction, count: Count, lines: readonly NewLine[], indexes: readonly number[], pets: ReadonlyMap<number, PetToCount>) {
  const drafts: LineDraft[] = [];
  const stockChanges: (number | undefined)[] = [];
  const tallies = new Map<number, { readonly before: Tally | undefined; readonly after: Tally | undefined }>();
  const outside = new Set<number>();
  for (const index of indexes) {
    const line = lines[index];
    if (line === undefined) continue;
    const { petId } = line;
    const { name, onHand, isInCount, tally } = checkLine(count, line, index, pets.get(petId));
    if (!isInCount) outside.add(petId);
    drafts.push({ ...line, name, onHand });
    const { before, after } = tallies.get(petId) ?? { before: tally, after: tally };
    if (after?.lines === maximumLinesOfPet) throw tooManyLines(count, line, index, name);
    const facts = { number: line.number, adds: line.adds, onHand, by: tx.actor, at: formatDateTime(tx.now), undone: false };
    stockChanges.push(stockChangeBefore(after, facts));
    tallies.set(petId, { before, after: afterLine(after, facts) });
  }
  await takeIn(tx, count, [...outside]);
  const stored = await tx.counts.addLines(count.id, drafts);
  await tx.counts.setTallies(count.id, tallies);
  return { stored, tallies, stockChanges };
}

/** Adds lines to an open count, all or none. */
export const addCountLines = writeOperation({
  id: 'addCountLines',
  summary: 'Add lines to a count',
  description: `Adds lines to an open count, all or none: 1 to ${maximumLines} numbers, each of a pet. A line replaces what was counted of its pet before, or with \`adds\` is added to it; all lines stay in the record with who counted, when, and what was on hand at that moment. A line whose key the count has already adds nothing and is answered as it was stored, also after the count has ended; under the key of another pet or number it is refused with \`idempotency_key_reused\`. A pet outside the count is refused with \`not_in_count\`, unless its line has \`also\`, which takes it into the count. A pet has at most ${maximumLinesOfPet} lines in a count. A refusal says which pet it is about.`,
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/counts/{countId}/lines',
  status: 200,
  input: v.strictObject({ countId: countIdParameter, body: newLines }),
  output: addedLines,
  refuses: ['count_not_open', 'not_in_count', 'unknown_pet', 'already_counting', 'idempotency_key_reused'],
  example: {
    body: { lines: [{ petId: exampleLine.petId, number: exampleLine.number, key: exampleLine.key }] },
    answer: { lines: [{ ...exampleLine, countedSoFar: exampleLine.number }] },
  },
  cost: 'page',
  run: async (tx, { countId, body: { lines } }): Promise<{ readonly lines: readonly AddedLine[] }> => {
    const count = await requireCount(tx, countId);
    const known = await tx.counts.linesUnder(
      countId,
      lines.flatMap(({ key }) => (key === undefined ? [] : [key])),
    );
    const petIds = [...lines.map(({ petId }) => petId), ...[...known.values()].map(({ petId }) => petId)];
    const pets = await tx.counts.petsToCount(countId, [...new Set(petIds)]);
    const indexes = unknownLines(countId, lines, known);
    // A line that is repeated because its answer got lost is answered, even if the count has ended since.
    if (indexes.length > 0) await requireOpenCount(tx, countId);
    else checkConditions(tx, `Count ${countId}`, undefined);
    const { stored, tallies, stockChanges } = await store(tx, count, lines, indexes, pets);
    const storedAt = new Map(indexes.map((index, storedIndex) => [index, storedIndex]));
    const byKey = new Map([...known, ...stored.flatMap((line) => (line.key === undefined ? [] : [[line.key, line] as const]))]);
    return {
      lines: lines.flatMap(({ key = '' }, index) => {
        const storedIndex = storedAt.get(index) ?? -1;
        const line = stored[storedIndex] ?? byKey.get(key);
        if (line === undefined) return [];
        const tally = tallies.has(line.petId) ? tallies.get(line.petId)?.after : pets.get(line.petId)?.tally;
        const stockChange = stockChanges[storedIndex];
        return [{ ...line, ...(tally && { countedSoFar: tally.counted }), ...(stockChange !== undefined && { stockChange }) }];
      }),
    };
  },
});
