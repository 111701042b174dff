import { petIdParameter, petPatch, examplePet, pet } from './pet.js';
import { withPathId, checkBodyId } from '../values/ids.js';
import { changePet } from './change-pet.js';
import { applyPatch } from '../values/fields.js';
import { writeOperation } from '../operation.js';
import * as v from 'valibot';

/** Changes some fields of a pet. */
export const updatePet = writeOperation({
  id: 'updatePet',
  summary: 'Change some fields of a pet',
  description:
    'Changes the fields that are given. A `status` of `pending` holds the pet back from sale, `available` ends that, and `sold` sells its last unit. An `id` in the body must be the one of the path.',
  tag: 'Pets',
  method: 'PATCH',
  path: '/pets/{petId}',
  status: 200,
  input: v.strictObject({
    petId: petIdParameter,
    body: withPathId(petPatch),
  }),
  output: pet,
  refuses: ['unknown_category', 'status_conflict'],
  example: { body: { name: 'Rex the Second' }, answer: { ...examplePet, name: 'Rex the Second' } },
  cost: 'row',
  records: ({ petId }) => [`pet ${petId}`],
  run: (tx, { petId, body: { id, status, ...patch } }) => {
    checkBodyId(id, petId);
    return changePet(tx, petId, { fields: (before) => applyPatch(before, patch), status });
  },
});
