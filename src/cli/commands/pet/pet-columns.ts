import type { Pet, PetRow } from '../../../domain/pets/pet.js';
import { available } from '../../../domain/inventory/stock.js';
import type { PetStatus } from '../../../domain/pets/pet-status.js';
import type { Paint } from '../../output/colours.js';
import type { Versioned } from '../../../domain/values/version.js';
import { columnList, yesNoText, type Columns, type ColumnsByName } from '../../output/view.js';

/** The colours of statuses. */
export const statusColours: Record<PetStatus, keyof Paint> = { available: 'green', pending: 'yellow', sold: 'dim' };

/** The columns of the record of a pet, which every list of pets has; `--json` prints them by default. */
export const petRecordColumns = {
  id: { heading: 'ID', value: ({ id }) => id, numeric: true },
  name: { heading: 'Name', least: 8, value: ({ name }) => name },
  categoryId: { heading: 'Category ID', value: ({ categoryId }) => categoryId, numeric: true },
  status: { heading: 'Status', leaveOut: 2, dot: true, value: ({ status }) => status, colour: ({ status }) => statusColours[status] },
} as const satisfies ColumnsByName<Pet, keyof Pet>;

const { id: idColumn, name: nameColumn, ...otherColumns } = petRecordColumns;

const listed: ColumnsByName<PetRow, keyof Omit<PetRow, keyof Versioned> | 'available'> = {
  id: idColumn,
  name: nameColumn,
  category: { heading: 'Category', least: 8, leaveOut: 1, value: ({ category }) => category },
  ...otherColumns,
  quantity: { heading: 'On hand', value: ({ quantity }) => quantity, numeric: true },
  reserved: { heading: 'Reserved', value: ({ reserved }) => reserved, numeric: true },
  available: { heading: 'Available', value: (row) => available(row), numeric: true },
  hold: { heading: 'On hold', value: ({ hold }) => hold, text: ({ hold }) => yesNoText(hold) },
  lowAt: { heading: 'Low at', value: ({ lowAt }) => lowAt, numeric: true },
};

/** The columns of a list of pets. */
export const petColumns: Columns<PetRow> = {
  all: columnList(listed),
  shown: ['id', 'name', 'category', 'status', 'quantity'],
  json: Object.keys(petRecordColumns),
  id: 'id',
};
