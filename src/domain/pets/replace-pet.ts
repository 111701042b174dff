import { newPet, pet } from './pet.js';
import { changePet } from './change-pet.js';
import { checkBodyId, idNumber } from '../values/ids.js';
import { writes } from '../operation.js';
import * as v from 'valibot';

/** Replaces a pet; an omitted status leaves the status as it is. */
export const replacePet = writes({
  id: 'replacePet',
  summary: 'Replace a pet',
  tag: 'Pets',
  method: 'PUT',
  path: '/pets/{petId}',
  status: 200,
  input: v.strictObject({ petId: idNumber, body: v.strictObject({ id: v.optional(idNumber), ...newPet.entries }) }),
  output: pet,
  run: (tx, { petId, body: { id, ...wanted } }) => {
    checkBodyId(id, petId);
    return changePet(tx, petId, wanted);
  },
});
