import { repeated } from '../../arguments.js';
import { petArgument } from '../../shared-arguments.js';
import { petColumns } from './pet-columns.js';
import { holdPet } from '../../../domain/pets/hold-pet.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

/** The command `pet hold`. */
export const petHold: Command = changeEachCommand({
  path: ['pet', 'hold'],
  arguments: { id: repeated(petArgument) },
  summary: 'take pets off sale',
  examples: ['petstore pet hold 7 --note "at the vet"'],
  operation: holdPet,
  columns: petColumns,
  input: ({ id }) => ({ petId: id }),
  sentence: ({ id, name }) => `Put pet ${id} (${name}) on hold.`,
});
