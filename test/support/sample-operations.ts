import { createCategory } from '../../src/domain/categories/create-category.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import type { Shop } from '../../src/domain/shop.js';
import { csv, file } from './files.js';

/** Runs many operations, with dry runs and refusals among them; returns their answers. */
export async function runSampleOperations({ call, callEach, importPets, importStock, undoBatch, tokens }: Shop): Promise<readonly unknown[]> {
  const tries: readonly (() => Promise<unknown>)[] = [
    () => call(createCategory, { body: { name: 'Dogs' } }),
    () => call(createCategory, { body: { name: 'Never' } }, { dryRun: true }),
    () => call(createCategory, { body: { name: 'Ñandúes', description: 'große Vögel' } }),
    () =>
      callEach(
        createPet,
        [1, 2, 9].map((categoryId) => ({ quantity: 4, body: { name: 'Rex', categoryId } })),
      ),
    () =>
      callEach(
        createPet,
        [1, 2, 2].map((categoryId) => ({ quantity: 4, body: { name: 'Rex', categoryId } })),
      ),
    () => call(setLowAt, { petId: 2, body: { lowAt: 3 } }),
    () => call(placeOrder, { body: { petId: 1, quantity: 9 } }),
    () => call(placeOrder, { body: { petId: 1, quantity: 2 } }, { dryRun: true }),
    () => call(placeOrder, { body: { petId: 1, quantity: 2 } }, { key: 'k', note: 'by phone' }),
    () => call(placeOrder, { body: { petId: 1, quantity: 2 } }, { key: 'k', note: 'by phone' }),
    () => call(updateOrder, { orderId: 1, body: { complete: true } }),
    () => call(placeOrder, { body: {} }),
    () => call(cancelOrder, { orderId: 2 }),
    () => call(holdPet, { petId: 3 }),
    () =>
      importPets(csv('name,category,quantity,status', 'Tom,Cats,3,', 'Max,dogs,,pending', ',Dogs,,', 'Zoé,2,0,sold'), {
        mode: 'keep-going',
        createCategories: true,
      }),
    () => importStock(csv('petId,delta', '1,5', '2,-3', '77,1', '2,-9', '4,2'), { mode: 'keep-going' }),
    () => importStock(csv('petId,delta', '1,5', '2,-3', '77,1', '2,-9', '4,2'), { mode: 'keep-going' }),
    () => importStock(csv('petId,quantity', '1,1', '1,2', 'x,1'), { mode: 'atomic' }),
    () => importStock(file('[{"petId":1,"quantity":true},{"petId":88,"quantity":1},{"petId":1,"quantity":"\\u0007"}]', { format: 'json' }), { mode: 'atomic' }),
    () => undoBatch(2, {}),
    () => call(setInventory, { petId: 5, body: { quantity: 0 } }),
    () => call(adjustInventory, { petId: 5, body: { delta: -1 } }),
    () => call(deletePet, { petId: 5 }),
    () => tokens.create({ name: 'till', scopes: ['admin'] }).then(({ token }) => token),
    () => tokens.revoke('till'),
  ];
  const answers: unknown[] = [];
  for (const one of tries) answers.push(await one().catch((error: unknown) => String(error)));
  return answers;
}
