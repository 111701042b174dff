import type { JSX } from 'preact';
import type { CategoryFields } from '../../../domain/categories/category.js';
import type { Patch } from '../../../domain/values/fields.js';
import { editedValues, given, numberIn } from '../../parts/forms/field.js';
import { formDialog, type FormDialogProps } from '../../parts/forms/form-dialog.js';
import { useOpenDialog } from '../../parts/forms/open-dialog.js';
import { RowActions } from '../../parts/lists/row-actions.js';
import { inertText } from '../../parts/text.js';
import { queryValue } from '../../state/router.js';
import { call } from '../../state/server/call.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { unlessRefused } from '../../state/server/refusal.js';
import { may } from '../../state/session.js';

type RecordName = 'pet' | 'category';

type Category = AnswerOf<'getCategory'>;

const categoryFields = { name: { label: 'Name' }, description: { label: 'Description (optional)' } } as const;

const textsOf = ({ name, description = '' }: Category): Readonly<Record<keyof CategoryFields, string>> => ({
  name: inertText(name),
  description: inertText(description),
});

/** Changes a category, such as its name. Only what was edited is sent. */
const EditDialog = formDialog({
  operation: 'updateCategory',
  title: ({ name }: Category) => `Edit category ${inertText(name)}`,
  fields: categoryFields,
  initial: textsOf,
  label: 'Save',
  input: (typed, { id }, shown) => {
    const values: Required<Patch<CategoryFields>> = { name: typed.name, description: given(typed.description) ?? null };
    const body = editedValues(values, textsOf(shown), typed);
    return body && { categoryId: id, body };
  },
  ifMatch: ({ version }) => version,
  sentence: ({ name }) => `Changed category ${name}.`,
});

const dialogs: Readonly<Record<RecordName, (props: FormDialogProps<undefined>) => JSX.Element>> = {
  pet: formDialog({
    operation: 'createPet',
    title: 'New pet',
    fields: {
      name: { label: 'Name' },
      categoryId: { type: 'category', label: 'Category' },
      quantity: { type: 'number', label: 'Units on hand' },
      codes: { type: 'code', label: 'Codes (optional)', hint: 'Barcodes, article numbers, rings or chips, separated by spaces.' },
    },
    initial: () => ({ quantity: '1', categoryId: queryValue('category') ?? '' }),
    label: 'Create pet',
    input: ({ name, categoryId, quantity, codes }) => ({
      quantity: numberIn(quantity),
      codes: given(codes),
      body: { name, categoryId: Number(categoryId) },
    }),
    sentence: ({ id, name }) => `Created ${name} (pet ${id}).`,
  }),
  category: formDialog({
    operation: 'createCategory',
    title: 'New category',
    fields: categoryFields,
    label: 'Create category',
    input: ({ name, description }) => ({ body: { name, description: given(description) } }),
    sentence: ({ name }) => `Created category ${name}.`,
  }),
};

const actions = [
  { name: 'pet', label: 'New pet', operation: 'createPet' },
  { name: 'category', label: 'New category', operation: 'createCategory' },
  { name: 'edit', label: 'Edit category', operation: 'updateCategory' },
] as const;

/** The buttons that add pets and categories, and edit the category that is shown; a shop without categories begins with one. */
export function NewRecords({ first = 'pet' }: { readonly first?: RecordName }): JSX.Element {
  const dialog = useOpenDialog<{ readonly name: RecordName }>();
  const edited = useOpenDialog<Category>();
  const Chosen = dialog.choice && dialogs[dialog.choice.name];
  const shown = queryValue('category');
  const choose = async (name: (typeof actions)[number]['name']): Promise<void> => {
    if (name !== 'edit') return dialog.open({ name });
    const category = await unlessRefused(call('getCategory', { categoryId: Number(shown) }));
    if (category) edited.open(category);
  };
  const allowed = actions.filter(({ name, operation }) => may(operation) && (name !== 'edit' || shown !== undefined));
  return (
    <>
      <RowActions
        id={0}
        of="of the shop"
        actions={allowed.map(({ name, label }) => ({ name, label, isMain: name === first }))}
        onChoose={(name) => void choose(name)}
        isLarge
      />
      {Chosen && <Chosen row={undefined} onClose={dialog.close} />}
      {edited.choice && <EditDialog row={edited.choice} onClose={edited.close} />}
    </>
  );
}
