import { checkConditions } from '../conditions.js';
import { invalidField, StoreError } from '../errors.js';
import { writeOperation } from '../operation.js';
import type { WriteTransaction } from '../transaction.js';
import { formatDateTime } from '../values/time.js';
import { field, record, requestRecord } from '../values/schemas.js';
import { countIdParameter, maximumPets, type Count } from './count.js';
import { addedLine, exampleLine, maximumLines, maximumLinesOfPet, newLine, type AddedLine, type CountLine, type NewLine } from './count-line.js';
import { addedLineOf, afterLine, stockChangeBefore, type Tally, type TallyChange } from './count-rules.js';
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

/** A line of a request, and its index there for the details of a refusal. */
interface RequestLine extends NewLine {
  readonly lineIndex: number;
}

/** Refuses a line of an unknown or deleted pet, and one of a pet outside the count that does not ask to add it. */
function checkLine({ id: countId }: Count, { petId, also, lineIndex }: RequestLine, pet: PetToCount | undefined): PetToCount & { readonly onHand: number } {
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
function tooManyLines({ id: countId }: Count, { petId, lineIndex }: RequestLine, name: string): StoreError {
  const sentence = `lines: ${name} (pet ${petId}) has ${maximumLinesOfPet} lines in count ${countId}, the most of one pet; undo some of them.`;
  return new StoreError('validation_failed', sentence, { details: { countId, petId, lineIndex } });
}

/** The refusal of a line under the key of another line, which its sender has used or which stands before it in the request. */
function keyOfAnother(countId: number, { petId, key = '', lineIndex }: RequestLine, stored: CountLine | undefined): StoreError {
  const sentence =
    stored === undefined
      ? `Two different lines have the key "${key}".`
      : `Count ${countId} has another line under the key "${key}": ${stored.adds ? '+' : ''}${stored.number} × ${stored.name} (pet ${stored.petId}).`;
  return new StoreError('idempotency_key_reused', sentence, { details: { countId, petId, lineIndex } });
}

type Counted = Pick<NewLine, 'petId' | 'number' | 'adds'>;

const isSame = (one: Counted, other: Counted): boolean => one.petId === other.petId && one.number === other.number && one.adds === other.adds;

/**
 * The lines of a request that are to be added: without those that their sender has recorded under their keys, and the first one of those with the
 * same key. Refuses with `idempotency_key_reused` a line under the key of another pet or number, which would be lost.
 */
function linesToAdd(countId: number, lines: readonly RequestLine[], known: ReadonlyMap<string, CountLine>): readonly RequestLine[] {
  const seen = new Map<string, Counted>(known);
  return lines.filter((line) => {
    const { key } = line;
    if (key === undefined) return true;
    const earlier = seen.get(key);
    if (earlier !== undefined && !isSame(earlier, line)) throw keyOfAnother(countId, line, known.get(key));
    seen.set(key, line);
    return earlier === undefined;
  });
}

/** What lines add to a count. */
interface Additions {
  readonly drafts: readonly LineDraft[];
  /** For each draft, by how many units the stock of its pet changed since the line before. */
  readonly stockChanges: readonly (number | undefined)[];
  /** What the lines of their pets come to. */
  readonly tallies: ReadonlyMap<number, TallyChange>;
  /** The pets that were not in the count. */
  readonly newPets: ReadonlySet<number>;
}

function additionsOf({ actor, now }: WriteTransaction, count: Count, lines: readonly RequestLine[], pets: ReadonlyMap<number, PetToCount>): Additions {
  const drafts: LineDraft[] = [];
  const stockChanges: (number | undefined)[] = [];
  const tallies = new Map<number, TallyChange>();
  const newPets = new Set<number>();
  for (const line of lines) {
    const { petId, number, adds } = line;
    const { name, onHand, isInCount, tally } = checkLine(count, line, pets.get(petId));
    if (!isInCount) newPets.add(petId);
    const { before, after } = tallies.get(petId) ?? { before: tally, after: tally };
    if (after?.lines === maximumLinesOfPet) throw tooManyLines(count, line, name);
    const written = { number, adds, onHand, by: actor, at: formatDateTime(now), undone: false };
    drafts.push({ ...line, name, onHand });
    stockChanges.push(stockChangeBefore(after, written));
    tallies.set(petId, { before, after: afterLine(after, written) });
  }
  return { drafts, stockChanges, tallies, newPets };
}

/** Adds pets to a count. Refuses with `already_counting` pets of another open count. */
async function addPets(tx: WriteTransaction, { id: countId, pets }: Count, petIds: readonly number[]): Promise<void> {
  if (petIds.length === 0) return;
  if (pets + petIds.length > maximumPets) {
    throw invalidField('lines', `count ${countId} has ${pets} pets; a count has at most ${maximumPets}`);
  }
  const counting = await tx.counts.inOpenCountsAmong(petIds);
  if (counting.length > 0) throw alreadyCounting(counting);
  await tx.counts.addPets(countId, petIds);
}

/** Adds lines to an open count, all or none. */
export const addCountLines = writeOperation({
  id: 'addCountLines',
  summary: 'Add lines to a count',
  description: `Adds lines to an open count, all or none: 1 to ${maximumLines} numbers, each of a pet. A line replaces what was counted of its pet before, or with \`adds\` is added to it; all lines stay in the record with who counted, when, and what was on hand at that moment. A line whose key the same sender has used in the count already adds nothing and is answered as it was stored, marked as unchanged, also after the count has ended; under the key of another pet or number it is refused with \`idempotency_key_reused\`. A pet outside the count is refused with \`not_in_count\`, unless its line has \`also\`, which takes it into the count. A pet has at most ${maximumLinesOfPet} lines in a count. A refusal says which pet it is about.`,
  tag: 'Store',
  alsoRequires: 'pets:read',
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
  run: async (tx, { countId, body }): Promise<{ readonly lines: readonly AddedLine[] }> => {
    const count = await requireCount(tx, countId);
    const lines = body.lines.map((line, lineIndex): RequestLine => ({ ...line, lineIndex }));
    const known = await tx.counts.linesUnder(
      countId,
      lines.flatMap(({ key }) => key ?? []),
    );
    const petIds = [...lines, ...known.values()].map(({ petId }) => petId);
    const pets = await tx.counts.petsToCount(countId, [...new Set(petIds)]);
    const toAdd = linesToAdd(countId, lines, known);
    // A line that is repeated because its answer got lost is answered, even if the count has ended since.
    if (toAdd.length > 0) await requireOpenCount(tx, countId);
    else checkConditions(tx, `Count ${countId}`, undefined);
    const { drafts, stockChanges, tallies, newPets } = additionsOf(tx, count, toAdd, pets);
    await addPets(tx, count, [...newPets]);
    const added = await tx.counts.addLines(countId, drafts);
    await tx.counts.setTallies(countId, tallies);
    const answers = new Map(toAdd.map(({ lineIndex }, index) => [lineIndex, { line: added[index], stockChange: stockChanges[index] }]));
    const byKey = new Map([...known, ...added.flatMap((line) => (line.key === undefined ? [] : [[line.key, line] as const]))]);
    const tallyOfPet = (petId: number): Tally | undefined => (tallies.has(petId) ? tallies.get(petId)?.after : pets.get(petId)?.tally);
    return {
      lines: lines.flatMap(({ lineIndex, key = '' }) => {
        const { line, ...facts } = answers.get(lineIndex) ?? { line: byKey.get(key), unchanged: true as const };
        return line === undefined ? [] : [{ ...addedLineOf(line, tallyOfPet(line.petId)), ...facts }];
      }),
    };
  },
});
