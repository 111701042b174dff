import type { JSX } from 'preact';
import type { PetFields } from '../../../domain/pets/pet.js';
import type { Patch } from '../../../domain/values/fields.js';
import { categoryChoice } from '../../parts/forms/category-field.js';
import { editedValues } from '../../parts/forms/field.js';
import { formDialog, type FormField } from '../../parts/forms/form-dialog.js';
import { Name } from '../../parts/name.js';
import { inertText } from '../../parts/text.js';
import { go, href, pageAddress } from '../../state/router.js';
import { call } from '../../state/server/call.js';
import { StockDialog } from '../stock/stock-dialog.js';
import type { StockActionName } from '../stock/stock-actions.js';
import { stockText } from '../stock/stock-status.js';
import type { PetWithStock } from './pet-facts.js';

/** What can be done with a pet. */
export type PetActionName = StockActionName | 'edit' | 'delete';

/** An action that somebody chose, and the pet as it was shown. */
export interface ChosenAction {
  readonly name: PetActionName;
  readonly of: PetWithStock;
}

type Pet = PetWithStock['pet'];

const textsOf = ({ name, category }: Pet): Readonly<Record<keyof PetFields, string>> => ({ name: inertText(name), categoryId: String(category.id) });

/** Changes the fields of a pet. Only what was edited is sent. */
const EditDialog = formDialog({
  operation: 'updatePet',
  title: ({ id }: Pet) => `Edit pet ${id}`,
  read: ({ id }) => call('getPetDetails', { petId: id }),
  line: ({ name, category }) => (
    <>
      <Name of={name} />, <Name of={category.name} />
    </>
  ),
  fields: { name: { label: 'Name' }, categoryId: { type: 'category', label: 'Category' } } as const satisfies Readonly<Record<keyof PetFields, FormField>>,
  initial: textsOf,
  categories: ({ category }) => [categoryChoice(category)],
  label: 'Save',
  input: (typed, { id }, shown) => {
    const values: Required<Patch<PetFields>> = { name: typed.name, categoryId: Number(typed.categoryId) };
    const body = editedValues(values, textsOf(shown), typed);
    return body && { petId: id, body };
  },
  ifMatch: ({ version }) => version,
  sentence: ({ id, name }) => `Changed ${name} (pet ${id}).`,
});

/** Deletes a pet, which leaves the shop; its history stays in the ledger. */
const DeleteDialog = formDialog({
  operation: 'deletePet',
  title: 'Delete',
  pet: ({ name }: Pet) => name,
  line: ({ inventory }) => stockText(inventory),
  explanation: ({ inventory }) =>
    `It leaves the lists${inventory.quantity === 1 ? ', and its last unit is written off' : ''}. Its history stays in the ledger.`,
  fields: {},
  label: 'Delete pet',
  isDangerous: true,
  input: (_, { id }) => ({ petId: id }),
  ifMatch: ({ version }) => version,
  sentence: ({ id, name }) => `Deleted ${name} (pet ${id}).`,
  // Somebody who opened another screen meanwhile stays there.
  onDone: (_, { id }) => pageAddress.value.path === `/pets/${id}` && go(href('/stock')),
});

/** The dialog of an action on a pet. */
export function PetDialog({ name, of: { pet, stock }, onClose }: ChosenAction & { readonly onClose: () => void }): JSX.Element {
  if (name !== 'edit' && name !== 'delete') return <StockDialog name={name} row={stock} onClose={onClose} />;
  const Chosen = name === 'edit' ? EditDialog : DeleteDialog;
  return <Chosen row={pet} onClose={onClose} />;
}
