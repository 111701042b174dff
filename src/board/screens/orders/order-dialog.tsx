import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { NoteField } from '../../parts/forms/note-field.js';
import { orderText, saleText } from '../../parts/order-text.js';
import { useAction, type Action } from '../../state/changes/action.js';
import type { Changes, InputOf } from '../../state/server/contract.js';
import { EditDialog } from './edit-dialog.js';
import type { OrderActionName } from './order-actions.js';
import { OrderLine, useOrderRecord, type OrderDialogProps } from './order-line.js';

interface ConfirmProps<Id extends keyof Changes> extends OrderDialogProps {
  readonly label: string;
  readonly explanation: string;
  readonly action: Action<Id>;
  readonly input: InputOf<Id>;
  readonly isDangerous?: boolean;
}

function ConfirmDialog<Id extends keyof Changes>(props: ConfirmProps<Id>): JSX.Element {
  const { order, label, explanation, action, input, isDangerous, onClose } = props;
  const { record, closeAfter } = useOrderRecord(props);
  const note = useSignal('');
  const submit = async (): Promise<void> => {
    await closeAfter(action.run(input, { ifMatch: record.value.version, note: note.value }));
  };
  return (
    <Dialog title={`${label} order ${order.id}`} onClose={onClose}>
      <OrderLine of={record.value} />
      <p class="explanation">{explanation}</p>
      <ActionForm
        label={`${label} order`}
        leaveLabel="Go back"
        action={action}
        fields={['note']}
        isDangerous={isDangerous === true}
        isConfirmation={isDangerous !== true}
        onSubmit={submit}
        onCancel={onClose}
      >
        <NoteField value={note} refusal={action.refusal.value} isFirst={isDangerous === true} />
      </ActionForm>
    </Dialog>
  );
}

function CompleteDialog(props: OrderDialogProps): JSX.Element {
  const action = useAction('updateOrder', saleText);
  const input = { orderId: props.order.id, body: { complete: true } };
  return <ConfirmDialog {...props} label="Complete" explanation="Its units leave the stock: they are sold." action={action} input={input} />;
}

function ReopenDialog(props: OrderDialogProps): JSX.Element {
  const action = useAction('updateOrder', (order) => `Reopened order ${order.id}: ${orderText(order)}.`);
  const input = { orderId: props.order.id, body: { complete: false } };
  return <ConfirmDialog {...props} label="Reopen" explanation="Its units return to the stock and are reserved again." action={action} input={input} />;
}

function CancelDialog(props: OrderDialogProps): JSX.Element {
  const { order } = props;
  const action = useAction('cancelOrder', (answer) => `Cancelled order ${answer.id}: ${orderText(answer)}.`);
  const explanation = order.petId === undefined ? 'The draft is removed from the lists; the ledger keeps it.' : 'Its units can be sold to others again.';
  return <ConfirmDialog {...props} label="Cancel" explanation={explanation} action={action} input={{ orderId: order.id }} isDangerous />;
}

const dialogs: Readonly<Record<OrderActionName, (props: OrderDialogProps) => JSX.Element>> = {
  complete: CompleteDialog,
  edit: EditDialog,
  cancel: CancelDialog,
  reopen: ReopenDialog,
};

/** The dialog of an action on an order. */
export function OrderDialog({ name, ...props }: OrderDialogProps & { readonly name: OrderActionName }): JSX.Element {
  const Chosen = dialogs[name];
  return <Chosen {...props} />;
}
