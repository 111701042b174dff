import { effect, signal, type Signal } from '@preact/signals';
import type { ImportRequest } from '../../state/imports/send-import.js';
import type { InputOf } from '../../state/server/contract.js';
import { columnsOf, renamed, type ChosenColumn } from './file-columns.js';

type StockInput = InputOf<'importInventory'>;

const clearings: (() => void)[] = [];

/** A field of the form with the value that it has at first. */
function field<Value>(initial: Value): Signal<Value> {
  const value = signal(initial);
  clearings.push(() => (value.value = initial));
  return value;
}

/** What somebody chose for the next import. It is kept while other screens are shown. */
export const form = {
  file: field<File | undefined>(undefined),
  kind: field<'importInventory' | 'importPets'>('importInventory'),
  /** The columns of the file that are chosen: the pet and the units, or the name and the category of new pets. */
  columns: {
    importInventory: [field<ChosenColumn | undefined>(undefined), field<ChosenColumn | undefined>(undefined)],
    importPets: [field<ChosenColumn | undefined>(undefined), field<ChosenColumn | undefined>(undefined)],
  },
  ignoreUnknown: field<boolean>(false),
  allowShortage: field<boolean>(false),
  createCategories: field<boolean>(false),
  encoding: field<NonNullable<StockInput['encoding']>>('utf-8'),
  note: field<string>(''),
} as const;

/** The names of the columns of the file that is chosen. */
export const fileColumns = signal<readonly string[]>([]);

/** What names the pet of a row: the column of the shop, the way in which pets are matched by it, and what it is called. */
export const petColumns = [
  { ours: 'petId', match: 'id', label: 'ID of the pet' },
  { ours: 'name', match: 'name', label: 'name of the pet' },
  { ours: 'code', match: 'code', label: 'code of the pet' },
] as const;

// What was chosen is kept for another file with the same columns.
effect(() => {
  const [file, encoding] = [form.file.value, form.encoding.value];
  if (file === undefined) return;
  const read = async (): Promise<void> => {
    const columns: readonly string[] = await columnsOf(file, encoding).catch(() => []);
    if (form.file.peek() !== file || form.encoding.peek() !== encoding) return;
    fileColumns.value = columns;
    for (const column of Object.values(form.columns).flat()) if (!columns.includes(column.peek()?.theirs ?? '')) column.value = undefined;
    // A file without IDs that has names or codes means those.
    const found = petColumns.find(({ ours }) => columns.includes(ours));
    const [pet] = form.columns.importInventory;
    if (found !== undefined && pet.peek() === undefined) pet.value = { ours: found.ours, theirs: found.ours };
  };
  void read();
});

/** Empties the form. */
export function clearForm(): void {
  for (const clear of clearings) clear();
}

/** The import that the form describes. */
export function requestOf(file: File, how: Pick<StockInput, 'dryRun' | 'mode' | 'maxErrors'>): ImportRequest {
  const note = form.note.value.trim();
  const shared = { ...how, fileName: file.name, note: note === '' ? undefined : note, encoding: form.encoding.value };
  const columns = renamed(form.columns[form.kind.value].map(({ value }) => value));
  if (form.kind.value === 'importPets') return { id: 'importPets', file, columns, input: { ...shared, createCategories: form.createCategories.value } };
  const [pet] = form.columns.importInventory;
  const input: StockInput = {
    ...shared,
    match: petColumns.find(({ ours }) => ours === pet.value?.ours)?.match,
    ignoreUnknown: form.ignoreUnknown.value,
    allowShortage: form.allowShortage.value,
  };
  return { id: 'importInventory', file, columns, input };
}
