import type { JSX } from 'preact';
import type * as v from 'valibot';
import type { petRow } from '../../../domain/imports/pet-row.js';
import { CheckboxField, Field } from '../../parts/forms/field.js';
import { RadioField } from '../../parts/forms/radio-field.js';
import { SelectField } from '../../parts/forms/select-field.js';
import { RefusalBox } from '../../parts/shown.js';
import type { RefusalError } from '../../state/server/refusal.js';
import { may } from '../../state/session.js';
import { FilePicker } from './file-picker.js';
import { form } from './import-form.js';
import { checkFile } from './import-stage.js';

const kinds = [
  { value: 'importInventory', label: 'Stock: counts or changes of pets' },
  { value: 'importPets', label: 'New pets' },
] as const;

type PetColumns = v.InferOutput<typeof petRow>;

const petColumns: { readonly [Name in keyof PetColumns]-?: undefined extends PetColumns[Name] ? 'optional' : 'required' } = {
  name: 'required',
  category: 'required',
  status: 'optional',
  quantity: 'optional',
};

/** The columns that a file needs. */
function columnsText(): string {
  if (form.kind.value === 'importPets') {
    const named = (wanted: 'required' | 'optional') => Object.entries(petColumns).flatMap(([name, need]) => (need === wanted ? [name] : []));
    return `Columns: ${named('required').join(', ')}; optional: ${named('optional').join(', ')}. Others are ignored.`;
  }
  return `Columns: ${matchColumns[form.match.value]}, and quantity (a count) or delta (a change); optional: expected, note.`;
}

const matchColumns = { id: 'petId', name: 'name', code: 'code' } as const;

const matches = [
  { value: 'id', label: 'by ID, in the column petId' },
  { value: 'name', label: 'by name, in the column name' },
  { value: 'code', label: 'by code, in the column code' },
] as const;

const stalePolicies = [
  { value: 'fail', label: 'refuse the row' },
  { value: 'keep-count', label: 'set the counted quantity' },
  { value: 'keep-difference', label: 'change the stock by the difference' },
] as const;

const encodings = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Windows-1252 or Latin-1' },
  { value: 'utf-16', label: 'UTF-16 (Unicode text)' },
] as const;

/** The fields of refusals that the form shows beside them. */
const fields = ['file', 'columns', 'encoding', 'note', 'delimiter'];

function StockOptions(): JSX.Element {
  return (
    <>
      <SelectField label="Find pets" name="match" value={form.match} choices={matches} />
      <SelectField label="If another quantity than expected is on hand" name="onStale" value={form.onStale} choices={stalePolicies} />
    </>
  );
}

function Options({ refusal }: { readonly refusal: RefusalError | undefined }): JSX.Element {
  const isOfPets = form.kind.value === 'importPets';
  return (
    <details open={form.areOptionsOpen.value} onToggle={(event) => (form.areOptionsOpen.value = event.currentTarget.open)}>
      <summary>Options</summary>
      <div class="import-options">
        {isOfPets ? <CheckboxField label="Create categories that do not exist yet" value={form.createCategories} /> : <StockOptions />}
        <SelectField label="Encoding" name="encoding" value={form.encoding} choices={encodings} refusal={refusal} />
        <Field label="Separator" name="delimiter" value={form.delimiter} refusal={refusal} hint="Only if it is no comma, semicolon or tab, such as |." />
        <div>
          <Field
            label="Columns with other names"
            name="columns"
            value={form.columns}
            refusal={refusal}
            hint="Theirs=ours, such as Menge=quantity; Tier=name."
          />
          {!isOfPets && <CheckboxField label="Ignore unknown columns" value={form.ignoreUnknown} />}
        </div>
        <Field label="Reference" name="key" value={form.key} hint="Such as the number of an invoice. The same file is applied again only under another one." />
        <Field label="Note" name="note" value={form.note} refusal={refusal} hint="For the ledger." />
        {!isOfPets && <CheckboxField label="Accept fewer units than are reserved" value={form.allowShortage} />}
      </div>
    </details>
  );
}

/** The form of an import: the file, what it contains, and how it is read. */
export function ChooseFile({ refusal }: { readonly refusal: RefusalError | undefined }): JSX.Element {
  const allowed = kinds.filter(({ value }) => may(value));
  const file = form.file.value;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (file) void checkFile(file);
  };
  return (
    <form class="action-form" onSubmit={submit}>
      <FilePicker refusal={refusal} />
      <div>
        <RadioField label="What does it contain?" value={form.kind} choices={allowed} />
        <p class="hint">{columnsText()}</p>
      </div>
      <Options refusal={refusal} />
      {refusal && !fields.includes(refusal.field ?? '') && <RefusalBox of={refusal} />}
      <div class="buttons">
        <button type="submit" class="primary">
          Check the file
        </button>
        <span class="hint">Shows what would change. Nothing is changed before you confirm.</span>
      </div>
    </form>
  );
}
