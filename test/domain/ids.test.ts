import { expect, test } from 'vitest';
import { checkInput } from '../../src/domain/check-input.js';
import { idFromText, isIdText } from '../../src/domain/values/ids.js';
import { getPet } from '../../src/domain/pets/get-pet.js';
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
