import { categoryText } from '../../domain/categories/category.js';
import { findCategory, findCategoryToFilter } from '../../domain/categories/find-category.js';
import { getPetDetails } from '../../domain/pets/get-pet-details.js';
import type { PetDetailsRow } from '../../domain/pets/pet-details.js';
import { createPet } from '../../domain/pets/create-pet.js';
import { deletePet } from '../../domain/pets/delete-pet.js';
import { holdPet } from '../../domain/pets/hold-pet.js';
import { listPets } from '../../domain/pets/list-pets.js';
import { openingQuantity, type PetRow } from '../../domain/pets/pet.js';
import { releasePet } from '../../domain/pets/release-pet.js';
import { updatePet } from '../../domain/pets/update-pet.js';
import { available } from '../../domain/inventory/stock.js';
import type { PetStatus } from '../../domain/pets/pet-status.js';
import { listed } from '../../domain/values/text.js';
import { required, something, type Command } from '../command.js';
import { listCommand } from '../list-command.js';
import { changeCommand, makeCommand, viewCommand } from '../record-command.js';
import { choice, flag, idOf, repeatedChoice, repeatedFlag, sortBy, text, wholeNumber } from '../flags.js';
import type { Paint } from '../output/colours.js';
import { aCategory, aName, anAmount, aPet, refusalOf } from '../prompts/questions.js';
import { relativeTime, yesNoText, type Columns } from '../output/view.js';
import { petImport } from './pet-import.js';

/** The colour a status has wherever it is shown. */
export const statusColours: Record<PetStatus, keyof Paint> = { available: 'green', pending: 'yellow', sold: 'dim' };

/** The columns of a list of pets. */
export const petColumns: Columns<PetRow> = {
  all: [
    { name: 'id', heading: 'ID', value: ({ id }) => id, numeric: true },
    { name: 'name', heading: 'Name', least: 8, value: ({ name }) => name },
    { name: 'category', heading: 'Category', least: 8, leaveOut: 1, value: ({ category }) => category },
    { name: 'categoryId', heading: 'Category ID', value: ({ categoryId }) => categoryId, numeric: true },
    { name: 'status', heading: 'Status', leaveOut: 2, dot: true, value: ({ status }) => status, colour: ({ status }) => statusColours[status] },
    { name: 'quantity', heading: 'On hand', value: ({ quantity }) => quantity, numeric: true },
    { name: 'reserved', heading: 'Reserved', value: ({ reserved }) => reserved, numeric: true },
    { name: 'available', heading: 'Available', value: (row) => available(row), numeric: true },
    { name: 'hold', heading: 'On hold', value: ({ hold }) => hold, text: ({ hold }) => yesNoText(hold) },
    { name: 'lowAt', heading: 'Low at', value: ({ lowAt }) => lowAt, numeric: true },
  ],
  shown: ['id', 'name', 'category', 'status', 'quantity'],
  json: ['id', 'name', 'categoryId', 'status'],
  id: 'id',
};

/** What an import reads: each category in words that mean no other, and in JSON the stock beside the contract's record. */
const exportColumns: Columns<PetRow> = {
  ...petColumns,
  all: petColumns.all.map((column) => (column.name === 'category' ? { ...column, value: ({ category }) => categoryText(category) } : column)),
  json: [...petColumns.json, 'category', 'quantity'],
};

const detailColumns: Columns<PetDetailsRow> = {
  all: [
    { name: 'id', heading: 'ID', value: ({ id }) => id, numeric: true },
    { name: 'name', heading: 'Name', least: 8, value: ({ name }) => name },
    { name: 'category', heading: 'Category', least: 8, leaveOut: 1, value: ({ category }) => category.name },
    { name: 'categoryId', heading: 'Category ID', value: ({ categoryId }) => categoryId, numeric: true },
    { name: 'status', heading: 'Status', leaveOut: 2, dot: true, value: ({ status }) => status, colour: ({ status }) => statusColours[status] },
    { name: 'quantity', heading: 'On hand', value: ({ inventory }) => inventory.quantity, numeric: true },
    { name: 'reserved', heading: 'Reserved', value: ({ inventory }) => inventory.reserved, numeric: true },
    { name: 'available', heading: 'Available', value: ({ inventory }) => inventory.available, numeric: true },
    { name: 'hold', heading: 'On hold', value: ({ hold }) => hold, text: ({ hold }) => yesNoText(hold) },
    { name: 'lowAt', heading: 'Low at', value: ({ lowAt }) => lowAt, numeric: true },
    { name: 'openOrders', heading: 'Open orders', value: ({ openOrders }) => openOrders, numeric: true },
    { name: 'version', heading: 'Version', value: ({ version }) => version, numeric: true },
    {
      name: 'createdAt',
      heading: 'Created',
      value: ({ createdAt }) => createdAt,
      text: ({ createdAt }, now) => `${createdAt} (${relativeTime(createdAt, now)})`,
    },
    {
      name: 'updatedAt',
      heading: 'Updated',
      value: ({ updatedAt }) => updatedAt,
      text: ({ updatedAt }, now) => `${updatedAt} (${relativeTime(updatedAt, now)})`,
    },
  ],
  shown: ['id', 'name', 'category', 'status', 'quantity'],
  json: ['id', 'name', 'categoryId', 'status'],
  id: 'id',
};

const statuses = ['available', 'pending', 'sold'] as const;

/** The filters of lists of pets and of inventory. */
export const petFilterFlags = {
  status: repeatedChoice('--status <status>', 'only pets of this status; may be repeated', statuses),
  category: repeatedFlag('--category <category>', 'only pets of this category, by id or name; may be repeated', text),
};

/** The same filters as an operation takes them. */
export async function petFilterInput(
  { status, category }: { readonly status: readonly PetStatus[] | undefined; readonly category: readonly string[] | undefined },
  call: Parameters<typeof findCategory>[0],
): Promise<{ readonly status?: PetStatus[]; readonly categoryId?: number[] }> {
  const categoryId: number[] = [];
  for (const one of category ?? []) categoryId.push(await findCategoryToFilter(call, one));
  return { ...(status && { status: [...new Set(status)] }), ...(category && { categoryId }) };
}

/** The details as the contract has them. */
function detailsRecord(row: PetDetailsRow): unknown {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'hold' && name !== 'lowAt'));
}

const petId = idOf('pet');
const whichPet = { id: aPet('Which pet?') };

const listing = {
  does: listPets,
  columns: petColumns,
  flags: {
    ...petFilterFlags,
    search: flag('--search <text>', 'only pets whose name contains this, whatever case and accents', text),
    sort: sortBy(['id', 'name']),
  },
} as const;

/** The commands of pets. */
export const petCommands: readonly Command[] = [
  listCommand({
    ...listing,
    words: 'pet list',
    summary: 'list pets',
    examples: [
      'petstore pet list',
      'petstore pet list --status available --category Dogs',
      'petstore pet list --search zoe --sort name',
      'petstore pet list --format ids',
    ],
    input: async ({ search, sort, ...filter }, call) => ({ ...(await petFilterInput(filter, call)), q: search, sort }),
  }),
  viewCommand({
    words: 'pet view <id...>',
    summary: 'show pets with their category, stock and version',
    examples: ['petstore pet view 7', 'petstore pet view 7 8 --json'],
    does: getPetDetails,
    columns: detailColumns,
    record: detailsRecord,
    id: petId,
    asks: whichPet,
    input: (id) => ({ petId: id }),
  }),
  makeCommand({
    words: 'pet create',
    summary: 'create a pet with its inventory entry',
    examples: ['petstore pet create --name Rex --category Dogs', 'petstore pet create --name Koi --category Fish --quantity 40'],
    does: createPet,
    columns: petColumns,
    flags: {
      name: flag('--name <name>', 'its name', text),
      category: flag('--category <category>', 'its category, by id or name', text),
      status: choice('--status <status>', 'its status (default: what its stock says)', statuses),
      quantity: flag('--quantity <n>', 'how many are on hand to begin with (default: 1)', wholeNumber),
    },
    asks: {
      // First, because a shop without categories takes no pet, whatever its name.
      category: aCategory('What kind of animal is it?'),
      name: aName('What is its name?'),
      quantity: anAmount(
        () => 'How many are there?',
        '1',
        (typed, { status }) => refusalOf(() => openingQuantity(status as PetStatus | undefined, wholeNumber(typed, 'The answer'))),
      ),
    },
    input: async (_, { name, category, status, quantity }, call) => ({
      quantity,
      body: { name: required(name, '--name'), categoryId: await findCategory(call, required(category, '--category'), 'unknown_category'), status },
    }),
    sentence: ({ id, name, category, quantity, status }) => `Pet ${id} (${name}, ${category}) is in the shop: ${quantity} on hand, ${status}.`,
  }),
  changeCommand({
    words: 'pet edit <id...>',
    summary: 'change the name, category or status of pets',
    examples: ['petstore pet edit 7 --name Max', 'petstore pet edit 7 8 --category Cats --dry-run'],
    does: updatePet,
    columns: petColumns,
    flags: {
      name: flag('--name <name>', 'its new name', text),
      category: flag('--category <category>', 'its new category, by id or name', text),
      status: choice('--status <status>', 'its new status', statuses),
    },
    id: petId,
    input: async (id, { name, category, status }, call) => {
      something([name, category, status], '--name, --category or --status');
      const categoryId = category === undefined ? undefined : await findCategory(call, category, 'unknown_category');
      return { petId: id, body: { name, categoryId, status } };
    },
    sentence: ({ id, name, category, status }) => `Pet ${id} is ${name} (${category}), ${status}.`,
  }),
  changeCommand({
    words: 'pet delete <id...>',
    summary: 'delete pets; their last animal is written off',
    examples: ['petstore pet delete 7 --yes', 'petstore pet delete 7 8 --dry-run'],
    does: deletePet,
    columns: petColumns,
    id: petId,
    asks: whichPet,
    input: (id) => ({ petId: id }),
    sentence: ({ id, name }) => `Pet ${id} (${name}) is deleted.`,
    question: (rows) => {
      const named = rows.map(({ id, name }) => `${id} (${name})`);
      return `Delete ${rows.length === 1 ? 'pet' : `${rows.length} pets:`} ${listed(named)}?`;
    },
  }),
  changeCommand({
    words: 'pet hold <id...>',
    summary: 'take pets off sale',
    examples: ['petstore pet hold 7 --note "at the vet"'],
    does: holdPet,
    columns: petColumns,
    id: petId,
    asks: whichPet,
    input: (id) => ({ petId: id }),
    sentence: ({ id, name }) => `Pet ${id} (${name}) is on hold.`,
  }),
  changeCommand({
    words: 'pet release <id...>',
    summary: 'put held pets back on sale',
    examples: ['petstore pet release 7'],
    does: releasePet,
    columns: petColumns,
    id: petId,
    asks: whichPet,
    input: (id) => ({ petId: id }),
    sentence: ({ id, name, status }) => `Pet ${id} (${name}) is released: ${status}.`,
  }),
  petImport,
  listCommand({
    ...listing,
    words: 'pet export',
    summary: 'write all pets as CSV, or as --format says; "pet import" reads it',
    examples: ['petstore pet export', 'petstore pet export --spreadsheet', 'petstore pet export --category Dogs --format ndjson'],
    columns: exportColumns,
    exports: true,
    readsTexts: true,
    input: async ({ search, sort, ...filter }, call) => ({ ...(await petFilterInput(filter, call)), q: search, sort }),
  }),
];
