import { repeatedArgument } from '../../arguments.js';
import { petColumns, whichPet } from './pet-columns.js';
import { holdPet } from '../../../domain/pets/hold-pet.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { idOf } from '../../flags.js';

/** The command `pet hold`. */
export const petHold: Command = changeCommand({
  path: ['pet', 'hold'],
  arguments: { id: repeatedArgument('pet') },
  summary: 'take pets off sale',
  examples: ['petstore pet hold 7 --note "at the vet"'],
  does: holdPet,
  columns: petColumns,
  id: idOf('pet'),
  asks: whichPet,
  input: (id) => ({ petId: id }),
  sentence: ({ id, name }) => `Pet ${id} (${name}) is on hold.`,
});
