import { addCode } from '../../../src/domain/codes/add-code.js';
import { removeCode } from '../../../src/domain/codes/remove-code.js';
import { addCountLines } from '../../../src/domain/counts/add-count-lines.js';
import { cancelCount } from '../../../src/domain/counts/cancel-count.js';
import { closeCount } from '../../../src/domain/counts/close-count.js';
import { startCount } from '../../../src/domain/counts/start-count.js';
import { undoCountLine } from '../../../src/domain/counts/undo-count-line.js';
import { createCategory } from '../../../src/domain/categories/create-category.js';
import { deleteCategory } from '../../../src/domain/categories/delete-category.js';
import { replaceCategory } from '../../../src/domain/categories/replace-category.js';
import { updateCategory } from '../../../src/domain/categories/update-category.js';
import { StoreError } from '../../../src/domain/errors.js';
import { adjustInventory } from '../../../src/domain/inventory/adjust-inventory.js';
import { listInventory } from '../../../src/domain/inventory/list-inventory.js';
import { setInventory } from '../../../src/domain/inventory/set-inventory.js';
import { setLowAt } from '../../../src/domain/inventory/set-low-at.js';
import { setLowDefault } from '../../../src/domain/inventory/set-low-default.js';
import type { Operation } from '../../../src/domain/operation.js';
import { cancelOrder } from '../../../src/domain/orders/cancel-order.js';
import { placeOrder } from '../../../src/domain/orders/place-order.js';
import { updateOrder } from '../../../src/domain/orders/update-order.js';
import { createPet } from '../../../src/domain/pets/create-pet.js';
import { deletePet } from '../../../src/domain/pets/delete-pet.js';
import { holdPet } from '../../../src/domain/pets/hold-pet.js';
import { releasePet } from '../../../src/domain/pets/release-pet.js';
import { replacePet } from '../../../src/domain/pets/replace-pet.js';
import { updatePet } from '../../../src/domain/pets/update-pet.js';
import type { CallOptions } from '../../../src/domain/call.js';
import type { Shop } from '../../../src/domain/shop.js';
import { undoEntry } from '../../../src/domain/ledger/undo-entry.js';
import { file } from '../files.js';
import type { ModelNewLine } from '../reference-model/counts.js';
import { textOf, type PetFile, type StockFile } from '../reference-model/imports.js';
import type { CommandRequest, SeveralVerb } from '../reference-model/apply-command.js';
import { created, done } from '../reference-model/shop.js';
import { withCheckedRecords } from '../checked-records.js';
import { countsOf, lookUpCommand, makes, type AdapterKind, type CommandTable } from './adapter.js';

/** The lines of a command as a request has them. */
export function linesOf(lines: readonly ModelNewLine[]) {
  return lines.map(({ pet, number, adds, also, lineKey }) => ({ petId: pet, number, adds, also, ...(lineKey !== undefined && { key: lineKey }) }));
}

interface SeveralOperation {
  readonly id: string;
  readonly inputs: (ids: readonly number[]) => readonly unknown[];
  readonly ask: (shop: Shop, ids: readonly number[], said: CallOptions) => Promise<unknown>;
}

function each<One, Input, Output>(operation: Operation<One, Input, Output>, input: (id: number) => One): SeveralOperation {
  return {
    id: operation.id,
    inputs: (ids) => ids.map(input),
    ask: ({ callEach }, ids, said) => callEach(operation, ids.map(input), said),
  };
}

/** The operation for each verb that the model applies to several records. */
export const severalOperations: Readonly<Record<SeveralVerb, SeveralOperation>> = {
  hold: each(holdPet, (petId) => ({ petId })),
  release: each(releasePet, (petId) => ({ petId })),
  'delete pet': each(deletePet, (petId) => ({ petId })),
  complete: each(updateOrder, (orderId) => ({ orderId, body: { complete: true } })),
  reopen: each(updateOrder, (orderId) => ({ orderId, body: { complete: false } })),
  cancel: each(cancelOrder, (orderId) => ({ orderId })),
};

function importOptions({ keepGoing, maxErrors, fileKey }: StockFile | PetFile, { dryRun }: CallOptions) {
  return { mode: keepGoing ? 'keep-going' : 'atomic', maxErrors, key: fileKey, dryRun: dryRun === true } as const;
}

const asks: CommandTable<Promise<unknown>, [shop: Shop, said: CallOptions]> = {
  'create category': ({ name, description }, { call }, said) => call(createCategory, { body: { name, description } }, said),
  'edit category': ({ category, name, description }, { call }, said) => call(updateCategory, { categoryId: category, body: { name, description } }, said),
  'replace category': ({ category, name, description }, { call }, said) => call(replaceCategory, { categoryId: category, body: { name, description } }, said),
  'delete category': ({ category, moveTo }, { call }, said) => call(deleteCategory, { categoryId: category, moveTo }, said),
  'create pet': ({ name, category, quantity, status }, { call }, said) => call(createPet, { quantity, body: { name, categoryId: category, status } }, said),
  'edit pet': ({ pet, name, category, status }, { call }, said) => call(updatePet, { petId: pet, body: { name, categoryId: category, status } }, said),
  'replace pet': ({ pet, name, category, status }, { call }, said) => call(replacePet, { petId: pet, body: { name, categoryId: category, status } }, said),
  'delete pet': ({ pet }, { call }, said) => call(deletePet, { petId: pet }, said),
  hold: ({ pet }, { call }, said) => call(holdPet, { petId: pet }, said),
  release: ({ pet }, { call }, said) => call(releasePet, { petId: pet }, said),
  'add code': ({ pet, code, units }, { call }, said) => call(addCode, { petId: pet, body: { code, units } }, said),
  'remove code': ({ code }, { call }, said) => call(removeCode, { code }, said),
  set: ({ pet, units, expect, allowShortage }, { call }, said) =>
    call(setInventory, { petId: pet, expected: expect, allowShortage, body: { quantity: units } }, said),
  adjust: ({ pet, units, allowShortage }, { call }, said) => call(adjustInventory, { petId: pet, allowShortage, body: { delta: units } }, said),
  'low at': ({ pet, level }, { call }, said) => call(setLowAt, { petId: pet, body: { lowAt: level } }, said),
  'low default': ({ level }, { call }, said) => call(setLowDefault, { body: { lowAt: level } }, said),
  'undo entry': ({ entry, allowShortage }, { call }, said) => call(undoEntry, { entryId: entry, allowShortage }, said),
  place: ({ pet, quantity, ship, complete }, { call }, said) => call(placeOrder, { body: { petId: pet, quantity, shipDate: ship, complete } }, said),
  'edit order': ({ order, pet, quantity, ship, complete }, { call }, said) =>
    call(updateOrder, { orderId: order, body: { petId: pet, quantity, shipDate: ship, complete } }, said),
  cancel: ({ order }, { call }, said) => call(cancelOrder, { orderId: order }, said),
  several: ({ verb, ids }, shop, said) => severalOperations[verb].ask(shop, ids, said),
  'import stock': async (given, shop, said) =>
    countsOf(await shop.importStock(file(textOf(given)), { ...importOptions(given, said), onStale: given.onStale, allowShortage: given.allowShortage })),
  'import pets': async (given, shop, said) => countsOf(await shop.importPets(file(textOf(given)), importOptions(given, said))),
  'start count': ({ category }, { call }, said) => call(startCount, { body: category === undefined ? {} : { categoryIds: [category] } }, said),
  'count lines': ({ count, lines }, { call }, said) => call(addCountLines, { countId: count, body: { lines: linesOf(lines) } }, said),
  'undo line': ({ count, line }, { call }, said) => call(undoCountLine, { countId: count, lineId: line }, said),
  'close count': ({ count, missing, keepGoing, allowShortage }, { call }, said) =>
    call(closeCount, { countId: count, body: { missing, allowShortage, mode: keepGoing ? 'keep-going' : 'atomic' } }, said),
  'cancel count': ({ count }, { call }, said) => call(cancelCount, { countId: count }, said),
  'undo batch': ({ batch, allowShortage }, { undoBatch }, said) => undoBatch(batch, { ...said, allowShortage }),
};

async function ask(shop: Shop, { command, ...said }: CommandRequest): Promise<string> {
  try {
    const answer = await lookUpCommand(asks, command, shop, said);
    if (typeof answer === 'string') return answer;
    return makes(command) ? created((answer as { readonly id: number }).id) : done;
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

/** The shop itself, or our own client of a server. */
export const operationsAdapter: AdapterKind = {
  name: 'the operations',
  unsupported: [],
  cannotSend: () => false,
  connect: ({ shop }) => ({
    send: (asked) => ask(withCheckedRecords(shop), asked),
    observe: async () => {
      const all = await shop.call(listInventory, { limit: 500 });
      const low = await shop.call(listInventory, { limit: 500, low: true });
      return { pets: all.items.map(({ petId, quantity, status }) => [petId, quantity, status]), low: low.items.map(({ petId }) => petId) };
    },
  }),
};
