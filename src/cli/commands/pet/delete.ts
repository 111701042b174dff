import { repeatedArgument } from '../../arguments.js';
import { petColumns, whichPet } from './pet-columns.js';
import { deletePet } from '../../../domain/pets/delete-pet.js';
import { joinItems } from '../../../domain/values/text.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { idOf } from '../../flags.js';

/** The command `pet delete`. */
export const petDelete: Command = changeCommand({
  path: ['pet', 'delete'],
  arguments: { id: repeatedArgument('pet') },
  summary: 'delete pets; their last animal is written off',
  examples: ['petstore pet delete 7 --yes', 'petstore pet delete 7 8 --dry-run'],
  does: deletePet,
  columns: petColumns,
  id: idOf('pet'),
  asks: whichPet,
  input: (id) => ({ petId: id }),
  sentence: ({ id, name }) => `Pet ${id} (${name}) is deleted.`,
  question: (rows) => {
    const named = rows.map(({ id, name }) => `${id} (${name})`);
    return `Delete ${rows.length === 1 ? 'pet' : `${rows.length} pets:`} ${joinItems(named)}?`;
  },
});
