import { StoreError } from '../errors.js';
import { importMode } from '../imports/batch.js';
import { writeOperation } from '../operation.js';
import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { field, optional, record, requestRecord } from '../values/schemas.js';
import { maximumNamed, noteText, pluralize } from '../values/text.js';
import type { WriteTransaction } from '../transaction.js';
import { count, countIdParameter, exampleCount } from './count.js';
import { closeParameters, countProblem, maximumRefusedPets } from './count-change.js';
import { closeOutcomeOf, type ClosePolicy, type PetAtClose } from './count-rules.js';
import type { StockRefusal } from '../imports/stock-change.js';
import { requireCount, requireOpenCount } from './require-count.js';
import * as v from 'valibot';

const closeRequest = requestRecord('CountClose', 'How to close a count.', {
  ...closeParameters,
  mode: v.optional(field(importMode, 'Whether a pet that cannot be changed refuses the close (`atomic`), or is left as it is (`keep-going`).'), 'atomic'),
  note: optional(noteText, 'A note for the ledger.'),
});

const refusedPet = record('RefusedPet', 'A pet that closing a count left as it is.', {
  petId: field(idNumber, 'ID of the pet.'),
  ...countProblem.entries,
});

const closedCount = record('ClosedCount', 'A closed count, and what the close did.', {
  ...count.entries,
  changed: field(wholeNumber, 'Number of pets whose stock changed.'),
  unchanged: field(wholeNumber, 'Number of pets that were counted and keep their stock, because they agree.'),
  rejected: field(wholeNumber, 'Number of pets that were left as they are, because they could not be changed.'),
  deleted: field(wholeNumber, 'Number of pets that were counted and deleted meanwhile.'),
  refused: field(v.array(refusedPet), `The pets that were left as they are or deleted meanwhile, the first ${maximumRefusedPets}.`),
});

/** What a close does to the pets of a count. */
type CloseFigures = Pick<v.InferOutput<typeof closedCount>, 'changed' | 'unchanged' | 'rejected' | 'deleted' | 'refused'>;

/** Why a pet was not changed, for the record of the count. */
type PetRefusal = Pick<PetAtClose, 'petId'> & Pick<StockRefusal, 'code'>;

const petsPerRead = 5000;

/** Adds the outcome for one pet. */
function addOutcome(pet: PetAtClose, policy: ClosePolicy, figures: CloseFigures, refusals: PetRefusal[]): void {
  const { petId, stock } = pet;
  const outcome = closeOutcomeOf(pet, policy);
  if (outcome.kind === 'not counted') return;
  if (outcome.kind === 'applied') {
    if (outcome.after === stock?.quantity) figures.unchanged += 1;
    else figures.changed += 1;
    return;
  }
  const { refusal } = outcome;
  figures[outcome.kind === 'deleted' ? 'deleted' : 'rejected'] += 1;
  refusals.push({ petId, code: refusal.code });
  if (figures.refused.length < maximumRefusedPets) figures.refused.push({ petId, ...refusal });
}

/** Applies the rules to every pet of a count. */
async function outcomesOf(
  tx: WriteTransaction,
  countId: number,
  policy: ClosePolicy,
): Promise<{ readonly figures: CloseFigures; readonly refusals: readonly PetRefusal[] }> {
  const figures: CloseFigures = { changed: 0, unchanged: 0, rejected: 0, deleted: 0, refused: [] };
  const refusals: PetRefusal[] = [];
  let from: { readonly key: number; readonly id: number } | undefined;
  for (;;) {
    const pets = await tx.counts.atClose(countId, policy.missing, { sort: 'petId', descending: false, from, limit: petsPerRead });
    for (const pet of pets) addOutcome(pet, policy, figures, refusals);
    const last = pets.at(-1);
    if (last === undefined || pets.length < petsPerRead) return { figures, refusals };
    from = { key: last.petId, id: last.petId };
  }
}

function refusalOf(countId: number, { rejected, refused }: CloseFigures): StoreError {
  const reasons = refused.filter(({ code }) => code !== 'unknown_pet').slice(0, maximumNamed);
  const more = rejected > reasons.length ? ` And ${pluralize(rejected - reasons.length, 'more pet')}.` : '';
  const sentence = `Count ${countId} was not closed: ${pluralize(rejected, 'pet')} cannot be changed. ${reasons.map(({ message }) => message).join(' ')}${more}`;
  return new StoreError('count_refused', sentence, { details: { countId, petIds: reasons.map(({ petId }) => petId) } });
}

/** Changes the stock by what a count found, in one batch. Refuses with `count_refused` where a pet cannot be changed, unless `keep-going`. */
export const closeCount = writeOperation({
  id: 'closeCount',
  summary: 'Close a count and change the stock',
  description:
    'Closes an open count: the stock of each counted pet changes by `counted` − `expected`, so that what was sold, delivered or corrected since it was counted stays. One transaction and one batch of changes, which `undoBatch` undoes. A pet whose stock would be negative, less than what is reserved, or too large refuses the whole close with `count_refused`; with `mode` `keep-going` it is left as it is. Pets that were deleted meanwhile are left out. Pets that were not counted keep their stock; with `missing` `zero` they are taken as counted at this moment with 0 units.',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/counts/{countId}/close',
  status: 200,
  input: v.strictObject({ countId: countIdParameter, body: closeRequest }),
  output: closedCount,
  refuses: ['count_not_open', 'count_refused'],
  example: {
    body: { missing: 'keep' },
    answer: {
      ...exampleCount,
      state: 'closed',
      endedBy: 'ana',
      endedAt: '2026-11-20T18:00:00.000Z',
      batchId: 42,
      changed: 2,
      unchanged: 10,
      rejected: 0,
      deleted: 0,
      refused: [],
    },
  },
  cost: 'shop',
  run: async (tx, { countId, body: { mode, note, ...policy } }): Promise<v.InferOutput<typeof closedCount>> => {
    await requireOpenCount(tx, countId);
    const { figures, refusals } = await outcomesOf(tx, countId, policy);
    if (mode === 'atomic' && figures.rejected > 0) throw refusalOf(countId, figures);
    if (policy.missing === 'zero') await tx.counts.setMissingToZero(countId);
    await tx.counts.markRefused(countId, refusals);
    const { changed, unchanged, rejected } = figures;
    const batchId = await tx.batches.insertCount({ countId, mode, note, changed, unchanged, rejected });
    await tx.counts.apply(countId, batchId);
    await tx.counts.end(countId, { state: 'closed', batchId });
    await tx.ledger.append({ kind: 'count.closed', countId, ...(note !== undefined && { note }) });
    return { ...(await requireCount(tx, countId)), ...figures };
  },
});
