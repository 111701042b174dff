import { updateOrder } from '../../src/domain/orders/update-order.js';
import type { TestShop } from './test-shop.js';

/** Creates pets 1 to 3 with 10 on hand each. */
export async function createThreePets({ pet }: TestShop): Promise<void> {
  for (let index = 0; index < 3; index += 1) await pet({ quantity: 10 });
}

/** The quantity of every pet by id, read from the table. */
export async function onHand({ rows }: TestShop): Promise<readonly number[]> {
  return (await rows<{ readonly quantity: number }>({ text: 'SELECT quantity FROM stock ORDER BY pet_id', values: [] })).map(({ quantity }) => quantity);
}

/** Sells units of a pet: places and completes an order. */
export async function sell({ order, call }: TestShop, petId: number, quantity: number): Promise<void> {
  await call(updateOrder, { orderId: await order(petId, quantity), body: { complete: true } });
}
