import { repeated, optional, argument } from '../../arguments.js';
import type { Command } from '../../command.js';
import { listCommand } from '../../list-command.js';
import { namePrompt } from '../../prompts/shared-prompts.js';
import { textArgument, scannedPetArgument } from '../../shared-arguments.js';
import { type Column, columnsOf } from '../../output/view.js';
import { withCodes, type CodedPet, listedPetColumns, petListing } from '../pet/pet-fields.js';
import { returnUnits, type ReturnedUnits } from '../../../domain/orders/return-units.js';
import { completeRecords } from '../../completion/completers.js';
import { flag } from '../../flags.js';
import { unitsText } from '../../output/numbers.js';
import { idOf, unitCount } from '../../readers.js';
import { changeCommand } from '../../record-command.js';

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
  summary: 'find pets by part of their name, an id or a code, with their stock',
  arguments: { text: repeated({ ...textArgument, prompt: namePrompt('Part of the name, an id or a code:') }) },
  operation,
  columns: { ...listedPetColumns, all: [...listedPetColumns.all, codesColumn], shown: counterColumns, json: [...listedPetColumns.json, 'codes'] },
  added: { isNeeded: (shown) => shown.includes('codes'), add: withCodes },
  input: ({ text }) => ({ q: text.join(' '), sort: 'name' }),
  examples: ['petstore find tetra', 'petstore find neon tetra --json', 'petstore find 4006381333931'],
});

const returnColumns = columnsOf<ReturnedUnits, keyof ReturnedUnits>({
  orderId: { heading: 'Order', numeric: true },
  petId: { heading: 'Pet ID', numeric: true },
  name: { heading: 'Pet', least: 12 },
  quantity: { heading: 'Quantity', numeric: true },
  returned: { heading: 'Returned', numeric: true },
  available: { heading: 'Available', numeric: true },
});

/** The command `return`. */
export const returnCommand: Command = changeCommand({
  path: ['return'],
  summary: 'take back units of a sale; they are on hand again',
  arguments: { pet: scannedPetArgument, quantity: optional(argument({ read: (text, { subject }) => unitCount(text, subject) })) },
  flags: {
    order: flag({
      long: 'order',
      value: 'id',
      summary: 'the order of the sale; without it, the last sale with enough units',
      read: idOf('order'),
      complete: completeRecords('completeOrder'),
    }),
  },
  operation: returnUnits,
  input: ({ pet: { petId, units }, quantity = 1, order }) => ({ body: { petId, quantity: quantity * units, ...(order !== undefined && { orderId: order }) } }),
  columns: returnColumns,
  sentence: ({ quantity, name, orderId, available }, verb, { pet: { units } }) =>
    `${verb('Returned', 'Would return')} ${unitsText(quantity / units, units)} × ${name} of order ${orderId}: ${Math.max(0, available - quantity)} → ${available} available`,
  examples: ['petstore return 7', 'petstore return Guppy 2 --order 16 --note "ill"'],
});
