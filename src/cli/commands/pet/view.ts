import { repeated } from '../../arguments.js';
import { petArgument } from '../../shared-arguments.js';
import { statusColours } from './pet-columns.js';
import { getPetDetails } from '../../../domain/pets/get-pet-details.js';
import type { PetDetailsRow } from '../../../domain/pets/pet-details.js';
import type { Command } from '../../command.js';
import { viewCommand } from '../../record-command.js';
import { relativeTime, yesNoText, type Columns } from '../../output/view.js';

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

/** The details as the contract has them. */
function detailsRecord(row: PetDetailsRow): unknown {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'hold' && name !== 'lowAt'));
}

/** The command `pet view`. */
export const petView: Command = viewCommand({
  path: ['pet', 'view'],
  aliases: ['show'],
  arguments: { id: repeated(petArgument) },
  summary: 'show pets with their category, stock and version',
  examples: ['petstore pet view 7', 'petstore pet view 7 8 --json'],
  operation: getPetDetails,
  columns: detailColumns,
  record: detailsRecord,
  input: ({ id }) => ({ petId: id }),
});
