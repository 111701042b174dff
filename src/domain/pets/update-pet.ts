import { pet } from './pet.js';
import { changePet } from './change-pet.js';
import * as v from 'valibot';
import { checkBodyId, idNumber } from '../values/ids.js';
import { writes } from '../operation.js';
import { petStatus } from './pet-status.js';
import { nameText } from '../values/text.js';

/** Changes some fields of a pet. */
export const updatePet = writes({
  id: 'updatePet',
  summary: 'Change some fields of a pet',
  tag: 'Pets',
  method: 'PATCH',
  path: '/pets/{petId}',
  status: 200,
  input: v.strictObject({
    petId: idNumber,
    body: v.strictObject({ id: v.optional(idNumber), name: v.optional(nameText), categoryId: v.optional(idNumber), status: v.optional(petStatus) }),
  }),
  output: pet,
  run: (tx, { petId, body: { id, ...wanted } }) => {
    checkBodyId(id, petId);
    return changePet(tx, petId, wanted);
  },
});
