import { petIdParameter, examplePet, pet } from './pet.js';
import { requirePet } from './require-pet.js';
import { readOperation } from '../operation.js';
import * as v from 'valibot';

/** Reads one pet. Deprecated: `getPetDetails` replaces it. */
export const getPet = readOperation({
  id: 'getPet',
  summary: 'Read a pet',
  description: 'Reads one pet. Deprecated: use `GET /pets/{petId}/details`, which returns the same fields and more, or `GET /pets?id=1,2,3` for several pets.',
  tag: 'Pets',
  path: '/pets/{petId}',
  deprecated: { since: Date.UTC(2026, 11, 1), sunset: Date.UTC(2027, 11, 31, 23, 59, 59), successor: '/pets/{petId}/details' },
  input: v.strictObject({ petId: petIdParameter }),
  output: pet,
  refuses: [],
  example: { answer: examplePet },
  cost: 'row',
  run: (tx, { petId }) => requirePet(tx, petId),
});
