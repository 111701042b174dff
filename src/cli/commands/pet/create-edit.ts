import type { Call } from '../../../domain/call.js';
import { findCategory } from '../../../domain/categories/find-category.js';
import { listCategories } from '../../../domain/categories/list-categories.js';
import { codeDoubt } from '../../../domain/codes/gtin.js';
import { StoreError } from '../../../domain/errors.js';
import { createPet } from '../../../domain/pets/create-pet.js';
import { listPets } from '../../../domain/pets/list-pets.js';
import { type PetStatus, petStatuses } from '../../../domain/pets/pet-status.js';
import { type PetRow, openingQuantity } from '../../../domain/pets/pet.js';
import { updatePet } from '../../../domain/pets/update-pet.js';
import { applyPatch } from '../../../domain/values/fields.js';
import { quantityNumber } from '../../../domain/values/numbers.js';
import { recordName } from '../../../domain/values/record-name.js';
import { HintedError } from '../../../settings/hint.js';
import { repeated } from '../../arguments.js';
import type { Command } from '../../command.js';
import { requireChange } from '../../declare-command.js';
import { flag, repeatedFlag, requiredFlag } from '../../flags.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { changePrompt, categoryPrompt, lineOrDefault, namePrompt, numberTextProblem } from '../../prompts/shared-prompts.js';
import { refusalText } from '../../prompts/text-problems.js';
import { unitCount } from '../../readers.js';
import { type ChangeSentence, changeCommand, changeEachCommand } from '../../record-command.js';
import { petArgument } from '../../shared-arguments.js';
import { type PetFlagName, petChange, petColumns, petFlags } from './pet-fields.js';

function askForQuantity(dialogue: Dialogue, { status }: { readonly status: PetStatus | undefined }): Promise<string | undefined> {
  return lineOrDefault(dialogue, {
    message: 'How many are on hand?',
    fallback: '1',
    problem: (typed) => numberTextProblem(quantityNumber, typed) ?? refusalText(() => openingQuantity(status, Number(typed))),
  });
}

/** The id of the category of a new pet. In a shop without categories the hint creates the one that was named. */
async function categoryOf(call: Call, text: string): Promise<number> {
  try {
    return await findCategory(call, text, 'unknown_category');
  } catch (error) {
    const isUnknown = error instanceof StoreError && error.code === 'unknown_category';
    if (!isUnknown || (await call(listCategories, { limit: 1 })).items.length > 0) throw error;
    throw new HintedError(error.code, error.message, { command: ['category', 'create', '--name', recordName(text) ?? text] });
  }
}

/** Takes one code; refuses several in one text, and none, with `usage`. */
function oneCode(text: string, name: string): string {
  if (/^\S+$/.test(text.trim())) return text.trim();
  throw new StoreError('usage', `${name} takes one code without spaces; repeat it for several.`);
}

const newPet = petFlags('the');

/** The command `pet create`. */
export const petCreate: Command = changeCommand({
  path: ['pet', 'create'],
  aliases: ['add', 'new'],
  summary: 'create a pet',
  flags: {
    ...newPet,
    name: requiredFlag({ ...newPet.name, takesWord: true, prompt: namePrompt('Name of the pet:') }, { question: 'Which name?', example: 'Rex' }),
    // First: without categories the shop takes no pet.
    category: requiredFlag(
      { ...newPet.category, takesWord: true, prompt: { ...categoryPrompt('Category of the pet:', { offersNew: true }), first: true } },
      { question: 'Which category?', example: 'Dogs', source: 'petstore category list shows all' },
    ),
    status: { ...newPet.status, default: 'computed from the stock' },
    code: repeatedFlag({ long: 'code', value: 'code', summary: 'a code of the pet, such as a barcode number; may be repeated', read: oneCode }),
    quantity: flag({
      long: 'quantity',
      value: 'n',
      summary: 'the number of units on hand',
      takesWord: true,
      default: '1',
      read: unitCount,
      prompt: { followUp: true, ask: askForQuantity },
    }),
  },
  operation: createPet,
  input: async ({ category: text, ...values }, call) => {
    const categoryId = await categoryOf(call, text);
    return { quantity: values.quantity, codes: values.code?.join(' '), body: applyPatch({ name: values.name, categoryId }, petChange(values, categoryId)) };
  },
  columns: petColumns,
  sentence: (pet, verb) => `${verb('Created', 'Would create')} pet ${pet.id} (${pet.name}, ${pet.category}): ${pet.quantity} on hand, ${pet.status}.`,
  doubt: async ({ body: { name, categoryId } }, call, { key, code: codes = [] }) => {
    // A repeat finds the pet that it created.
    if (key !== undefined) return undefined;
    const { items } = await call(listPets, { name, categoryId: [categoryId], limit: 1 });
    const [found] = items;
    if (found) return { said: `${found.category} has ${found.name} (pet ${found.id}) already.`, question: 'Create another one?' };
    const said = codes.map((code) => codeDoubt(code)).find((doubt) => doubt !== undefined);
    return said === undefined ? undefined : { said, question: 'Create the pet?' };
  },
  examples: [
    'petstore pet create Rex Dogs',
    'petstore pet create --name Koi --category Fish --quantity 40',
    'petstore pet create Guppy Fish --code 4006381333931',
  ],
});

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

const flags = { ...plainFlags, name: { ...plainFlags.name, prompt: editPrompt } };
const flagNames = Object.values(flags).map(({ long }) => `--${long}`);

const sentence: ChangeSentence<PetRow> = ({ id, name, category, status }, verb) =>
  `${verb('Changed', 'Would change', 'Unchanged:')} pet ${id} (${name}, ${category}): ${status}.`;

/** The command `pet edit`. */
export const petEdit: Command = changeEachCommand({
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
  examples: ['petstore pet edit 7 --name Max', 'petstore pet edit 7 8 --category Cats --dry-run'],
});
