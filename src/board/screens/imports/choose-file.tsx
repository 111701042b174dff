import type * as v from 'valibot';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { petRow } from '../../../domain/imports/pet-row.js';
import { CheckboxField, Field, FieldFrame } from '../../parts/forms/field.js';
import { SelectField } from '../../parts/forms/select-field.js';
import { RefusalBox } from '../../parts/shown.js';
import { sizeText } from '../../parts/text.js';
import type { RefusalError } from '../../state/server/refusal.js';
import { may } from '../../state/session.js';
import { ColumnField } from './column-field.js';
import { fileColumns, form, petColumns } from './import-form.js';
import { checkFile } from './import-stage.js';

/** The file to import: dropped, or chosen in the dialog of the browser. */
function FilePicker({ refusal }: { readonly refusal: RefusalError | undefined }): JSX.Element {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const file = form.file.value;
  // A file that was dropped, or chosen before another screen was shown.
  useEffect(() => {
    const { current } = input;
    if (file === undefined || current === null || current.files?.[0] === file) return;
    const files = new DataTransfer();
    files.items.add(file);
    current.files = files.files;
  }, [file]);
  const hint = `${file ? `${sizeText(file.size)}. ` : ''}CSV, TSV, NDJSON or JSON, also with gzip, up to 256 MiB.`;
  return (
    <div class="file-picker">
      <FieldFrame id={id} label="Drop a file here, or choose one" name="file" refusal={refusal} hint={hint}>
        {(attributes) => <input {...attributes} ref={input} type="file" required onChange={(event) => (form.file.value = event.currentTarget.files?.[0])} />}
      </FieldFrame>
    </div>
  );
}

const kinds = [
  { value: 'importInventory', label: 'Stock: counts or changes of pets' },
  { value: 'importPets', label: 'New pets' },
] as const;

/** The columns of a file of new pets: whether it needs them. */
const newPetColumns: { readonly [Name in keyof v.InferOutput<typeof petRow>]-?: 'required' | 'optional' } = {
  name: 'required',
  category: 'required',
  status: 'optional',
  quantity: 'optional',
  codes: 'optional',
};

const namesOf = (wanted: 'required' | 'optional'): string =>
  Object.entries(newPetColumns)
    .flatMap(([name, need]) => (need === wanted ? [name] : []))
    .join(', ');

/** The two columns of each kind of file that may have another name, and what can be in them. */
const columnFields = {
  importInventory: [
    { label: 'The pet is in the column', meanings: petColumns },
    {
      label: 'The units are in the column',
      meanings: [
        { ours: 'quantity', label: 'units counted' },
        { ours: 'delta', label: 'units to add or remove' },
      ],
    },
  ],
  importPets: [
    { label: 'The name is in the column', meanings: [{ ours: 'name', label: 'name of the pet' }] },
    { label: 'The category is in the column', meanings: [{ ours: 'category', label: 'category' }] },
  ],
} as const;

const hints = {
  importInventory: 'A row for each pet: its petId, name or code, and its quantity (a count) or delta (a change); optional: expected, note.',
  importPets: `A row for each pet: ${namesOf('required')}; optional: ${namesOf('optional')}.`,
} as const;

const encodings = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Windows-1252 or Latin-1' },
  { value: 'utf-16', label: 'UTF-16 (Unicode text)' },
] as const;

/** The fields of refusals that the form shows beside them. */
const fields = ['file', 'columns', 'encoding', 'note'];

function Options({ refusal }: { readonly refusal: RefusalError | undefined }): JSX.Element {
  const kind = form.kind.value;
  const isOfPets = kind === 'importPets';
  return (
    <details open={refusal !== undefined}>
      <summary>Options</summary>
      <div class="import-options">
        {columnFields[kind].map((field, index) => (
          <ColumnField
            key={field.label}
            {...field}
            name={index === 0 ? 'columns' : ''}
            columns={fileColumns.value}
            value={form.columns[kind][index] ?? form.columns[kind][0]}
            refusal={refusal}
          />
        ))}
        <SelectField label="Encoding" name="encoding" value={form.encoding} choices={encodings} refusal={refusal} />
        <Field label="Note" name="note" value={form.note} refusal={refusal} hint="For the ledger." />
        {isOfPets ? (
          <CheckboxField label="Create categories that do not exist yet" value={form.createCategories} />
        ) : (
          <div>
            <CheckboxField label="Ignore unknown columns" value={form.ignoreUnknown} />
            <CheckboxField label="Accept fewer units than are reserved" value={form.allowShortage} />
          </div>
        )}
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
        <SelectField label="What does it contain?" name="kind" value={form.kind} choices={allowed} />
        <p class="hint">{hints[form.kind.value]}</p>
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
