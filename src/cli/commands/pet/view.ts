import { repeated } from '../../arguments.js';
import { petArgument } from '../../shared-arguments.js';
import { petRecordColumns } from './pet-columns.js';
import { getPetDetails } from '../../../domain/pets/get-pet-details.js';
import type { PetDetailsRow } from '../../../domain/pets/pet-details.js';
import type { Command } from '../../command.js';
import { viewCommand } from '../../record-command.js';
import type { shownVersion } from '../../../domain/values/version.js';
import type { TimeZone } from '../../../domain/values/time-zone.js';
import { clockText, relativeTime } from '../../output/time-text.js';
import { columnList, yesNoText, type Columns, type ColumnsByName } from '../../output/view.js';

const { id: idColumn, name: nameColumn, ...otherColumns } = petRecordColumns;

/** A code, and the units of one that means several: "4006381333931", "10012345000017×20". */
const codeSummary = ({ code, units }: PetDetailsRow['codes'][number]): string => (units === 1 ? code : `${code}×${units}`);

const dated = (at: string, now: number, zone: TimeZone): string => `${clockText(at, zone)} (${relativeTime(at, now)})`;

const details: ColumnsByName<PetDetailsRow, keyof Omit<PetDetailsRow, 'inventory' | typeof shownVersion> | 'quantity' | 'reserved' | 'available'> = {
  id: idColumn,
  name: nameColumn,
  category: { heading: 'Category', least: 8, leaveOut: 1, value: ({ category }) => category.name },
  ...otherColumns,
  quantity: { heading: 'On hand', value: ({ inventory }) => inventory.quantity, numeric: true },
  reserved: { heading: 'Reserved', value: ({ inventory }) => inventory.reserved, numeric: true },
  available: { heading: 'Available', value: ({ inventory }) => inventory.available, numeric: true },
  hold: { heading: 'On hold', value: ({ hold }) => hold, text: ({ hold }) => yesNoText(hold) },
  lowAt: { heading: 'Low at', value: ({ lowAt }) => lowAt, numeric: true },
  codes: { heading: 'Codes', value: ({ codes }) => codes.map(codeSummary).join(' ') },
  openOrders: { heading: 'Open orders', value: ({ openOrders }) => openOrders, numeric: true },
  version: { heading: 'Version', value: ({ version }) => version, numeric: true },
  createdAt: { heading: 'Created', value: ({ createdAt }) => createdAt, text: ({ createdAt }, now, zone) => dated(createdAt, now, zone) },
  updatedAt: { heading: 'Updated', value: ({ updatedAt }) => updatedAt, text: ({ updatedAt }, now, zone) => dated(updatedAt, now, zone) },
  lastCounted: {
    heading: 'Last counted',
    value: ({ lastCounted }) => lastCounted?.at,
    text: ({ lastCounted }, now, zone) => (lastCounted === undefined ? '' : `${dated(lastCounted.at, now, zone)} by ${lastCounted.by}`),
  },
};

const detailColumns: Columns<PetDetailsRow> = {
  all: columnList(details),
  shown: ['id', 'name', 'category', 'status', 'quantity'],
  json: Object.keys(petRecordColumns),
  id: 'id',
};

/** The details as JSON has them. */
function detailsRecord(row: PetDetailsRow): unknown {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'hold' && name !== 'lowAt'));
}

/** The command `pet view`. */
export const petView: Command = viewCommand({
  path: ['pet', 'view'],
  aliases: ['show', 'get'],
  summary: 'show pets with their category, stock and version',
  arguments: { id: repeated(petArgument) },
  operation: getPetDetails,
  input: ({ id }) => ({ petId: id }),
  columns: detailColumns,
  record: detailsRecord,
  examples: ['petstore pet view 7', 'petstore pet view 7 8 --json'],
});
