import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/action-form.js';
import { Choice } from '../../parts/choice.js';
import { Dialog } from '../../parts/dialog.js';
import { Check, Field, typedNumber } from '../../parts/field.js';
import { Name } from '../../parts/name.js';
import { numberText } from '../../parts/text.js';
import { useAction } from '../../state/action.js';
import { StockLine, unitsText, useSeenStock, type StockDialogProps } from './seen-stock.js';

const directions = [
  { value: 'in', label: 'Received' },
  { value: 'out', label: 'Written off' },
] as const;

/** Adds units of a delivery, or removes units that died, broke or were lost. */
export function AdjustDialog({ row, onClose }: StockDialogProps): JSX.Element {
  const { seen, look } = useSeenStock(row);
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
    else await look();
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
      <StockLine of={seen.value} />
      <ActionForm label="Save" action={change} fields={['delta', 'quantity']} onSubmit={submit} onCancel={onClose}>
        <Choice label="What happened?" value={direction} choices={directions} />
        <Field label="Units" name={refusal?.field ?? 'delta'} type="number" value={units} refusal={refusal} isFirst />
        {(refusal?.code === 'stock_reserved' || allowShortage.value) && <Check label="Accept fewer units than are reserved" value={allowShortage} />}
        <Field label="Note (optional)" name="note" value={note} />
      </ActionForm>
    </Dialog>
  );
}
