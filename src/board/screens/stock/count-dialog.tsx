import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/forms/action-form.js';
import { AllowShortage } from '../../parts/forms/allow-shortage.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { Field, typedNumber } from '../../parts/forms/field.js';
import { NoteField } from '../../parts/forms/note-field.js';
import { useAction } from '../../state/changes/action.js';
import { requiredVersion } from '../../state/session.js';
import { StockLine, stockText, useStockRecord, type StockDialogProps } from './stock-line.js';

/** Sets the stock to a count. It is refused if another quantity is on hand than the one that was shown. */
export function CountDialog(props: StockDialogProps): JSX.Element {
  const { row, onClose } = props;
  const { record, closeAfter } = useStockRecord(props);
  const counted = useSignal('');
  const allowShortage = useSignal(false);
  const note = useSignal('');
  const count = useAction('setInventory', (answer) => `${answer.name} has ${stockText(answer)}.`);
  const submit = async (): Promise<void> => {
    const { quantity: expected, version } = record.value;
    const input = { petId: row.petId, expected, allowShortage: allowShortage.value, body: { quantity: typedNumber(counted) } };
    await closeAfter(count.run(input, { ifMatch: requiredVersion(version), note: note.value }));
  };
  return (
    <Dialog title="Count" pet={row.name} onClose={onClose}>
      <StockLine of={record.value} />
      <ActionForm label="Save count" action={count} fields={['quantity', 'note']} onSubmit={submit} onCancel={onClose}>
        <Field label="Units counted" name="quantity" type="number" value={counted} refusal={count.refusal.value} isFirst />
        <AllowShortage value={allowShortage} refusal={count.refusal.value} />
        <NoteField value={note} refusal={count.refusal.value} />
      </ActionForm>
    </Dialog>
  );
}
