import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/forms/action-form.js';
import { useCategoryChoices } from '../../parts/forms/category-choices.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { CheckboxField, Field } from '../../parts/forms/field.js';
import { NoteField } from '../../parts/forms/note-field.js';
import { SelectField } from '../../parts/forms/select-field.js';
import { countText } from '../../parts/text.js';
import { useAction } from '../../state/changes/action.js';
import { go, href } from '../../state/router.js';
import { may } from '../../state/session.js';

const every = { value: '', label: 'Every category' };

function CategoryField({ value }: { readonly value: Signal<string> }): JSX.Element {
  return <SelectField label="Category" name="categoryIds" value={value} choices={[every, ...useCategoryChoices()]} />;
}

/** Starts a count of the pets that meet all that is chosen, and opens it. */
export function StartDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [category, name, note] = [useSignal(''), useSignal(''), useSignal('')];
  const [isLow, isBlind] = [useSignal(false), useSignal(false)];
  const start = useAction('startCount', ({ id, pets }) => `Started count ${id} of ${countText(pets, 'pet')}.`);
  const submit = async (): Promise<void> => {
    const body = {
      ...(category.value !== '' && { categoryIds: [Number(category.value)] }),
      ...(name.value.trim() !== '' && { q: name.value.trim() }),
      ...(note.value.trim() !== '' && { note: note.value.trim() }),
      low: isLow.value,
      blind: isBlind.value,
    };
    const started = await start.run({ body });
    if (started === undefined) return;
    onClose();
    go(href(`/counts/${started.id}`));
  };
  const { value: refusal } = start.refusal;
  return (
    <Dialog title="Start a count" onClose={onClose}>
      <ActionForm label="Start" action={start} fields={['q', 'note']} onSubmit={submit} onCancel={onClose}>
        {may('listCategories') && <CategoryField value={category} />}
        <Field label="Name contains (optional)" name="q" value={name} refusal={refusal} />
        <CheckboxField label="Only pets that are low" value={isLow} />
        <CheckboxField label="Blind: do not show what is expected" value={isBlind} />
        <NoteField value={note} refusal={refusal} />
      </ActionForm>
    </Dialog>
  );
}
