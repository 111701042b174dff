import * as v from 'valibot';
import { createCategory } from '../domain/categories/create-category.js';
import { newCategory } from '../domain/categories/category.js';
import { checkInput } from '../domain/check-input.js';
import { setLowAt } from '../domain/inventory/set-low-at.js';
import { quantityNumber } from '../domain/values/numbers.js';
import type { WriteOperation } from '../domain/operation.js';
import { cancelOrder } from '../domain/orders/cancel-order.js';
import { newOrder } from '../domain/orders/order.js';
import { placeOrder } from '../domain/orders/place-order.js';
import { createPet } from '../domain/pets/create-pet.js';
import { newPet } from '../domain/pets/pet.js';
import type { Engine } from './engine.js';
import { writeTransaction } from './transactions.js';
import type { Caller } from '../domain/caller.js';

/** The content of the sample file. Its records get the ids 1, 2, 3 … in file order. */
const sampleShop = v.strictObject({
  categories: v.array(newCategory),
  pets: v.array(v.strictObject({ ...newPet.entries, quantity: v.optional(quantityNumber), lowAt: v.optional(quantityNumber) })),
  orders: v.array(v.strictObject({ ...newOrder.entries, cancelled: v.optional(v.boolean()) })),
});

const sampleActor = 'sample';

/** Fills an empty shop with the sample in one transaction; returns false and changes nothing when the shop is not empty. */
export async function fillSample(engine: Engine, caller: Caller, content: unknown): Promise<boolean> {
  const { categories, pets, orders } = v.parse(sampleShop, content);
  return engine.write(async (queries) => {
    // Another actor than the user, so that an undo does not offer to remove the sample.
    const tx = await writeTransaction(queries, { ...caller, actor: sampleActor }, {});
    if ((await tx.categories.count({})) + (await tx.pets.count({})) > 0) return false;
    const call = <Raw, Input, Output>(operation: WriteOperation<Raw, Input, Output>, input: Raw): Promise<Output> =>
      operation.run(tx, checkInput(operation, input));
    for (const body of categories) await call(createCategory, { body });
    for (const { quantity, lowAt, ...body } of pets) {
      const { id } = await call(createPet, { quantity, body });
      if (lowAt !== undefined) await call(setLowAt, { petId: id, body: { lowAt } });
    }
    for (const { cancelled, ...body } of orders) {
      const { id } = await call(placeOrder, { body });
      if (cancelled === true) await call(cancelOrder, { orderId: id });
    }
    return true;
  });
}
