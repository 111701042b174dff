import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { Field, typedNumber } from '../../parts/forms/field.js';
import { Name } from '../../parts/name.js';
import { numberText } from '../../parts/text.js';
import { useAction } from '../../state/changes/action.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { StockLine, unitsText, useStockRecord, type StockDialogProps } from './stock-line.js';

function sentence({ id, pet = 'pet', quantity = 1, available }: AnswerOf<'placeOrder'>): string {
  const left = available === undefined ? '' : `, ${numberText(Math.max(0, available))} left`;
  return `Sold ${unitsText(quantity, pet)}${left} (order ${id}).`;
}

/** Sells units over the counter. */
export function SellDialog({ row, onClose }: StockDialogProps): JSX.Element {
  const { record, reread } = useStockRecord(row);
  const units = useSignal('1');
  const note = useSignal('');
  const sale = useAction('placeOrder', sentence);
  const submit = async (): Promise<void> => {
    const input = { body: { petId: row.petId, quantity: typedNumber(units), complete: true } };
    if (await sale.run(input, { note: note.value })) onClose();
    else await reread();
  };
  return (
    <Dialog
      title={
        <>
          Sell <Name of={row.name} />
        </>
      }
      onClose={onClose}
    >
      <StockLine of={record.value} />
      <ActionForm label="Sell" action={sale} fields={['quantity']} onSubmit={submit} onCancel={onClose}>
        <Field label="Units" name="quantity" type="number" value={units} refusal={sale.refusal.value} isFirst />
        <Field label="Note (optional)" name="note" value={note} />
      </ActionForm>
    </Dialog>
  );
}
