import { petIdParameter, examplePet, pet } from './pet.js';
import { requirePet } from './require-pet.js';
import { checkVersion } from '../ledger/check-version.js';
import { afterWrite } from '../values/version.js';
import { writeOperation } from '../operation.js';
import { setHold } from './write-status.js';
import { requireStock } from '../inventory/require-stock.js';
import * as v from 'valibot';

/** Puts a pet on hold, so that it cannot be sold. */
export const holdPet = writeOperation({
  id: 'holdPet',
  summary: 'Take a pet off sale',
  description: 'Takes a pet off sale, whatever its stock. Has no effect on a pet that is on hold already.',
  tag: 'Pets',
  stability: 'beta',
  method: 'PUT',
  path: '/pets/{petId}/hold',
  status: 200,
  input: v.strictObject({ petId: petIdParameter }),
  output: pet,
  refuses: [],
  example: { answer: { ...examplePet, status: 'pending' } },
  cost: 'row',
  records: ({ petId }) => [`pet ${petId}`],
  run: async (tx, { petId }) => {
    const before = await requirePet(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    await setHold(tx, await requireStock(tx, petId), true);
    return afterWrite(before, await requirePet(tx, petId));
  },
});
