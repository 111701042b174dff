import { pet } from './pet.js';
import { petOf } from './require-pet.js';
import * as v from 'valibot';
import { checkVersion } from '../ledger/check-version.js';
import { idNumber } from '../values/ids.js';
import { writes } from '../operation.js';
import { setHold } from './write-status.js';
import { stockOf } from '../inventory/require-stock.js';

/** Puts a held pet back on sale. */
export const releasePet = writes({
  id: 'releasePet',
  summary: 'Put a held pet back on sale',
  tag: 'Pets',
  stability: 'beta',
  method: 'DELETE',
  path: '/pets/{petId}/hold',
  status: 200,
  input: v.strictObject({ petId: idNumber }),
  output: pet,
  run: async (tx, { petId }) => {
    const stock = await stockOf(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    await setHold(tx, stock, false);
    return petOf(tx, petId);
  },
});
