import { readOperation } from '../operation.js';
import { StoreError } from '../errors.js';
import type { ReadTransaction } from '../transaction.js';
import { shortened } from '../values/text.js';
import { code, codeKey, codeParameter, exampleCode, type Code } from './code.js';
import { petOfOwnNumber } from './gtin.js';
import * as v from 'valibot';

/** The refusal of an unknown code (404). */
export function codeNotFound(text: string): StoreError {
  return new StoreError('code_not_found', `There is no code ${shortened(text)}.`, { details: { codeText: text } });
}

/** The code of a pet that equals a text, or the shop's own number of a pet; a code that was added comes first. Undefined if there is none. */
export async function findCode(tx: ReadTransaction, text: string): Promise<Code | undefined> {
  const [stored] = await tx.codes.equalTo([text]);
  if (stored !== undefined) return stored;
  const petId = petOfOwnNumber(codeKey(text));
  if (petId === undefined || (await tx.stock.get(petId)) === undefined) return undefined;
  return { code: text, petId, units: 1 };
}

/** The code that was added and equals a text. Refuses with `code_not_found`. */
export async function requireCode(tx: ReadTransaction, text: string): Promise<Code> {
  const [found] = await tx.codes.equalTo([text]);
  if (found === undefined) throw codeNotFound(text);
  return found;
}

/** Reads a code. */
export const getCode = readOperation({
  id: 'getCode',
  summary: 'Read a code',
  description: "Reads the pet of a code, and the units that one scan means. Also finds the shop's own number of a pet, which its labels have.",
  tag: 'Codes',
  stability: 'beta',
  path: '/codes/{code}',
  input: v.strictObject({ code: codeParameter }),
  output: code,
  refuses: ['code_not_found'],
  example: { answer: exampleCode },
  cost: 'row',
  run: async (tx, { code: text }) => {
    const found = await findCode(tx, text);
    if (found === undefined) throw codeNotFound(text);
    return found;
  },
});
