import { expect, test } from 'vitest';
import { checkInput } from '../../src/domain/check-input.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { idFromText, isIdText } from '../../src/domain/values/ids.js';
import { getOrder } from '../../src/domain/orders/get-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { getPet } from '../../src/domain/pets/get-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { testOnEveryStore } from '../support/stores.js';
import { expectRefusal } from '../support/expect-refusal.js';

const highest = 2 ** 53 - 1;

const texts = ['1', '7', '10', '9007199254740991', '9007199254740993', '9223372036854775807'];
const others = [
  '',
  '0',
  '-1',
  '+1',
  '01',
  '1e3',
  '1.0',
  '1.5',
  '0x1',
  ' 1',
  '1 ',
  '1\n',
  '1_000',
  '１',
  'abc',
  'Infinity',
  '9223372036854775808',
  '9'.repeat(20),
];

test('the text of an id is a whole number from 1 to 2^63 - 1, written in digits only', () => {
  for (const text of texts) expect([text, isIdText(text)]).toEqual([text, true]);
  for (const text of others) expect([text, isIdText(text)]).toEqual([text, false]);
});

async function petIdOf(text: string): Promise<number> {
  return idFromText('pet', text);
}

test('an unassigned id is not found and is not rounded to an existing id', async () => {
  expect(idFromText('pet', '9007199254740991')).toBe(highest);
  for (const text of ['9007199254740992', '9007199254740993', '9223372036854775807']) {
    await expectRefusal('pet_not_found', petIdOf(text), new RegExp(`Pet ${text} was not found`));
  }
});

test('a numeric id must be a positive integer', () => {
  for (const petId of [0, -1, 1.5, NaN, Infinity, '1', true, null, 1n]) {
    expect(() => checkInput(getPet, { petId })).toThrow(/^petId: must be/);
  }
  expect(checkInput(getPet, { petId: 1.0 })).toEqual({ petId: 1 });
});

testOnEveryStore('ids above the last pet are not found, in a path and in a body', async ({ call, pet, expectRefusal: refused }) => {
  await pet();
  for (const id of [2, highest - 1, highest, highest + 1, 2 ** 60]) {
    await refused('pet_not_found', () => call(getPet, { petId: id }), new RegExp(`Pet ${id} `));
    await refused('pet_not_found', () => call(getInventoryItem, { petId: id }), new RegExp(`Pet ${id} `));
    await refused('order_not_found', () => call(getOrder, { orderId: id }), new RegExp(`Order ${id} `));
    await refused('unknown_pet', () => call(placeOrder, { body: { petId: id } }), new RegExp(`pet ${id}\\b`));
    await refused('unknown_category', () => call(createPet, { body: { name: 'Rex', categoryId: id } }), new RegExp(`category ${id}\\b`));
    expect((await call(listPets, { id: [id] })).items).toEqual([]);
  }
});

testOnEveryStore('refuses an id in a body that is a string of digits', async ({ callUnchecked, pet, expectRefusal: refused }) => {
  await pet({ quantity: 5, reserved: 1 });
  for (const id of ['1', true, 1.5, 0, -1]) {
    await refused('validation_failed', () => callUnchecked(placeOrder, { body: { petId: id } }), /petId: must be/);
    await refused('validation_failed', () => callUnchecked(createPet, { body: { name: 'Rex', categoryId: id } }), /categoryId: must be/);
    await refused('validation_failed', () => callUnchecked(updateOrder, { orderId: 1, body: { petId: id } }), /petId: must be/);
  }
});
