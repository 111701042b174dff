import * as v from 'valibot';
import { createCategory } from '../domain/categories/create-category.js';
import { newCategory } from '../domain/categories/category.js';
import { checkInput } from '../domain/check-input.js';
import { adjustInventory } from '../domain/inventory/adjust-inventory.js';
import { setInventory } from '../domain/inventory/set-inventory.js';
import { setLowAt } from '../domain/inventory/set-low-at.js';
import { quantityNumber } from '../domain/values/numbers.js';
import { formatDateTime } from '../domain/values/time.js';
import type { WriteOperation } from '../domain/operation.js';
import type { WriteTransaction } from '../domain/transaction.js';
import { cancelOrder } from '../domain/orders/cancel-order.js';
import { newOrder } from '../domain/orders/order.js';
import { placeOrder } from '../domain/orders/place-order.js';
import { returnUnits } from '../domain/orders/return-units.js';
import { createPet } from '../domain/pets/create-pet.js';
import { newPet } from '../domain/pets/pet.js';
import type { Engine } from './engine.js';
import { writeTransaction } from './transactions.js';
import type { Caller } from '../domain/caller.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Pet ids with numbers of units. */
const unitsOfPets = v.optional(v.array(v.tuple([v.number(), quantityNumber])), []);

/** The changes of one day. */
const sampleDay = v.strictObject({
  daysAgo: v.number(),
  received: unitsOfPets,
  sold: unitsOfPets,
  returned: unitsOfPets,
  writtenOff: unitsOfPets,
  counted: unitsOfPets,
});

/** The content of the sample file. Its records get the ids 1, 2, 3 … in file order; the days are the oldest first. */
const sampleShop = v.strictObject({
  categories: v.array(newCategory),
  pets: v.array(v.strictObject({ ...newPet.entries, quantity: v.optional(quantityNumber), lowAt: v.optional(quantityNumber) })),
  orders: v.array(v.strictObject({ ...newOrder.entries, shipInDays: v.optional(v.number()), cancelled: v.optional(v.boolean()) })),
  days: v.array(sampleDay),
});

/** The age of the records of the sample, before its first day. */
const daysBefore = 30;

const sampleActor = 'sample';

/** A call in the transaction that is given later. */
function calling<Raw, Input, Output>(operation: WriteOperation<Raw, Input, Output>, input: Raw) {
  return (tx: WriteTransaction): Promise<Output> => operation.run(tx, checkInput(operation, input));
}

/** The changes of a day, in their order. */
function changesOf({ received, sold, returned, writtenOff, counted }: Omit<v.InferOutput<typeof sampleDay>, 'daysAgo'>) {
  return [
    ...received.map(([petId, delta]) => calling(adjustInventory, { petId, body: { delta } })),
    ...sold.map(([petId, quantity]) => calling(placeOrder, { body: { petId, quantity, complete: true } })),
    ...returned.map(([petId, quantity]) => calling(returnUnits, { body: { petId, quantity } })),
    ...writtenOff.map(([petId, units]) => calling(adjustInventory, { petId, body: { delta: -units } })),
    ...counted.map(([petId, quantity]) => calling(setInventory, { petId, body: { quantity } })),
  ];
}

/** The time of a change, a few minutes for each later one before the end of its day's changes, but on the same day. */
function timeOf(end: number, changesLeft: number): number {
  return Math.max(end - (changesLeft - 1) * 7 * minuteMs, Math.floor(end / dayMs) * dayMs);
}

/** Fills an empty shop with the sample in one transaction; returns false and changes nothing when the shop is not empty. */
export async function fillSample(engine: Engine, caller: Caller, content: unknown): Promise<boolean> {
  const { categories, pets, orders, days } = v.parse(sampleShop, content);
  const now = caller.clock();
  return engine.write(async (queries) => {
    // Another actor than the user, so that an undo does not offer to remove the sample.
    const transactionAt = (time: number): WriteTransaction => writeTransaction(queries, { ...caller, actor: sampleActor, clock: () => time }, {});
    const tx = transactionAt(now - daysBefore * dayMs);
    if ((await tx.categories.count({})) + (await tx.pets.count({})) > 0) return false;
    for (const body of categories) await calling(createCategory, { body })(tx);
    for (const { quantity, lowAt, ...body } of pets) {
      const { id } = await calling(createPet, { quantity, body })(tx);
      if (lowAt !== undefined) await calling(setLowAt, { petId: id, body: { lowAt } })(tx);
    }
    for (const { cancelled, shipInDays, ...body } of orders) {
      const shipDate = shipInDays && formatDateTime(Math.floor(now / dayMs + shipInDays) * dayMs);
      const { id } = await calling(placeOrder, { body: shipDate ? { ...body, shipDate } : body })(tx);
      if (cancelled === true) await calling(cancelOrder, { orderId: id })(tx);
    }
    for (const { daysAgo, ...day } of days) {
      const changes = changesOf(day);
      for (const [index, change] of changes.entries()) await change(transactionAt(timeOf(now - daysAgo * dayMs, changes.length - index)));
    }
    return true;
  });
}
