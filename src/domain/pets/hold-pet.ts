import { pet } from './pet.js';
import { petOf } from './require-pet.js';
import * as v from 'valibot';
import { checkVersion } from '../ledger/check-version.js';
import { idNumber } from '../values/ids.js';
import { writes } from '../operation.js';
import { setHold } from './write-status.js';
import { stockOf } from '../inventory/require-stock.js';

/** Takes a pet off sale, whatever its stock. */
export const holdPet = writes({
  id: 'holdPet',
  summary: 'Take a pet off sale',
  tag: 'Pets',
  stability: 'beta',
  method: 'PUT',
  path: '/pets/{petId}/hold',
  status: 200,
  input: v.strictObject({ petId: idNumber }),
  output: pet,
  run: async (tx, { petId }) => {
    const stock = await stockOf(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    await setHold(tx, stock, true);
    return petOf(tx, petId);
  },
});
