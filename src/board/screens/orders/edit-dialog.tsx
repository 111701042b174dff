import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { OrderFields as OrderValues } from '../../../domain/orders/order.js';
import type { Patch } from '../../../domain/values/fields.js';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { editedValues, typedNumber } from '../../parts/forms/field.js';
import { orderText } from '../../parts/order-text.js';
import { inertText } from '../../parts/text.js';
import { useAction } from '../../state/changes/action.js';
import type { TypedPet } from '../../state/typed-pet.js';
import { localTime, orderFieldNames, OrderFields, typedInstant } from './order-fields.js';
import { OrderLine, useOrderRecord, type OrderDialogProps } from './order-line.js';

/** What the fields of an order show: the id of the pet that is named, and texts. */
type Shown = Readonly<Record<keyof Omit<OrderValues, 'petId'>, string>> & { readonly petId: number | undefined };

/** Changes an open order. Only the fields that were edited are sent: others may have been changed by somebody else. */
export function EditDialog(props: OrderDialogProps): JSX.Element {
  const { order, onClose } = props;
  const { record, closeAfter } = useOrderRecord(props);
  const before: Shown = { petId: order.petId, quantity: String(order.quantity ?? ''), shipDate: localTime(order.shipDate) };
  const values = {
    pet: useSignal<TypedPet>({ text: inertText(order.pet ?? String(order.petId ?? '')), id: order.petId }),
    quantity: useSignal(before.quantity),
    shipDate: useSignal(before.shipDate),
    note: useSignal(''),
  };
  const change = useAction('updateOrder', (answer) => `Changed order ${answer.id}: ${orderText(answer)}.`);
  const submit = async (): Promise<void> => {
    const { pet, quantity, shipDate, note } = values;
    const typed: Shown = { petId: pet.value.id, quantity: quantity.value, shipDate: shipDate.value };
    const edited: Required<Patch<OrderValues>> = { petId: typed.petId, quantity: typedNumber(quantity), shipDate: typedInstant(shipDate) ?? null };
    const body = editedValues(edited, before, typed);
    if (Object.keys(body).length === 0) onClose();
    else await closeAfter(change.run({ orderId: order.id, body }, { ifMatch: record.value.version, note: note.value }));
  };
  return (
    <Dialog title={`Edit order ${order.id}`} onClose={onClose}>
      <OrderLine of={record.value} />
      <ActionForm label="Save" action={change} fields={orderFieldNames} onSubmit={submit} onCancel={onClose}>
        <OrderFields of={values} refusal={change.refusal.value} needsPet={order.petId !== undefined} />
      </ActionForm>
    </Dialog>
  );
}
