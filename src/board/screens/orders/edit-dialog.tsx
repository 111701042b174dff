import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { typedNumber } from '../../parts/forms/field.js';
import type { ChosenPet } from '../../parts/forms/pet-field.js';
import { orderText } from '../../parts/order-text.js';
import { inertText } from '../../parts/text.js';
import { useAction } from '../../state/changes/action.js';
import { localTime, orderFieldNames, OrderFields, typedInstant } from './order-fields.js';
import { OrderLine, useOrderRecord, type OrderDialogProps } from './order-line.js';

/** Changes an open order. Only the fields that were edited are sent: others may have been changed by somebody else. */
export function EditDialog({ order, onClose }: OrderDialogProps): JSX.Element {
  const { record, reread } = useOrderRecord(order);
  const before = {
    pet: { text: inertText(order.pet ?? String(order.petId ?? '')), id: order.petId },
    quantity: String(order.quantity ?? ''),
    shipDate: localTime(order.shipDate),
  };
  const values = {
    pet: useSignal<ChosenPet>(before.pet),
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
    else if (await change.run({ orderId: order.id, body }, { ifMatch: record.value.version, note: note.value })) onClose();
    else await reread();
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
