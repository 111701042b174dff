import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { NoteField } from '../../parts/forms/note-field.js';
import { useAction, type Action } from '../../state/changes/action.js';
import { useStockRecord, type StockDialogProps } from './stock-line.js';

interface HoldFormProps extends StockDialogProps {
  readonly label: string;
  readonly explanation: string;
  readonly action: Action<'holdPet'> | Action<'releasePet'>;
}

function HoldForm(props: HoldFormProps): JSX.Element {
  const { row, label, explanation, action, onClose } = props;
  const { record, closeAfter } = useStockRecord(props);
  const note = useSignal('');
  const submit = async (): Promise<void> => {
    await closeAfter(action.run({ petId: row.petId }, { ifMatch: record.value.version, note: note.value }));
  };
  return (
    <Dialog title={`${label}:`} pet={row.name} onClose={onClose}>
      <p class="record-line">{explanation}</p>
      <ActionForm label={label} action={action} fields={['note']} isConfirmation onSubmit={submit} onCancel={onClose}>
        <NoteField value={note} refusal={action.refusal.value} />
      </ActionForm>
    </Dialog>
  );
}

/** Takes a pet off sale. */
export function HoldDialog(props: StockDialogProps): JSX.Element {
  const action = useAction('holdPet', ({ name }) => `Put ${name} on hold.`);
  return <HoldForm {...props} label="Put on hold" explanation="It cannot be sold until it is released." action={action} />;
}

/** Puts a held pet back on sale. */
export function ReleaseDialog(props: StockDialogProps): JSX.Element {
  const action = useAction('releasePet', ({ name, status }) => `Released ${name}: ${status}.`);
  return <HoldForm {...props} label="Release" explanation="It can be sold again." action={action} />;
}
