import type { PetRow } from '../../../domain/pets/pet.js';
import { available } from '../../../domain/inventory/stock.js';
import type { PetStatus } from '../../../domain/pets/pet-status.js';
import type { Paint } from '../../output/colours.js';
import { yesNoText, type Columns } from '../../output/view.js';

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
