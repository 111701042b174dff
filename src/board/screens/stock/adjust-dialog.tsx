import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/forms/action-form.js';
import { AllowShortage } from '../../parts/forms/allow-shortage.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { Field, typedNumber } from '../../parts/forms/field.js';
import { NoteField } from '../../parts/forms/note-field.js';
import { RadioField } from '../../parts/forms/radio-field.js';
import { numberText, unitsText } from '../../parts/text.js';
import { useAction } from '../../state/changes/action.js';
import { StockLine, useStockRecord, type StockDialogProps } from './stock-line.js';

const directions = [
  { value: 'in', label: 'Received' },
  { value: 'out', label: 'Written off' },
] as const;

/** Adds units of a delivery, or removes units that died, broke or were lost. */
export function AdjustDialog(props: StockDialogProps): JSX.Element {
  const { row, onClose } = props;
  const { record, closeAfter } = useStockRecord(props);
  const direction = useSignal<'in' | 'out'>('in');
  const units = useSignal('');
  const allowShortage = useSignal(false);
  const note = useSignal('');
  const change = useAction('adjustInventory', ({ name, quantity }, { body: { delta } }) => {
    const verb = delta > 0 ? 'Received' : 'Wrote off';
    return `${verb} ${unitsText(Math.abs(delta), name)}, ${numberText(quantity)} on hand.`;
  });
  const submit = async (): Promise<void> => {
    // Units that left are typed with and without a minus.
    const delta = direction.value === 'in' ? typedNumber(units) : -Math.abs(typedNumber(units));
    const input = { petId: row.petId, allowShortage: allowShortage.value, body: { delta } };
    await closeAfter(change.run(input, { note: note.value }));
  };
  const { value: refusal } = change.refusal;
  return (
    <Dialog title="Receive or write off" pet={row.name} onClose={onClose}>
      <StockLine of={record.value} />
      <ActionForm
        label={direction.value === 'in' ? 'Receive' : 'Write off'}
        action={change}
        fields={['delta', 'quantity', 'note']}
        onSubmit={submit}
        onCancel={onClose}
      >
        <RadioField label="What happened?" value={direction} choices={directions} />
        <Field label="Units" name={refusal?.field === 'quantity' ? 'quantity' : 'delta'} type="number" value={units} refusal={refusal} isFirst />
        <AllowShortage value={allowShortage} refusal={refusal} />
        <NoteField value={note} refusal={refusal} />
      </ActionForm>
    </Dialog>
  );
}
