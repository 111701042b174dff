import { newPet, pet, petIdParameter, exampleNewPet, examplePet } from './pet.js';
import { changePet } from './change-pet.js';
import { checkBodyId, withPathId } from '../values/ids.js';
import { writeOperation } from '../operation.js';
import * as v from 'valibot';

/** Replaces a pet; an omitted status leaves the status as it is. */
export const replacePet = writeOperation({
  id: 'replacePet',
  summary: 'Replace a pet',
  description: 'Replaces a pet. An omitted `status` stays as it is. An `id` in the body must be the one of the path.',
  tag: 'Pets',
  method: 'PUT',
  path: '/pets/{petId}',
  status: 200,
  input: v.strictObject({ petId: petIdParameter, body: withPathId(newPet) }),
  output: pet,
  refuses: ['unknown_category', 'status_conflict'],
  example: { body: exampleNewPet, answer: examplePet },
  cost: 'row',
  records: ({ petId }) => [`pet ${petId}`],
  run: (tx, { petId, body: { id, status, ...fields } }) => {
    checkBodyId(id, petId);
    return changePet(tx, petId, { fields: () => fields, status });
  },
});
