import { checkVersion } from '../ledger/check-version.js';
import type { Undoing } from '../ledger/ledger-entry.js';
import { writeOperation } from '../operation.js';
import { petIdParameter } from '../pets/pet.js';
import { requirePet } from '../pets/require-pet.js';
import { invalidField, StoreError } from '../errors.js';
import type { WriteTransaction } from '../transaction.js';
import { code, codeKey, codeOutcome, exampleCode, maximumCodes, newCode, type Code } from './code.js';
import { requireCode } from './get-code.js';
import * as v from 'valibot';

/** Whose code a code is, as a sentence. */
export function codeTakenText({ code: text, petId, units }: Code, name: string): string {
  return `The code ${text} belongs to ${name} (pet ${petId})${units === 1 ? '' : `, for ${units} units`}.`;
}

/**
 * Adds codes to a pet, with a ledger entry for each. Refuses with `code_taken` or `validation_failed`; a code that the pet has with
 * these units stays as it is.
 */
export async function writeCodes(tx: WriteTransaction, petId: number, codes: readonly Omit<Code, 'petId'>[], { reverses }: Undoing = {}): Promise<void> {
  const found = new Map((await tx.codes.equalTo(codes.map((one) => one.code))).map((one) => [codeKey(one.code), one]));
  let count = await tx.codes.count({ petId: [petId] }, maximumCodes);
  for (const { code: text, units } of codes) {
    const existing = found.get(codeKey(text));
    const outcome = codeOutcome({ petId, units }, existing, count);
    if (outcome === 'unchanged') continue;
    if (existing !== undefined) {
      const { name } = await requirePet(tx, existing.petId);
      throw new StoreError('code_taken', codeTakenText(existing, name), { details: { petId: existing.petId, codeText: existing.code } });
    }
    if (outcome === 'full') throw invalidField('code', `pet ${petId} has ${maximumCodes} codes, the most of one pet`);
    count += 1;
    const added = { code: text, petId, units };
    found.set(codeKey(text), added);
    await tx.codes.insert(added);
    await tx.ledger.append({ kind: 'code.added', petId, current: { code: text, units }, reverses });
  }
}

/** Adds a code to a pet. */
export const addCode = writeOperation({
  id: 'addCode',
  summary: 'Add a code to a pet',
  description:
    'Adds a code, such as a barcode number, to a pet. A code names the pet wherever an id does. Two codes are equal if they are the same GTIN, or the same text in any case; a code belongs to one pet only.',
  tag: 'Codes',
  stability: 'beta',
  method: 'POST',
  path: '/pets/{petId}/codes',
  status: 201,
  input: v.strictObject({ petId: petIdParameter, body: newCode }),
  output: code,
  refuses: ['code_taken'],
  example: { body: { code: exampleCode.code }, answer: exampleCode },
  cost: 'row',
  run: async (tx, { petId, body }): Promise<Code> => {
    await requirePet(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    await writeCodes(tx, petId, [body]);
    return requireCode(tx, body.code);
  },
});
