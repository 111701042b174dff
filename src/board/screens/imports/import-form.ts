import { signal } from '@preact/signals';
import type { FileOptions, ImportRequest } from '../../state/imports/send-import.js';
import type { InputOf } from '../../state/server/contract.js';

type StockInput = InputOf<'importInventory'>;

/** What somebody chose for the next import. It is kept while other screens are shown. */
export const form = {
  file: signal<File | undefined>(undefined),
  kind: signal<'importInventory' | 'importPets'>('importInventory'),
  match: signal<string>('id'),
  onStale: signal<string>('fail'),
  ignoreUnknown: signal(false),
  allowShortage: signal(false),
  createCategories: signal(false),
  encoding: signal<string>('utf-8'),
  delimiter: signal(''),
  columns: signal(''),
  key: signal(''),
  note: signal(''),
  areOptionsOpen: signal(false),
} as const;

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
    encoding: unless('utf-8', form.encoding.value) as StockInput['encoding'],
  };
  const fileOptions = { delimiter: form.delimiter.value, map: renamedColumns(), key: form.key.value.trim() };
  if (form.kind.value === 'importPets') {
    return { id: 'importPets', file, fileOptions, input: { ...shared, createCategories: unless(false, form.createCategories.value) } };
  }
  const input: StockInput = {
    ...shared,
    match: unless('id', form.match.value) as StockInput['match'],
    onStale: unless('fail', form.onStale.value) as StockInput['onStale'],
    ignoreUnknown: unless(false, form.ignoreUnknown.value),
    allowShortage: unless(false, form.allowShortage.value),
  };
  return { id: 'importInventory', file, fileOptions, input };
}
