import type { Undoing } from '../ledger/ledger-entry.js';
import { checkVersion } from '../ledger/check-version.js';
import { writeOperation } from '../operation.js';
import type { WriteTransaction } from '../transaction.js';
import { code, codeParameter, exampleCode, type Code } from './code.js';
import { requireCode } from './get-code.js';
import * as v from 'valibot';

/** Removes a code and writes its ledger entry. */
export async function writeCodeRemoval(tx: WriteTransaction, found: Code, { reverses }: Undoing = {}): Promise<void> {
  const { petId, code: text, units } = found;
  await tx.codes.remove(found);
  await tx.ledger.append({ kind: 'code.removed', petId, previous: { code: text, units }, reverses });
}

/** Removes all codes of a pet and writes their ledger entries. */
export async function writeCodeRemovals(tx: WriteTransaction, petId: number): Promise<void> {
  for (const found of await tx.codes.ofPet(petId)) await writeCodeRemoval(tx, found);
}

/** Removes a code. Returns it as it was. */
export const removeCode = writeOperation({
  id: 'removeCode',
  summary: 'Remove a code',
  description: 'Removes a code from its pet.',
  tag: 'Codes',
  stability: 'beta',
  method: 'DELETE',
  path: '/codes/{code}',
  status: 204,
  input: v.strictObject({ code: codeParameter }),
  output: code,
  refuses: ['code_not_found'],
  example: { answer: exampleCode },
  cost: 'row',
  run: async (tx, { code: text }) => {
    const found = await requireCode(tx, text);
    await checkVersion(tx, `Pet ${found.petId}`, { petId: found.petId });
    await writeCodeRemoval(tx, found);
    return found;
  },
});
