import type { JSX } from 'preact';
import { numberIn } from '../../parts/forms/field.js';
import { formDialog, type FormDialogProps } from '../../parts/forms/form-dialog.js';
import { useOpenDialog } from '../../parts/forms/open-dialog.js';
import { RowActions } from '../../parts/lists/row-actions.js';
import { queryValue } from '../../state/router.js';
import { may } from '../../state/session.js';

type RecordName = 'pet' | 'category';

const dialogs: Readonly<Record<RecordName, (props: FormDialogProps<undefined>) => JSX.Element>> = {
  pet: formDialog({
    operation: 'createPet',
    title: 'New pet',
    fields: {
      name: { label: 'Name' },
      categoryId: { type: 'category', label: 'Category' },
      quantity: { type: 'number', label: 'Units on hand' },
      codes: { label: 'Codes (optional)', hint: 'Barcodes, article numbers, rings or chips, separated by spaces.' },
    },
    initial: () => ({ quantity: '1', categoryId: queryValue('category') ?? '' }),
    label: 'Create pet',
    input: ({ name, categoryId, quantity, codes }) => ({
      quantity: numberIn(quantity),
      codes: codes.trim() === '' ? undefined : codes,
      body: { name, categoryId: Number(categoryId) },
    }),
    sentence: ({ id, name }) => `Created ${name} (pet ${id}).`,
  }),
  category: formDialog({
    operation: 'createCategory',
    title: 'New category',
    fields: { name: { label: 'Name' }, description: { label: 'Description (optional)' } },
    label: 'Create category',
    input: ({ name, description }) => ({ body: { name, description: description.trim() === '' ? undefined : description } }),
    sentence: ({ name }) => `Created category ${name}.`,
  }),
};

const actions = [
  { name: 'pet', label: 'New pet', operation: 'createPet' },
  { name: 'category', label: 'New category', operation: 'createCategory' },
] as const;

/** The buttons that add pets and categories; a shop without categories begins with one. */
export function NewRecords({ first = 'pet' }: { readonly first?: RecordName }): JSX.Element {
  const dialog = useOpenDialog<{ readonly name: RecordName }>();
  const Chosen = dialog.choice && dialogs[dialog.choice.name];
  const allowed = actions.filter(({ operation }) => may(operation)).map(({ name, label }) => ({ name, label, isMain: name === first }));
  return (
    <>
      <RowActions id={0} of="of the shop" actions={allowed} onChoose={(name) => dialog.open({ name })} isLarge />
      {Chosen && <Chosen row={undefined} onClose={dialog.close} />}
    </>
  );
}
