import { available } from '../../../domain/inventory/stock.js';
import { type PetStatus, petStatuses } from '../../../domain/pets/pet-status.js';
import type { Pet, PetFields, PetRow } from '../../../domain/pets/pet.js';
import type { Patch } from '../../../domain/values/fields.js';
import type { Versioned } from '../../../domain/values/version.js';
import { type Flag, type FlagValues, choice, flag, repeatedChoice, sortBy, recordFlag, recordsFlag, toggle } from '../../flags.js';
import type { Paint } from '../../output/colours.js';
import { type Columns, type ColumnsByName, columnsOf } from '../../output/view.js';
import { anyText } from '../../readers.js';
import { findCategoryToFilter } from '../../../domain/categories/find-category.js';
import type { Call } from '../../../domain/call.js';
import { listPets } from '../../../domain/pets/list-pets.js';
import type { CodeOfPet } from '../../../domain/codes/codes-cell.js';
import { listCodes } from '../../../domain/codes/list-codes.js';
import { allRows, rowsOfPets } from '../../../domain/all-pages.js';

/** The colours of statuses. */
export const statusColours: Record<PetStatus, keyof Paint> = { available: 'green', pending: 'yellow', sold: 'dim' };

/** The columns of the record of a pet, which every list of pets has; `--json` prints them by default. */
export const petRecordColumns = {
  id: { heading: 'ID', numeric: true },
  name: { heading: 'Name', least: 8 },
  categoryId: { heading: 'Category ID', numeric: true },
  status: { heading: 'Status', leaveOut: 2, dot: true, colour: ({ status }) => statusColours[status] },
} as const satisfies ColumnsByName<Pet, keyof Pet>;

const { id: idColumn, name: nameColumn, ...otherColumns } = petRecordColumns;

/** The columns of a list of pets. */
export const petColumns = columnsOf<PetRow, keyof Omit<PetRow, keyof Versioned> | 'available'>(
  {
    id: idColumn,
    name: nameColumn,
    category: { heading: 'Category', least: 8, leaveOut: 1 },
    ...otherColumns,
    quantity: { heading: 'On hand', numeric: true },
    reserved: { heading: 'Reserved', numeric: true },
    available: { heading: 'Available', value: available, numeric: true },
    hold: { heading: 'On hold' },
    lowAt: { heading: 'Low at', numeric: true },
  },
  { shown: ['id', 'name', 'category', 'status', 'quantity'], json: Object.keys(petRecordColumns) },
);

/** The same for commands that list pets: their JSON has the category and the stock too. */
export const listedPetColumns: Columns<PetRow> = { ...petColumns, json: [...petColumns.json, 'category', 'quantity', 'reserved', 'available'] };

/** The names of the flags for the fields of a pet. */
export type PetFlagName = keyof Omit<PetFields, 'categoryId'> | 'category' | 'status';

/** The flags for the fields of a pet; `article` begins their summaries. */
export function petFlags(article: 'the' | 'the new') {
  return {
    name: flag({ long: 'name', value: 'name', summary: `${article} name`, read: anyText }),
    category: recordFlag('category', `${article} category, by id or name`),
    status: choice({ long: 'status', value: 'status', summary: `${article} status`, choices: petStatuses }),
  } satisfies Readonly<Record<PetFlagName, Flag<unknown>>>;
}

type PetFlagValues = FlagValues<ReturnType<typeof petFlags>>;

type Change = Patch<PetFields> & { readonly status?: PetStatus | undefined };

/** The fields of a pet to change, from their flags; `categoryId` is found by `category`. */
export function petChange({ name, status }: Partial<Omit<PetFlagValues, 'category'>>, categoryId: number | undefined): Required<Change> {
  return { name, categoryId, status };
}

/** The filters of lists of pets. */
export const petFilterFlags = {
  status: repeatedChoice({ long: 'status', value: 'status', summary: 'only pets of this status; may be repeated', choices: petStatuses }),
  category: recordsFlag('category', 'only pets of a category, by id or name; may be repeated'),
};

const search = flag({ long: 'search', value: 'text', summary: 'only pets with this part of a name, this id or code', read: anyText });

/** The same with the search in the names of pets. */
export const petSearchFlags = { ...petFilterFlags, search };

/** The values of these flags as the input of an operation; finds categories by name. */
export async function petFilterInput({ status, category, search: q }: Partial<FlagValues<typeof petSearchFlags>>, call: Call) {
  const categoryId: number[] = [];
  for (const one of category ?? []) categoryId.push(await findCategoryToFilter(call, one));
  return { ...(status && { status: [...new Set(status)] }), ...(category && { categoryId }), q };
}

/** The filters of lists of inventory. */
export const stockFilterFlags = {
  low: toggle({ long: 'low', summary: 'only pets at or below their low-stock level' }),
  short: toggle({ long: 'short', summary: 'only pets with more units reserved than on hand' }),
  ...petSearchFlags,
};

/** The values of these flags as the input of an operation. */
export async function stockFilterInput({ low, short, ...filter }: FlagValues<typeof stockFilterFlags>, call: Call) {
  return { ...(await petFilterInput(filter, call)), low: low === true, short: short === true };
}

const listFlags = { ...petSearchFlags, sort: sortBy(['id', 'name']) };

/** What a list of pets and its export share. */
export const petListing = {
  operation: listPets,
  columns: petColumns,
  flags: listFlags,
  input: async ({ sort, ...filter }: FlagValues<typeof listFlags>, call: Call) => ({ ...(await petFilterInput(filter, call)), sort }),
} as const;

/** A pet with its codes, which are read for the rows that show them. */
export interface CodedPet extends PetRow {
  readonly codes?: readonly CodeOfPet[];
}

/** Adds the codes of pets. */
export async function withCodes(call: Call, rows: readonly CodedPet[]): Promise<readonly CodedPet[]> {
  const found = new Map<number, CodeOfPet[]>(rows.map(({ id }) => [id, []]));
  const codes = await rowsOfPets([...found.keys()], (petId) => allRows(call, listCodes, { petId }));
  for (const { petId, code, units } of codes) found.get(petId)?.push({ code, units });
  return rows.map((row) => ({ ...row, codes: found.get(row.id) ?? [] }));
}
