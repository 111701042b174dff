import * as v from 'valibot';
import { checkCategory } from './categories.js';
import { StoreError } from './errors.js';
import { checkVersion } from './ledger.js';
import { checkBodyId, idNumber, maximumQuantity, notFound } from './numbers.js';
import { lists, reads, writes, type Lines, type Versioned } from './operation.js';
import { fewOf, page, pageParameters, type Position, type Slice } from './page.js';
import { setHold, writeStatus } from './status.js';
import { petStatus, stockOf, type PetStatus } from './stock.js';
import { counted, fold, listed, nameText, searchText } from './text.js';
import type { Reading, Writing } from './transaction.js';

const fields = { name: nameText, categoryId: idNumber };

/** The specification's NewPet. */
export const newPet = v.strictObject({ ...fields, status: v.optional(petStatus) });
/** The specification's Pet; `status` is always there, because it is computed. */
export const pet = v.object({ id: idNumber, ...fields, status: petStatus });
/** The specification's Pet. */
export type Pet = v.InferOutput<typeof pet>;

/** A pet as people read it in a list: the contract's record, its category's name and its figures. */
export interface PetRow extends Pet, Versioned {
  readonly category: string;
  readonly hold: boolean;
  readonly quantity: number;
  readonly promised: number;
  readonly lowAt?: number;
}

/** The filters that lists of pets and of inventory share. */
export const petFilter = {
  status: v.optional(fewOf(petStatus)),
  categoryId: v.optional(fewOf(idNumber)),
};

/** Which pets are asked for. */
export interface PetFilter {
  readonly status?: readonly PetStatus[] | undefined;
  readonly categoryId?: readonly number[] | undefined;
  readonly id?: readonly number[] | undefined;
  readonly q?: string | undefined;
  readonly low?: boolean | undefined;
  readonly short?: boolean | undefined;
}

/** What pets are sorted by. */
export type PetSort = 'id' | 'name';

/** The live pets, for reading. */
export interface PetReader {
  get(id: number): Promise<PetRow | undefined>;
  list(filter: PetFilter, slice: Slice<PetSort>): Promise<readonly PetRow[]>;
  count(filter: PetFilter, bound?: number): Promise<number>;
  /** The pets that stood at an instant, with the figures of then; name and category are the present ones. */
  listAt(instant: string, filter: Pick<PetFilter, 'categoryId'>, slice: Slice<'id'>): Promise<readonly PetRow[]>;
  countAt(instant: string, filter: Pick<PetFilter, 'categoryId'>): Promise<number>;
  /** The live pets as lines of TSV in the order of ids; undefined where a column is none of a pet's, or there are too many. */
  lines(filter: PetFilter, columns: readonly string[], slice: Pick<Slice<'id'>, 'descending' | 'limit'>): AsyncIterable<Lines> | undefined;
}

/** The pets. */
export interface PetWriter extends PetReader {
  insert(fields: { readonly name: string; readonly categoryId: number; readonly hold: boolean }): Promise<number>;
  update(id: number, fields: { readonly name: string; readonly categoryId: number }): Promise<void>;
  setHold(id: number, hold: boolean): Promise<void>;
  archive(id: number): Promise<void>;
  /** Moves every live pet of a category to another and answers their ids. */
  moveCategory(from: number, to: number): Promise<readonly number[]>;
}

/** A row's place in a list of pets. */
export function petPosition({ id, name }: Pet, sort: PetSort): Position {
  return { key: sort === 'name' ? fold(name) : id, id };
}

/** The pet, or the refusal `pet_not_found`. */
export async function petOf(tx: Reading, id: number): Promise<PetRow> {
  const found = await tx.pets.get(id);
  if (found === undefined) throw notFound('pet', id);
  return found;
}

/** Lists pets. */
export const listPets = lists({
  id: 'listPets',
  summary: 'List pets',
  tag: 'Pets',
  path: '/pets',
  input: v.strictObject({
    ...pageParameters(['id', 'name']),
    ...petFilter,
    id: v.optional(fewOf(idNumber)),
    q: v.optional(searchText),
  }),
  output: pet,
  run: (tx, { limit, cursor, sort, count, ...filter }) =>
    page('pets', { limit, cursor, sort, count }, filter, {
      keys: { id: 'id', name: 'text' },
      list: (slice: Slice<PetSort>) => tx.pets.list(filter, slice),
      position: petPosition,
      total: () => tx.pets.count(filter),
    }),
  lines: (tx, { sort, ...filter }, columns, limit) =>
    sort === 'id' || sort === '-id' ? tx.pets.lines(filter, columns, { descending: sort === '-id', limit }) : undefined,
});

/** Reads one pet; `getPetDetails` answers more at once and is its successor. */
export const getPet = reads({
  id: 'getPet',
  summary: 'Read a pet',
  tag: 'Pets',
  path: '/pets/{petId}',
  deprecated: { since: Date.UTC(2026, 11, 1), sunset: Date.UTC(2027, 11, 31, 23, 59, 59), successor: '/pets/{petId}/details' },
  input: v.strictObject({ petId: idNumber }),
  output: pet,
  run: (tx, { petId }) => petOf(tx, petId),
});

/** The units a new pet opens with: what was asked for, none when sold, otherwise the one animal. */
export function openingQuantity(status: PetStatus | undefined, quantity: number | undefined): number {
  if (quantity !== undefined && (quantity < 0 || quantity > maximumQuantity)) {
    throw new StoreError('validation_failed', `quantity: must be between 0 and ${maximumQuantity}, not ${quantity}.`);
  }
  if (status === 'sold' && (quantity ?? 0) > 0) {
    throw new StoreError('validation_failed', `quantity: a pet created as sold has none on hand, not ${quantity}.`);
  }
  if (status === 'available' && quantity === 0) {
    throw new StoreError('validation_failed', 'quantity: a pet created as available needs at least one on hand, not 0.');
  }
  return quantity ?? (status === 'sold' ? 0 : 1);
}

/** Creates a pet together with its inventory entry; `quantity` is the number on hand to open with. */
export const createPet = writes({
  id: 'createPet',
  summary: 'Create a pet',
  tag: 'Pets',
  method: 'POST',
  path: '/pets',
  status: 201,
  input: v.strictObject({ quantity: v.optional(v.pipe(v.number('must be an integer'), v.integer('must be an integer'))), body: newPet }),
  output: pet,
  run: async (tx, { quantity, body: { name, categoryId, status } }) => {
    const opening = openingQuantity(status, quantity);
    await checkCategory(tx, categoryId);
    const hold = status === 'pending';
    const petId = await tx.pets.insert({ name, categoryId, hold });
    await tx.stock.insert(petId, opening);
    await tx.ledger.append({ kind: 'opening', petId, delta: opening, quantityAfter: opening });
    if (hold) await tx.ledger.append({ kind: 'pet.held', petId });
    return petOf(tx, petId);
  },
});

interface PetChange {
  readonly name?: string | undefined;
  readonly categoryId?: number | undefined;
  readonly status?: PetStatus | undefined;
}

async function change(tx: Writing, petId: number, wanted: PetChange): Promise<PetRow> {
  const before = await petOf(tx, petId);
  await checkVersion(tx, `Pet ${petId}`, { petId });
  const { name = before.name, categoryId = before.categoryId, status } = wanted;
  if (categoryId !== before.categoryId) await checkCategory(tx, categoryId);
  if (name !== before.name || categoryId !== before.categoryId) {
    await tx.pets.update(petId, { name, categoryId });
    await tx.ledger.append({ kind: 'pet.updated', petId });
  }
  await writeStatus(tx, await stockOf(tx, petId), status);
  return petOf(tx, petId);
}

/** Replaces a pet; an omitted status leaves the status as it is. */
export const replacePet = writes({
  id: 'replacePet',
  summary: 'Replace a pet',
  tag: 'Pets',
  method: 'PUT',
  path: '/pets/{petId}',
  status: 200,
  input: v.strictObject({ petId: idNumber, body: v.strictObject({ id: v.optional(idNumber), ...newPet.entries }) }),
  output: pet,
  run: (tx, { petId, body: { id, ...wanted } }) => {
    checkBodyId(id, petId);
    return change(tx, petId, wanted);
  },
});

/** Changes some fields of a pet. */
export const updatePet = writes({
  id: 'updatePet',
  summary: 'Change some fields of a pet',
  tag: 'Pets',
  method: 'PATCH',
  path: '/pets/{petId}',
  status: 200,
  input: v.strictObject({
    petId: idNumber,
    body: v.strictObject({ id: v.optional(idNumber), name: v.optional(nameText), categoryId: v.optional(idNumber), status: v.optional(petStatus) }),
  }),
  output: pet,
  run: (tx, { petId, body: { id, ...wanted } }) => {
    checkBodyId(id, petId);
    return change(tx, petId, wanted);
  },
});

/** Takes a pet off sale, whatever its stock. */
export const holdPet = writes({
  id: 'holdPet',
  summary: 'Take a pet off sale',
  tag: 'Pets',
  stability: 'beta',
  method: 'PUT',
  path: '/pets/{petId}/hold',
  status: 200,
  input: v.strictObject({ petId: idNumber }),
  output: pet,
  run: async (tx, { petId }) => {
    const stock = await stockOf(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    await setHold(tx, stock, true);
    return petOf(tx, petId);
  },
});

/** Puts a held pet back on sale. */
export const releasePet = writes({
  id: 'releasePet',
  summary: 'Put a held pet back on sale',
  tag: 'Pets',
  stability: 'beta',
  method: 'DELETE',
  path: '/pets/{petId}/hold',
  status: 200,
  input: v.strictObject({ petId: idNumber }),
  output: pet,
  run: async (tx, { petId }) => {
    const stock = await stockOf(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    await setHold(tx, stock, false);
    return petOf(tx, petId);
  },
});

/** Archives a pet and writes off its last animal; answers the pet as it last was. */
export const deletePet = writes({
  id: 'deletePet',
  summary: 'Delete a pet',
  tag: 'Pets',
  method: 'DELETE',
  path: '/pets/{petId}',
  status: 204,
  input: v.strictObject({ petId: idNumber }),
  output: pet,
  run: async (tx, { petId }) => {
    const before = await petOf(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    const orders = await tx.stock.openOrders(petId);
    if (orders.length > 0) {
      throw new StoreError(
        'pet_has_open_orders',
        `Pet ${petId} (${before.name}) has ${counted(orders.length, 'open order')}: ${listed(orders)}.`,
        `petstore order cancel ${orders.slice(0, 10).join(' ')}`,
      );
    }
    if (before.quantity > 1) {
      throw new StoreError('pet_in_stock', `Pet ${petId} (${before.name}) still has ${before.quantity} on hand.`, `petstore inventory set ${petId} 0`);
    }
    if (before.quantity === 1) {
      await tx.ledger.append({ kind: 'adjust', petId, delta: -1, quantityAfter: 0 });
    }
    await tx.stock.remove(petId);
    await tx.pets.archive(petId);
    await tx.ledger.append({ kind: 'pet.archived', petId });
    return before;
  },
});
