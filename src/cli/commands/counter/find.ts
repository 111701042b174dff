import { repeated } from '../../arguments.js';
import type { Command } from '../../command.js';
import { listCommand } from '../../list-command.js';
import { namePrompt } from '../../prompts/shared-prompts.js';
import { textArgument } from '../../shared-arguments.js';
import type { Column } from '../../output/view.js';
import { withCodes, type CodedPet, listedPetColumns, petListing } from '../pet/pet-fields.js';

const { operation } = petListing;

const counterColumns = ['id', 'name', 'category', 'quantity', 'reserved', 'available', 'status'];

const codesColumn: Column<CodedPet> = {
  name: 'codes',
  heading: 'Codes',
  value: ({ codes }) => codes?.map(({ code }) => code),
  text: ({ codes = [] }) => codes.map(({ code }) => code).join(' '),
};

/** The command `find`. */
export const findCommand: Command = listCommand({
  path: ['find'],
  summary: 'find pets by part of their name or by a code, with their stock',
  arguments: { text: repeated({ ...textArgument, prompt: namePrompt('Part of the name, or a code:') }) },
  operation,
  columns: { ...listedPetColumns, all: [...listedPetColumns.all, codesColumn], shown: counterColumns, json: [...listedPetColumns.json, 'codes'] },
  added: { isNeeded: (shown) => shown.includes('codes'), add: withCodes },
  input: ({ text }) => ({ q: text.join(' '), sort: 'name' }),
  examples: ['petstore find tetra', 'petstore find neon tetra --json', 'petstore find 4006381333931'],
});
