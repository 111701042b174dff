import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { typedNumber } from '../../parts/forms/field.js';
import { orderText } from '../../parts/order-text.js';
import { inertText } from '../../parts/text.js';
import { useAction } from '../../state/changes/action.js';
import type { TypedPet } from '../../state/typed-pet.js';
import { localTime, orderFieldNames, OrderFields, typedInstant } from './order-fields.js';
import { OrderLine, useOrderRecord, type OrderDialogProps } from './order-line.js';

/** Changes an open order. Only the fields that were edited are sent: others may have been changed by somebody else. */
export function EditDialog(props: OrderDialogProps): JSX.Element {
  const { order, onClose } = props;
  const { record, closeAfter } = useOrderRecord(props);
  const before = {
    pet: { text: inertText(order.pet ?? String(order.petId ?? '')), id: order.petId },
    quantity: String(order.quantity ?? ''),
    shipDate: localTime(order.shipDate),
  };
  const values = {
    pet: useSignal<TypedPet>(before.pet),
    quantity: useSignal(before.quantity),
    shipDate: useSignal(before.shipDate),
    note: useSignal(''),
  };
  const change = useAction('updateOrder', (answer) => `Changed order ${answer.id}: ${orderText(answer)}.`);
  const submit = async (): Promise<void> => {
    const { pet, quantity, shipDate, note } = values;
    const body = {
      ...(pet.value.id !== before.pet.id && { petId: pet.value.id }),
      ...(quantity.value !== before.quantity && { quantity: typedNumber(quantity) }),
      ...(shipDate.value !== before.shipDate && { shipDate: typedInstant(shipDate) ?? null }),
    };
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
