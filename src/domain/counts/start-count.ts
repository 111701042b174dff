import { checkCategory } from '../categories/require-category.js';
import { invalidField, StoreError } from '../errors.js';
import { writeOperation } from '../operation.js';
import { requireNamedStock } from '../orders/reserve-units.js';
import { petSearch, type PetFilter } from '../pets/pet-filter.js';
import { petStatus } from '../pets/pet-status.js';
import { idOf } from '../values/ids.js';
import { valueList } from '../values/pages.js';
import { flag, optional, requestRecord } from '../values/schemas.js';
import { joinItems, maximumNamed, noteText } from '../values/text.js';
import type { WriteTransaction } from '../transaction.js';
import { checkMayReadPets } from '../tokens/token.js';
import { count, exampleCount, maximumPets } from './count.js';
import type { PetInOpenCount } from './count-table.js';
import { requireCount } from './require-count.js';
import * as v from 'valibot';

const newCount = requestRecord('NewCount', 'A count to start, of all pets that meet every condition.', {
  categoryIds: optional(valueList(idOf('category')), 'Only pets of one of these categories.'),
  status: optional(valueList(petStatus), 'Only pets of one of these statuses.'),
  low: flag('Only pets at or below their low-stock level.'),
  q: petSearch,
  petIds: optional(valueList(idOf('pet')), 'Only the pets with these ids.'),
  blind: flag('Do not show those who count how many units are expected.'),
  note: optional(noteText, 'A note on the count, also for the ledger.'),
});

/** The refusal of pets that another open count has. */
export function alreadyCounting(counting: readonly PetInOpenCount[]): StoreError {
  const named = counting.slice(0, maximumNamed);
  const [first] = named;
  const counts = [...new Set(named.map(({ countId }) => countId))];
  const names = named.map(({ petId, name }) => `${name} (${petId})`);
  const pets = counting.length > maximumNamed ? `${names.join(', ')} and others are` : `${joinItems(names)} ${names.length === 1 ? 'is' : 'are'}`;
  const sentence = `${pets} already in open ${counts.length === 1 ? 'count' : 'counts'} ${joinItems(counts)}.`;
  return new StoreError('already_counting', sentence, {
    details: { ...(first && { countId: first.countId }), petIds: named.map(({ petId }) => petId) },
  });
}

/** Refuses with `unknown_pet` an id that no pet in the shop has. */
async function checkPetIds(tx: WriteTransaction, petIds: readonly number[]): Promise<void> {
  const ids = [...new Set(petIds)];
  if ((await tx.pets.count({ id: ids })) === ids.length) return;
  for (const petId of ids) await requireNamedStock(tx, petId);
}

/** Refuses pets that cannot be counted: none (`nothing_to_count`), too many (`validation_failed`), or some of another open count. */
async function checkPets(tx: WriteTransaction, filter: PetFilter): Promise<void> {
  const pets = await tx.pets.count(filter, maximumPets + 1);
  if (pets === 0) throw new StoreError('nothing_to_count', 'No pet meets these conditions, so there is nothing to count.');
  if (pets > maximumPets) {
    throw invalidField('body', `more than ${maximumPets} pets meet these conditions, the most of one count; count a part of them`);
  }
  const counting = await tx.counts.inOpenCounts(filter, maximumNamed + 1);
  if (counting.length > 0) throw alreadyCounting(counting);
}

/** Starts a count of the pets that meet some conditions now. Refuses with `nothing_to_count`, `already_counting`, `unknown_category` and `unknown_pet`. */
export const startCount = writeOperation({
  id: 'startCount',
  summary: 'Start a count of the stock',
  description: `Starts a count of all pets that meet the conditions at this moment, at most ${maximumPets}; without conditions, of all pets. Several counts may be open at a time, but a pet is in one of them at most. Pets that are created later are not in the count. For \`q\` a token needs \`pets:read\` too.`,
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/counts',
  status: 201,
  input: v.strictObject({ body: newCount }),
  output: count,
  refuses: ['already_counting', 'nothing_to_count', 'unknown_category', 'unknown_pet'],
  example: { body: { categoryIds: [1], note: 'back room' }, answer: { ...exampleCount, counted: 0, agreeing: 0, differing: 0 } },
  cost: 'shop',
  run: async (tx, { body: { categoryIds, petIds, blind, note, ...others } }) => {
    if (others.q !== undefined) checkMayReadPets(tx.scopes, 'q');
    for (const categoryId of new Set(categoryIds)) await checkCategory(tx, categoryId);
    if (petIds !== undefined) await checkPetIds(tx, petIds);
    const filter: PetFilter = { ...others, categoryId: categoryIds, id: petIds };
    await checkPets(tx, filter);
    const countId = await tx.counts.insert({ blind, note }, filter);
    await tx.ledger.append({ kind: 'count.started', countId, ...(note !== undefined && { note }) });
    return requireCount(tx, countId);
  },
});
