import { pet } from './pet.js';
import { petOf } from './require-pet.js';
import * as v from 'valibot';
import { idNumber } from '../values/ids.js';
import { reads } from '../operation.js';

/** Reads one pet; `getPetDetails` answers more at once and is its successor. */
export const getPet = reads({
  id: 'getPet',
  summary: 'Read a pet',
  tag: 'Pets',
  path: '/pets/{petId}',
  deprecated: { since: Date.UTC(2026, 11, 1), sunset: Date.UTC(2027, 11, 31, 23, 59, 59), successor: '/pets/{petId}/details' },
  input: v.strictObject({ petId: idNumber }),
  output: pet,
  run: (tx, { petId }) => petOf(tx, petId),
});
