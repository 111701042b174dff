import { repeated } from '../../arguments.js';
import { petArgument } from '../../shared-arguments.js';
import { petColumns } from './pet-columns.js';
import { releasePet } from '../../../domain/pets/release-pet.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

/** The command `pet release`. */
export const petRelease: Command = changeEachCommand({
  path: ['pet', 'release'],
  arguments: { id: repeated(petArgument) },
  summary: 'put held pets back on sale',
  examples: ['petstore pet release 7'],
  operation: releasePet,
  columns: petColumns,
  input: ({ id }) => ({ petId: id }),
  sentence: ({ id, name, status }) => `Released pet ${id} (${name}): ${status}.`,
});
