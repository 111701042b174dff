import { repeated } from '../../arguments.js';
import { petArgument } from '../../shared-arguments.js';
import { petColumns } from './pet-columns.js';
import { holdPet } from '../../../domain/pets/hold-pet.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

/** The command `pet hold`. */
export const petHold: Command = changeEachCommand({
  path: ['pet', 'hold'],
  summary: 'take pets off sale',
  arguments: { id: repeated(petArgument) },
  operation: holdPet,
  input: ({ id }) => ({ petId: id }),
  columns: petColumns,
  sentence: ({ id, name }, verb) => `${verb('Put', 'Would put', 'Unchanged:')} pet ${id} (${name})${verb('', '', ' is')} on hold.`,
  examples: ['petstore pet hold 7 --note "at the vet"'],
});
