import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { Field, typedNumber } from '../../parts/forms/field.js';
import { numberText } from '../../parts/text.js';
import { useAction } from '../../state/changes/action.js';
import { StockLine, useStockRecord, type StockDialogProps } from './stock-line.js';

/** Sets the level at or below which a pet is low; an empty field leaves it to the level of the shop. */
export function LowLevelDialog(props: StockDialogProps): JSX.Element {
  const { row, onClose } = props;
  const { record, closeAfter } = useStockRecord(props);
  const level = useSignal(row.lowAt === undefined ? '' : String(row.lowAt));
  const change = useAction('setLowAt', ({ name, lowAt }) => `${name} is ${lowAt === undefined ? 'never low' : `low at ${numberText(lowAt)}`}.`);
  const submit = async (): Promise<void> => {
    const body = level.value.trim() === '' ? {} : { lowAt: typedNumber(level) };
    await closeAfter(change.run({ petId: row.petId, body }, { ifMatch: record.value.version }));
  };
  const hint = 'In units available for sale. Empty: the level of the shop applies.';
  return (
    <Dialog title="Low level of" pet={row.name} onClose={onClose}>
      <StockLine of={record.value} />
      <ActionForm label="Save level" action={change} fields={['lowAt']} onSubmit={submit} onCancel={onClose}>
        <Field label="Low at or below" name="lowAt" type="number" value={level} refusal={change.refusal.value} hint={hint} isFirst />
      </ActionForm>
    </Dialog>
  );
}
