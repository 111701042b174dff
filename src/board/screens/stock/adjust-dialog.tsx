import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { CheckboxField, Field, typedNumber } from '../../parts/forms/field.js';
import { RadioField } from '../../parts/forms/radio-field.js';
import { Name } from '../../parts/name.js';
import { numberText } from '../../parts/text.js';
import { useAction } from '../../state/changes/action.js';
import { StockLine, unitsText, useStockRecord, type StockDialogProps } from './stock-line.js';

const directions = [
  { value: 'in', label: 'Received' },
  { value: 'out', label: 'Written off' },
] as const;

/** Adds units of a delivery, or removes units that died, broke or were lost. */
export function AdjustDialog({ row, onClose }: StockDialogProps): JSX.Element {
  const { record, reread } = useStockRecord(row);
  const direction = useSignal<'in' | 'out'>('in');
  const units = useSignal('');
  const allowShortage = useSignal(false);
  const note = useSignal('');
  const change = useAction('adjustInventory', ({ name, quantity }, { body: { delta } }) => {
    const verb = delta > 0 ? 'Received' : 'Wrote off';
    return `${verb} ${unitsText(Math.abs(delta), name)}, ${numberText(quantity)} on hand.`;
  });
  const submit = async (): Promise<void> => {
    const delta = direction.value === 'in' ? typedNumber(units) : -typedNumber(units);
    const input = { petId: row.petId, allowShortage: allowShortage.value, body: { delta } };
    if (await change.run(input, { note: note.value })) onClose();
    else await reread();
  };
  const { value: refusal } = change.refusal;
  return (
    <Dialog
      title={
        <>
          Receive or write off <Name of={row.name} />
        </>
      }
      onClose={onClose}
    >
      <StockLine of={record.value} />
      <ActionForm label="Save" action={change} fields={['delta', 'quantity']} onSubmit={submit} onCancel={onClose}>
        <RadioField label="What happened?" value={direction} choices={directions} />
        <Field label="Units" name={refusal?.field ?? 'delta'} type="number" value={units} refusal={refusal} isFirst />
        {(refusal?.code === 'stock_reserved' || allowShortage.value) && <CheckboxField label="Accept fewer units than are reserved" value={allowShortage} />}
        <Field label="Note (optional)" name="note" value={note} />
      </ActionForm>
    </Dialog>
  );
}
