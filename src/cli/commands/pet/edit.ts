import { argumentsMissing, askedOnlyWithout, repeated } from '../../arguments.js';
import { HintedError } from '../../../settings/hint.js';
import type { PetRow } from '../../../domain/pets/pet.js';
import { toggle } from '../../flags.js';
import { mutationFlags } from '../../mutation-flags.js';
import { searchFlag } from './pet-filter.js';
import { petArgument } from '../../shared-arguments.js';
import { petStatuses } from '../../../domain/pets/pet-status.js';
import { changePrompt } from '../../prompts/change-prompt.js';
import { categoryPrompt, namePrompt } from '../../prompts/shared-prompts.js';
import { petColumns } from './pet-columns.js';
import { petChange, petFlags, type PetFlagName } from './pet-flags.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { updatePet } from '../../../domain/pets/update-pet.js';
import { command, requireChange } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { changeEachCommand, type ChangeSentence } from '../../record-command.js';

const plainFlags = petFlags('the new');

const editPrompt = changePrompt<PetFlagName>({
  name: { label: 'Name', ask: namePrompt('New name:').ask },
  category: { label: 'Category', ask: categoryPrompt('New category:', { offersNew: true }).ask },
  status: {
    label: 'Status',
    ask: ({ choose }) =>
      choose(
        'New status:',
        petStatuses.map((value) => ({ name: value, value })),
      ),
  },
});

const flags = { ...plainFlags, name: { ...plainFlags.name, prompt: { ...editPrompt, onlyWithout: [...(editPrompt.onlyWithout ?? []), 'editor'] } } };
const flagNames = Object.values(flags).map(({ long }) => `--${long}`);

const sentence: ChangeSentence<PetRow> = ({ id, name, category, status }, verb) =>
  `${verb('Changed', 'Would change', 'Unchanged:')} pet ${id} (${name}, ${category}): ${status}.`;

const editByFlags = changeEachCommand({
  path: ['pet', 'edit'],
  aliases: ['update'],
  summary: 'change the name, category or status of pets',
  arguments: { id: repeated(petArgument) },
  flags,
  operation: updatePet,
  input: async ({ id, category, ...values }, call) => {
    requireChange([category, ...Object.values(petChange(values, undefined))], `${flagNames.slice(0, -1).join(', ')} or ${flagNames.at(-1)}`);
    const categoryId = category === undefined ? undefined : await findCategory(call, category, 'unknown_category');
    return { petId: id, body: petChange(values, categoryId) };
  },
  columns: petColumns,
  sentence,
  examples: ['petstore pet edit 7 --name Max', 'petstore pet edit 7 8 --category Cats --dry-run', 'petstore pet edit --editor --category Fish'],
});

/** With --editor, `--category` and `--status` select the pets. */
const editInEditor = command({
  path: ['pet', 'edit'],
  summary: editByFlags.summary,
  arguments: { id: repeated(petArgument) },
  flags: { ...plainFlags, search: searchFlag, ...mutationFlags },
  examples: [],
  run: async (context, { name, ...selection }) => {
    if (name !== undefined)
      throw new HintedError('usage', '--name and --editor exclude each other: names are changed in the editor.', { command: ['pet', 'edit', '--help'] });
    const { editPetsInEditor } = await import('./edit-in-editor.js');
    await editPetsInEditor(context, selection, sentence);
  },
});

/** The command `pet edit`. */
export const petEdit: Command = {
  ...editByFlags,
  arguments: { id: { ...repeated(askedOnlyWithout(petArgument, ['editor'])), required: false } },
  flags: {
    ...editByFlags.flags,
    category: { ...flags.category, summary: `${flags.category.summary}; a filter with --editor` },
    status: { ...flags.status, summary: `${flags.status.summary}; a filter with --editor` },
    editor: toggle({ long: 'editor', summary: 'edit names and categories of pets in your editor' }),
    search: { ...searchFlag, summary: 'with --editor: only pets with this text in their name' },
  },
  exits: ['pet_not_found', 'import_refused', 'precondition_failed', 'input_required', 'cancelled', 'output_failed'],
  run: async (context, words, { editor, search, ...values }) => {
    if (editor === true) return editInEditor.run(context, words, { ...values, search });
    if (search !== undefined) throw new HintedError('usage', '--search selects pets for --editor.', { command: ['pet', 'edit', '--help'] });
    if (words.length === 0) throw argumentsMissing(editByFlags, ['id']);
    return editByFlags.run(context, words, values);
  },
};
