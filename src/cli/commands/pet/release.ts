import { repeated } from '../../arguments.js';
import { petArgument } from '../../shared-arguments.js';
import { petColumns } from './pet-columns.js';
import { releasePet } from '../../../domain/pets/release-pet.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

/** The command `pet release`. */
export const petRelease: Command = changeEachCommand({
  path: ['pet', 'release'],
  summary: 'put held pets back on sale',
  arguments: { id: repeated(petArgument) },
  operation: releasePet,
  input: ({ id }) => ({ petId: id }),
  columns: petColumns,
  sentence: ({ id, name, status }, verb) => `${verb('Released', 'Would release', 'Unchanged:')} pet ${id} (${name}): ${status}.`,
  examples: ['petstore pet release 7'],
});
