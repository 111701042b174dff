import { repeated } from '../../arguments.js';
import type { Command } from '../../command.js';
import { listCommand } from '../../list-command.js';
import { namePrompt } from '../../prompts/shared-prompts.js';
import { textArgument } from '../../shared-arguments.js';
import { petListing } from '../pet/pet-filter.js';

const { operation, columns } = petListing;

const counterColumns = ['id', 'name', 'category', 'quantity', 'reserved', 'available', 'status'];

/** The command `find`. */
export const findCommand: Command = listCommand({
  path: ['find'],
  summary: 'find pets by part of their name, with their stock',
  arguments: { text: repeated({ ...textArgument, prompt: namePrompt('Part of the name:') }) },
  operation,
  columns: { ...columns, shown: counterColumns },
  input: ({ text }) => ({ q: text.join(' '), sort: 'name' }),
  examples: ['petstore find tetra', 'petstore find neon tetra --json'],
});
