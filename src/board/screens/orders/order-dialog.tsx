import type { ComponentChildren, JSX } from 'preact';
import type { OrderFields } from '../../../domain/orders/order.js';
import type { Patch } from '../../../domain/values/fields.js';
import { editedValues, numberIn } from '../../parts/forms/field.js';
import { formDialog, type FormDialogProps, type FormField } from '../../parts/forms/form-dialog.js';
import { inertText, numberText, orderText, saleText, unitsText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { call } from '../../state/server/call.js';
import { petOf } from '../../state/typed-pet.js';
import type { OrderActionName, OrderRow } from './order-actions.js';

function line(order: OrderRow): ComponentChildren {
  return (
    <>
      <bdi>{inertText(orderText(order))}</bdi>, {order.overdue ? 'overdue' : order.state}
      {order.state !== 'complete' && order.shipDate !== undefined && (
        <>
          , ships <Time at={order.shipDate} />
        </>
      )}
    </>
  );
}

/** What every dialog about an order shows. */
const ofOrder = { line, read: ({ id }: OrderRow) => call('getOrder', { orderId: id }), ifMatch: ({ version }: OrderRow) => version };

/** A local time, such as 2026-12-24T09:00, as an instant; undefined for none. */
function typedInstant(text: string): string | undefined {
  return text === '' ? undefined : new Date(text).toISOString();
}

/** An instant as `<input type="datetime-local">` takes it; empty for none. */
function localTime(at: string | undefined): string {
  if (at === undefined) return '';
  const instant = new Date(at);
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const orderFields = {
  petId: { type: 'pet', label: 'Pet' },
  quantity: { type: 'number', label: 'Units' },
  shipDate: { type: 'datetime-local', label: 'Ship date (optional)' },
} as const satisfies Readonly<Record<keyof OrderFields, FormField>>;

/** Places an order that is fulfilled later; without a pet it is a draft. */
export const PlaceDialog = formDialog({
  operation: 'placeOrder',
  title: 'Place order',
  fields: { ...orderFields, petId: { ...orderFields.petId, hint: 'By name or ID. Without a pet the order is a draft.' } },
  initial: () => ({ quantity: '1' }),
  label: 'Place order',
  input: ({ petId, quantity, shipDate }) => {
    const body: Required<OrderFields> = { petId: petId.id, quantity: numberIn(quantity), shipDate: typedInstant(shipDate) };
    return { body };
  },
  sentence: (order) => (order.state === 'draft' ? `Saved order ${order.id} as a draft.` : `Reserved ${orderText(order)} (order ${order.id}).`),
});

/** Changes an open order. Only the fields that were edited are sent: others may have been changed by somebody else. */
const editDialog = (needsPet: boolean) =>
  formDialog({
    ...ofOrder,
    operation: 'updateOrder',
    title: ({ id }) => `Edit order ${id}`,
    fields: { ...orderFields, petId: { ...orderFields.petId, isRequired: needsPet } },
    initial: ({ pet, petId, quantity, shipDate }) => ({
      petId: petId === undefined ? petOf('') : { text: inertText(pet ?? String(petId)), id: petId },
      quantity: String(quantity ?? ''),
      shipDate: localTime(shipDate),
    }),
    label: 'Save',
    input: (typed, _, shown) => {
      const before = { petId: shown.petId, quantity: String(shown.quantity ?? ''), shipDate: localTime(shown.shipDate) };
      const values: Required<Patch<OrderFields>> = {
        petId: typed.petId.id,
        quantity: numberIn(typed.quantity),
        shipDate: typedInstant(typed.shipDate) ?? null,
      };
      const body = editedValues(values, before, { ...typed, petId: typed.petId.id });
      return body && { orderId: shown.id, body };
    },
    sentence: (answer) => `Changed order ${answer.id}: ${orderText(answer)}.`,
  });

const [EditOrder, EditDraft] = [editDialog(true), editDialog(false)];

const dialogs: Readonly<Record<OrderActionName, (props: FormDialogProps<OrderRow>) => JSX.Element>> = {
  complete: formDialog({
    ...ofOrder,
    operation: 'updateOrder',
    title: ({ id }) => `Complete order ${id}`,
    explanation: () => 'Its units leave the stock: they are sold.',
    fields: {},
    label: 'Complete order',
    input: (_, { id }) => ({ orderId: id, body: { complete: true } }),
    sentence: saleText,
  }),
  return: formDialog({
    line,
    read: ofOrder.read,
    operation: 'returnUnits',
    title: ({ id }) => `Return units of order ${id}`,
    explanation: () => 'They are on hand again; the order stays complete.',
    fields: { quantity: { type: 'number', label: 'Units that come back' } },
    initial: () => ({ quantity: '1' }),
    label: 'Return',
    input: ({ quantity }, { id, petId = 0 }) => ({ body: { petId, quantity: numberIn(quantity), orderId: id } }),
    sentence: ({ quantity, name, orderId, available }) => `Returned ${unitsText(quantity, name)} of order ${orderId}, ${numberText(available)} available.`,
  }),
  reopen: formDialog({
    ...ofOrder,
    operation: 'updateOrder',
    title: ({ id }) => `Reopen order ${id}`,
    explanation: () => 'Its units return to the stock and are reserved again.',
    fields: {},
    label: 'Reopen order',
    input: (_, { id }) => ({ orderId: id, body: { complete: false } }),
    sentence: (order) => `Reopened order ${order.id}: ${orderText(order)}.`,
  }),
  edit: (props) => (props.row.petId === undefined ? <EditDraft {...props} /> : <EditOrder {...props} />),
  cancel: formDialog({
    ...ofOrder,
    operation: 'cancelOrder',
    title: ({ id }) => `Cancel order ${id}`,
    explanation: ({ petId }) => (petId === undefined ? 'The draft is removed from the lists; the ledger keeps it.' : 'Its units can be sold to others again.'),
    fields: {},
    label: 'Cancel order',
    isDangerous: true,
    input: (_, { id }) => ({ orderId: id }),
    sentence: (order) => `Cancelled order ${order.id}: ${orderText(order)}.`,
  }),
};

/** The dialog of an action on an order. */
export function OrderDialog({ name, ...props }: FormDialogProps<OrderRow> & { readonly name: OrderActionName }): JSX.Element {
  const Chosen = dialogs[name];
  return <Chosen {...props} />;
}
