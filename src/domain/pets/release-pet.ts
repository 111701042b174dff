import { petIdParameter, examplePet, pet } from './pet.js';
import { writeOperation } from '../operation.js';
import { changeHold } from './write-status.js';
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
  run: (tx, { petId }) => changeHold(tx, petId, false),
});
