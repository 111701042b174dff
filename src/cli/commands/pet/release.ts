import { repeatedArgument } from '../../arguments.js';
import { petColumns, whichPet } from './pet-columns.js';
import { releasePet } from '../../../domain/pets/release-pet.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { idOf } from '../../flags.js';

/** The command `pet release`. */
export const petRelease: Command = changeCommand({
  path: ['pet', 'release'],
  arguments: { id: repeatedArgument('pet') },
  summary: 'put held pets back on sale',
  examples: ['petstore pet release 7'],
  does: releasePet,
  columns: petColumns,
  id: idOf('pet'),
  asks: whichPet,
  input: (id) => ({ petId: id }),
  sentence: ({ id, name, status }) => `Pet ${id} (${name}) is released: ${status}.`,
});
