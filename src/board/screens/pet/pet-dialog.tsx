import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { PetFields } from '../../../domain/pets/pet.js';
import type { Patch } from '../../../domain/values/fields.js';
import { ActionForm } from '../../parts/forms/action-form.js';
import { categoryChoice, useCategoryChoices } from '../../parts/forms/category-field.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { editedValues, Field } from '../../parts/forms/field.js';
import { NoteField } from '../../parts/forms/note-field.js';
import { SelectField } from '../../parts/forms/select-field.js';
import { Name } from '../../parts/name.js';
import { inertText } from '../../parts/text.js';
import { useAction } from '../../state/changes/action.js';
import { useDialogRecord } from '../../state/changes/dialog-record.js';
import { go, href, pageAddress } from '../../state/router.js';
import { call } from '../../state/server/call.js';
import type { StockActionName } from '../stock/stock-actions.js';
import { StockDialog } from '../stock/stock-dialog.js';
import { stockText } from '../stock/stock-text.js';
import type { PetWithStock } from './pet-with-stock.js';

/** What can be done with a pet. */
export type PetActionName = StockActionName | 'edit' | 'delete';

/** An action that somebody chose, and the pet as it was shown. */
export interface ChosenAction {
  readonly name: PetActionName;
  readonly of: PetWithStock;
}

type Pet = NonNullable<PetWithStock['pet']>;

interface PetDialogProps {
  readonly pet: Pet;
  readonly onClose: () => void;
}

type Texts = Readonly<Record<keyof PetFields, string>>;

/** Changes the fields of a pet. Only what was edited is sent. */
function EditDialog({ pet, onClose }: PetDialogProps): JSX.Element {
  const { record, closeAfter } = useDialogRecord(pet, () => call('getPetDetails', { petId: pet.id }), onClose);
  const before: Texts = { name: inertText(pet.name), categoryId: String(pet.category.id) };
  const [name, categoryId] = [useSignal(before.name), useSignal(before.categoryId)];
  const note = useSignal('');
  const known = useCategoryChoices();
  const choices = known.some(({ value }) => value === before.categoryId) ? known : [categoryChoice(pet.category), ...known];
  const change = useAction('updatePet', (answer) => `Changed ${answer.name} (pet ${answer.id}).`);
  const submit = async (): Promise<void> => {
    const typed: Texts = { name: name.value, categoryId: categoryId.value };
    const values: Required<Patch<PetFields>> = { name: typed.name, categoryId: Number(typed.categoryId) };
    const body = editedValues(values, before, typed);
    if (Object.keys(body).length === 0) onClose();
    else await closeAfter(change.run({ petId: pet.id, body }, { ifMatch: record.value.version, note: note.value }));
  };
  const controls: Readonly<Record<keyof PetFields, JSX.Element>> = {
    name: <Field label="Name" name="name" value={name} refusal={change.refusal.value} isFirst />,
    categoryId: <SelectField label="Category" name="categoryId" value={categoryId} choices={choices} refusal={change.refusal.value} />,
  };
  return (
    <Dialog title={`Edit pet ${pet.id}`} onClose={onClose}>
      <p class="record-line">
        <Name of={record.value.name} />, <Name of={record.value.category.name} />
      </p>
      <ActionForm label="Save" action={change} fields={[...Object.keys(controls), 'note']} onSubmit={submit} onCancel={onClose}>
        {Object.values(controls)}
        <NoteField value={note} refusal={change.refusal.value} />
      </ActionForm>
    </Dialog>
  );
}

/** Deletes a pet, which leaves the shop; its history stays in the ledger. */
function DeleteDialog({ pet, onClose }: PetDialogProps): JSX.Element {
  const note = useSignal('');
  const deletion = useAction('deletePet', (answer) => `Deleted ${answer.name} (pet ${answer.id}).`);
  const submit = async (): Promise<void> => {
    if (!(await deletion.run({ petId: pet.id }, { ifMatch: pet.version, note: note.value }))) return;
    onClose();
    // Somebody who opened another screen meanwhile stays there.
    if (pageAddress.value.path === `/pets/${pet.id}`) go(href('/stock'));
  };
  return (
    <Dialog title="Delete" pet={pet.name} onClose={onClose}>
      <p class="record-line">{stockText(pet.inventory)}</p>
      <p class="explanation">It leaves the lists{pet.inventory.quantity === 1 && ', and its last unit is written off'}. Its history stays in the ledger.</p>
      <ActionForm label="Delete pet" leaveLabel="Go back" action={deletion} fields={['note']} isDangerous onSubmit={submit} onCancel={onClose}>
        <NoteField value={note} refusal={deletion.refusal.value} isFirst />
      </ActionForm>
    </Dialog>
  );
}

/** The dialog of an action on a pet. */
export function PetDialog({ name, of: { pet, stock }, onClose }: ChosenAction & { readonly onClose: () => void }): JSX.Element | null {
  if (name !== 'edit' && name !== 'delete') return <StockDialog name={name} row={stock} onClose={onClose} />;
  if (pet === undefined) return null;
  return name === 'edit' ? <EditDialog pet={pet} onClose={onClose} /> : <DeleteDialog pet={pet} onClose={onClose} />;
}
