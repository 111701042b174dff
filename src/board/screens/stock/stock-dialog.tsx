import type { JSX } from 'preact';
import { numberIn } from '../../parts/forms/field.js';
import { formDialog, type FormDialogProps } from '../../parts/forms/form-dialog.js';
import { numberText, saleText, unitsText } from '../../parts/text.js';
import { call } from '../../state/server/call.js';
import { requiredVersion } from '../../state/session.js';
import type { StockActionName, StockRow } from './stock-actions.js';
import { stockText } from './stock-status.js';

/** What every dialog about the stock of a pet shows. */
const ofStock = {
  pet: ({ name }: StockRow) => name,
  line: stockText,
  read: ({ petId }: StockRow) => call('getInventoryItem', { petId }),
};

const shortage = { type: 'shortage', label: 'Accept fewer units than are reserved' } as const;

const dialogs: Readonly<Record<StockActionName, (props: FormDialogProps<StockRow>) => JSX.Element>> = {
  sell: formDialog({
    ...ofStock,
    operation: 'placeOrder',
    title: 'Sell',
    fields: { quantity: { type: 'number', label: 'Units' } },
    initial: () => ({ quantity: '1' }),
    label: 'Sell',
    input: ({ quantity }, { petId }) => ({ body: { petId, quantity: numberIn(quantity), complete: true } }),
    sentence: saleText,
  }),
  // Refused if another quantity is on hand than the one that was shown.
  count: formDialog({
    ...ofStock,
    operation: 'setInventory',
    title: 'Count',
    fields: { quantity: { type: 'number', label: 'Units counted' }, allowShortage: shortage },
    label: 'Save count',
    input: ({ quantity, allowShortage }, row) => ({ petId: row.petId, expected: row.quantity, allowShortage, body: { quantity: numberIn(quantity) } }),
    ifMatch: ({ version }) => requiredVersion(version),
    sentence: (answer) => `${answer.name} has ${stockText(answer)}.`,
  }),
  adjust: formDialog({
    ...ofStock,
    operation: 'adjustInventory',
    title: 'Receive or write off',
    fields: {
      direction: {
        type: 'select',
        label: 'What happened?',
        choices: [
          { value: 'in', label: 'Received' },
          { value: 'out', label: 'Written off' },
        ],
      },
      delta: { type: 'number', label: 'Units', also: 'quantity' },
      allowShortage: shortage,
    },
    label: ({ direction }) => (direction === 'in' ? 'Receive' : 'Write off'),
    // Units that left are typed with and without a minus.
    input: ({ direction, delta, allowShortage }, { petId }) => ({
      petId,
      allowShortage,
      body: { delta: direction === 'in' ? numberIn(delta) : -Math.abs(numberIn(delta)) },
    }),
    sentence: ({ name, quantity }, { body: { delta } }) =>
      `${delta > 0 ? 'Received' : 'Wrote off'} ${unitsText(Math.abs(delta), name)}, ${numberText(quantity)} on hand.`,
  }),
  lowLevel: formDialog({
    ...ofStock,
    operation: 'setLowAt',
    title: 'Low level of',
    fields: { lowAt: { type: 'number', label: 'Low at or below', hint: 'In units that are not reserved. Empty: the level of the shop applies.' } },
    initial: ({ lowAt }) => ({ lowAt: lowAt === undefined ? '' : String(lowAt) }),
    label: 'Save level',
    hasNote: false,
    input: ({ lowAt }, { petId }) => ({ petId, body: lowAt.trim() === '' ? {} : { lowAt: numberIn(lowAt) } }),
    ifMatch: ({ version }) => version,
    sentence: ({ name, lowAt }) => `${name} is ${lowAt === undefined ? 'never low' : `low at ${numberText(lowAt)}`}.`,
  }),
  hold: formDialog({
    ...ofStock,
    operation: 'holdPet',
    title: 'Put on hold:',
    line: () => 'It cannot be sold until it is released.',
    fields: {},
    label: 'Put on hold',
    input: (_, { petId }) => ({ petId }),
    ifMatch: ({ version }) => version,
    sentence: ({ name }) => `Put ${name} on hold.`,
  }),
  release: formDialog({
    ...ofStock,
    operation: 'releasePet',
    title: 'Release:',
    line: () => 'It can be sold again.',
    fields: {},
    label: 'Release',
    input: (_, { petId }) => ({ petId }),
    ifMatch: ({ version }) => version,
    sentence: ({ name, status }) => `Released ${name}: ${status}.`,
  }),
};

/** The dialog of an action on the stock of a pet. */
export function StockDialog({ name, ...props }: FormDialogProps<StockRow> & { readonly name: StockActionName }): JSX.Element {
  const Chosen = dialogs[name];
  return <Chosen {...props} />;
}
