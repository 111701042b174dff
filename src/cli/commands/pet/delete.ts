import { repeated } from '../../arguments.js';
import { petArgument } from '../../shared-arguments.js';
import { petColumns } from './pet-columns.js';
import { deletePet } from '../../../domain/pets/delete-pet.js';
import { joinItems } from '../../../domain/values/text.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

/** The command `pet delete`. */
export const petDelete: Command = changeEachCommand({
  path: ['pet', 'delete'],
  aliases: ['rm', 'remove'],
  summary: 'delete pets; their last unit is written off',
  arguments: { id: repeated(petArgument) },
  operation: deletePet,
  input: ({ id }) => ({ petId: id }),
  columns: petColumns,
  question: (rows) => {
    const named = rows.map(({ id, name }) => `${id} (${name})`);
    return `Delete ${rows.length === 1 ? 'pet' : `${rows.length} pets:`} ${joinItems(named)}?`;
  },
  sentence: ({ id, name }, verb) => `${verb('Deleted', 'Would delete')} pet ${id} (${name}).`,
  examples: ['petstore pet delete 7 --yes', 'petstore pet delete 7 8 --dry-run'],
});
