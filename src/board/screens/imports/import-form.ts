import { signal, type Signal } from '@preact/signals';
import type { FileOptions, ImportRequest } from '../../state/imports/send-import.js';
import type { InputOf } from '../../state/server/contract.js';

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
  match: field<NonNullable<StockInput['match']>>('id'),
  onStale: field<NonNullable<StockInput['onStale']>>('fail'),
  ignoreUnknown: field<boolean>(false),
  allowShortage: field<boolean>(false),
  createCategories: field<boolean>(false),
  encoding: field<NonNullable<StockInput['encoding']>>('utf-8'),
  delimiter: field<string>(''),
  columns: field<string>(''),
  key: field<string>(''),
  note: field<string>(''),
  areOptionsOpen: field<boolean>(false),
} as const;

/** Empties the form. */
export function clearForm(): void {
  for (const clear of clearings) clear();
}

/** `Menge=delta; Bezeichnung=name` as pairs. */
function renamedColumns(): FileOptions['map'] {
  return form.columns.value
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const at = part.lastIndexOf('=');
      return at < 0 ? [part.trim(), ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    });
}

/** A value other than the default, so that command lines stay short. */
function unless<Value>(usual: Value, value: Value): Value | undefined {
  return value === usual ? undefined : value;
}

/** The import that the form describes. */
export function requestOf(file: File, how: Pick<StockInput, 'dryRun' | 'mode' | 'maxErrors'>): ImportRequest {
  const shared = {
    ...how,
    fileName: file.name,
    note: unless('', form.note.value.trim()),
    encoding: unless('utf-8', form.encoding.value),
  };
  const fileOptions = { delimiter: form.delimiter.value, map: renamedColumns(), key: form.key.value.trim() };
  if (form.kind.value === 'importPets') {
    return { id: 'importPets', file, fileOptions, input: { ...shared, createCategories: unless(false, form.createCategories.value) } };
  }
  const input: StockInput = {
    ...shared,
    match: unless('id', form.match.value),
    onStale: unless('fail', form.onStale.value),
    ignoreUnknown: unless(false, form.ignoreUnknown.value),
    allowShortage: unless(false, form.allowShortage.value),
  };
  return { id: 'importInventory', file, fileOptions, input };
}
