import { createCategory } from '../../src/domain/categories/create-category.js';
import { listUndoable } from '../../src/domain/ledger/list-undoable.js';
import { undoLast } from '../../src/domain/ledger/undo-last.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import type { Shop } from '../../src/domain/shop.js';
import type { TestShop } from './test-shop.js';

/** Creates a pet of ten units in a category of its own, by another actor than the one whose changes are undone; the clock goes on by one second. */
export async function tenUnits({ shopOf, clock, ledger }: TestShop): Promise<number> {
  const { call } = shopOf('owner');
  const { id: categoryId } = await call(createCategory, { body: { name: `Dogs ${(await ledger()).length}` } });
  const { id } = await call(createPet, { quantity: 10, body: { name: 'Rex', categoryId } });
  clock.pass(1000);
  return id;
}

/** Makes a change, one second after the one before. */
export async function later<T>({ clock }: Pick<TestShop, 'clock'>, change: () => Promise<T>): Promise<T> {
  const answer = await change();
  clock.pass(1000);
  return answer;
}

/** Undoes the last change, or the one of an entry. */
export function undo({ call }: Pick<Shop, 'call'>, entryId?: number, allowShortage = false) {
  return call(undoLast, { allowShortage, body: { entryId } });
}

/** The changes that an actor can undo, newest first, each as the kinds of its entries. */
export async function undoable({ call }: Pick<Shop, 'call'>): Promise<readonly string[]> {
  const changes = await call(listUndoable, {});
  return changes.map(({ batchId, entries }) => (batchId === undefined ? entries.map(({ kind }) => kind).join(' ') : `import ${batchId}`));
}
