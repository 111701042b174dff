import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { Field, typedNumber } from '../../parts/forms/field.js';
import { NoteField } from '../../parts/forms/note-field.js';
import { saleText } from '../../parts/order-text.js';
import { useAction } from '../../state/changes/action.js';
import { StockLine, useStockRecord, type StockDialogProps } from './stock-line.js';

/** Sells units over the counter. */
export function SellDialog(props: StockDialogProps): JSX.Element {
  const { row, onClose } = props;
  const { record, closeAfter } = useStockRecord(props);
  const units = useSignal('1');
  const note = useSignal('');
  const sale = useAction('placeOrder', saleText);
  const submit = async (): Promise<void> => {
    const input = { body: { petId: row.petId, quantity: typedNumber(units), complete: true } };
    await closeAfter(sale.run(input, { note: note.value }));
  };
  return (
    <Dialog title="Sell" pet={row.name} onClose={onClose}>
      <StockLine of={record.value} />
      <ActionForm label="Sell" action={sale} fields={['quantity', 'note']} onSubmit={submit} onCancel={onClose}>
        <Field label="Units" name="quantity" type="number" value={units} refusal={sale.refusal.value} isFirst />
        <NoteField value={note} refusal={sale.refusal.value} />
      </ActionForm>
    </Dialog>
  );
}
