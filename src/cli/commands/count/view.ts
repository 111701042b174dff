import { hidesExpected } from '../../../domain/counts/count.js';
import { getCount } from '../../../domain/counts/get-count.js';
import { listCountPets } from '../../../domain/counts/list-count-pets.js';
import type { Command } from '../../command.js';
import { choice, flag } from '../../flags.js';
import { completeRecords } from '../../completion/completers.js';
import { findPet } from '../../../domain/pets/find-pet.js';
import { listCommand } from '../../list-command.js';
import { petText } from '../../readers.js';
import { searchFlag } from '../pet/pet-filter.js';
import { blindPetColumns, countPetColumns } from './count-columns.js';
import { countArgument, requestedCount } from './open-count.js';

/** The command `count view`. */
export const countView: Command = listCommand({
  path: ['count', 'view'],
  aliases: ['show'],
  summary: 'list the pets of a count: counted and expected',
  arguments: { count: countArgument },
  flags: {
    state: choice({
      long: 'state',
      value: 'state',
      summary: 'only pets that were counted or not, or that agree or differ',
      choices: ['counted', 'not-counted', 'agreeing', 'differing'],
    }),
    pet: flag({ long: 'pet', value: 'pet', summary: 'only this pet, by id or name', read: petText, complete: completeRecords('pet') }),
    search: searchFlag,
  },
  operation: listCountPets,
  input: async ({ count, state, pet, search }, call) => ({
    countId: (await requestedCount(call, count, 'view')).id,
    state,
    q: search,
    ...(pet !== undefined && { petId: await findPet(call, pet, 'unknown_pet') }),
  }),
  columns: countPetColumns,
  table: async (_, { countId }, call) => (hidesExpected(await call(getCount, { countId })) ? blindPetColumns : undefined),
  examples: ['petstore count view', 'petstore count view 3 --state not-counted', 'petstore count view 3 --state differing --format csv'],
});
