import { petIdParameter, examplePet, pet } from './pet.js';
import { writeOperation } from '../operation.js';
import { changeHold } from './write-status.js';
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
  run: (tx, { petId }) => changeHold(tx, petId, true),
});
