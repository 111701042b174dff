import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { OrderFields as OrderValues } from '../../../domain/orders/order.js';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { typedNumber } from '../../parts/forms/field.js';
import { orderText } from '../../parts/order-text.js';
import { useAction } from '../../state/changes/action.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { noPet } from '../../state/typed-pet.js';
import { orderFieldNames, OrderFields, typedInstant } from './order-fields.js';

function sentence(order: AnswerOf<'placeOrder'>): string {
  return order.state === 'draft' ? `Saved order ${order.id} as a draft.` : `Reserved ${orderText(order)} (order ${order.id}).`;
}

/** Places an order that is fulfilled later; without a pet it is a draft. */
export function PlaceDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const values = { pet: useSignal(noPet), quantity: useSignal('1'), shipDate: useSignal(''), note: useSignal('') };
  const order = useAction('placeOrder', sentence);
  const submit = async (): Promise<void> => {
    const body: Required<OrderValues> = { petId: values.pet.value.id, quantity: typedNumber(values.quantity), shipDate: typedInstant(values.shipDate) };
    if (await order.run({ body }, { note: values.note.value })) onClose();
  };
  return (
    <Dialog title="Place order" onClose={onClose}>
      <ActionForm label="Place order" action={order} fields={orderFieldNames} onSubmit={submit} onCancel={onClose}>
        <OrderFields of={values} refusal={order.refusal.value} petHint="By name or ID. Without a pet the order is a draft." needsPet={false} />
      </ActionForm>
    </Dialog>
  );
}
