import { petListing } from './pet-filter.js';
import type { Command } from '../../command.js';
import { listCommand } from '../../list-command.js';

/** The command `pet list`. */
export const petList: Command = listCommand({
  ...petListing,
  path: ['pet', 'list'],
  aliases: ['ls'],
  summary: 'list pets',
  examples: [
    'petstore pet list',
    'petstore pet list --status available --category Dogs',
    'petstore pet list --search zoe --sort name',
    'petstore pet list --format ids',
  ],
});
