import { petIdParameter, examplePet, pet } from './pet.js';
import { requirePet } from './require-pet.js';
import { checkVersion } from '../ledger/check-version.js';
import { afterWrite } from '../values/version.js';
import { writeOperation } from '../operation.js';
import { setHold } from './write-status.js';
import { requireStock } from '../inventory/require-stock.js';
import * as v from 'valibot';

/** Puts a held pet back on sale. */
export const releasePet = writeOperation({
  id: 'releasePet',
  summary: 'Put a held pet back on sale',
  description: 'Puts a held pet back on sale. Has no effect on a pet that is not on hold.',
  tag: 'Pets',
  stability: 'beta',
  method: 'DELETE',
  path: '/pets/{petId}/hold',
  status: 200,
  input: v.strictObject({ petId: petIdParameter }),
  output: pet,
  refuses: [],
  example: { answer: examplePet },
  cost: 'row',
  records: ({ petId }) => [`pet ${petId}`],
  run: async (tx, { petId }) => {
    const before = await requirePet(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    await setHold(tx, await requireStock(tx, petId), false);
    return afterWrite(before, await requirePet(tx, petId));
  },
});
