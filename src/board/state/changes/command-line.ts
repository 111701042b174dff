import type { OrderFields } from '../../../domain/orders/order.js';
import type { PetFields } from '../../../domain/pets/pet.js';
import type { FileOptions } from '../imports/send-import.js';
import type { Changes, InputOf } from '../server/contract.js';

/** The words of a command line; undefined where a part of the input is not given. */
type Words = readonly (string | number | undefined)[];

type WordsOf<Id extends keyof Changes> = (input: InputOf<Id>) => Words;

/** A flag with its value, or nothing. */
function flag(name: string, value: string | number | boolean | null | undefined): Words {
  if (value === undefined || value === null || value === false) return [];
  return value === true ? [name] : [name, value];
}

const shortage = (allowShortage: boolean | undefined): Words => flag('--allow-shortage', allowShortage);

function signed(delta: number): string {
  return delta > 0 ? `+${delta}` : String(delta);
}

/** The flag of a field, and the value that removes the field. */
type FieldFlag = readonly [name: string, removal: string];

const petFlags: Readonly<Record<keyof PetFields | 'status', FieldFlag>> = { name: ['--name', ''], categoryId: ['--category', ''], status: ['--status', ''] };
const orderFlags: Readonly<Record<keyof OrderFields, FieldFlag>> = {
  petId: ['--pet', 'none'],
  quantity: ['--quantity', 'none'],
  shipDate: ['--ship-date', 'none'],
};

type Values = Readonly<Record<string, string | number | null | undefined>>;

/** The flags for the fields that a change sets. */
function fieldWords(flags: Readonly<Record<string, FieldFlag>>, values: Values): Words {
  return Object.entries(flags).flatMap(([field, [name, removal]]) => flag(name, values[field] === null ? removal : values[field]));
}

const placing: WordsOf<'placeOrder'> = ({ body: { complete, ...fields } }) => {
  const isPlain = Object.entries(fields).every(([field, value]) => value === undefined || field === 'petId' || field === 'quantity');
  if (complete === true && isPlain) return ['sell', fields.petId, fields.quantity];
  return ['order', 'place', ...fieldWords(orderFlags, fields as Values), ...flag('--complete', complete)];
};

const editing: WordsOf<'updateOrder'> = ({ orderId, body: { complete, ...fields } }) => {
  if (complete !== undefined) return ['order', complete ? 'complete' : 'reopen', orderId];
  return ['order', 'edit', orderId, ...fieldWords(orderFlags, fields)];
};

const starting: WordsOf<'startCount'> = ({ body: { categoryIds = [], q, low, blind, note } }) => [
  'count',
  'start',
  ...categoryIds.flatMap((id) => flag('--category', id)),
  ...flag('--search', q),
  ...flag('--low', low),
  ...flag('--blind', blind),
  ...flag('--note', note),
];

const closing: WordsOf<'closeCount'> = ({ countId, body: { missing, mode, allowShortage, note } }) => [
  'count',
  'close',
  countId,
  ...flag('--missing', missing === 'zero' ? missing : undefined),
  ...flag('--keep-going', mode === 'keep-going'),
  ...shortage(allowShortage),
  ...flag('--note', note),
];

const wordsOf: { readonly [Id in keyof Changes]: WordsOf<Id> } = {
  adjustInventory: ({ petId, allowShortage, body: { delta } }) => ['inventory', 'adjust', petId, signed(delta), ...shortage(allowShortage)],
  callEach: ({ body: { inputs } }) => ['sell', ...inputs.map(({ body: { petId, quantity } }) => `${petId}x${quantity}`)],
  cancelCount: ({ countId }) => ['count', 'cancel', countId],
  cancelOrder: ({ orderId }) => ['order', 'cancel', orderId],
  closeCount: closing,
  deletePet: ({ petId }) => ['pet', 'delete', petId],
  holdPet: ({ petId }) => ['pet', 'hold', petId],
  placeOrder: placing,
  releasePet: ({ petId }) => ['pet', 'release', petId],
  // Without the quantity that was expected: it is another one after the change.
  setInventory: ({ petId, allowShortage, body: { quantity } }) => ['inventory', 'set', petId, quantity, ...shortage(allowShortage)],
  setLowAt: ({ petId, body: { lowAt } }) => ['inventory', 'low-at', petId, lowAt ?? 'none'],
  startCount: starting,
  undoBatch: ({ batchId, allowShortage }) => ['inventory', 'undo', batchId, ...shortage(allowShortage)],
  undoEntry: ({ entryId, allowShortage }) => ['inventory', 'undo', '--entry', entryId, ...shortage(allowShortage)],
  undoLast: ({ allowShortage, body: { entryId } }) => ['undo', entryId, ...shortage(allowShortage)],
  updateOrder: editing,
  updatePet: ({ petId, body }) => ['pet', 'edit', petId, ...fieldWords(petFlags, body)],
};

/** A word as a POSIX shell reads it. */
function quoted(word: string | number): string {
  const text = String(word);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function lineOf(words: Words): string {
  return ['petstore', ...words.filter((word) => word !== undefined).map(quoted)].join(' ');
}

function noteWords(note: string | undefined): Words {
  return flag('--note', note === '' ? undefined : note);
}

/** The command line that makes the same change. */
export function commandLine<Id extends keyof Changes>(id: Id, input: InputOf<Id>, note?: string): string {
  return lineOf([...wordsOf[id](input), ...noteWords(note)]);
}

/** The command line that shows the same report. */
export function reportLine(report: string, flags: Readonly<Record<string, string | number | undefined>>): string {
  return lineOf(['report', report, ...Object.entries(flags).flatMap(([name, value]) => flag(`--${name}`, value))]);
}

/** The words that the options of every import take. */
function importWords({ mode, maxErrors, encoding, dryRun, note }: InputOf<'importPets'>, { delimiter, map = [], key }: FileOptions): Words {
  return [
    ...flag('--encoding', encoding),
    ...flag('--delimiter', delimiter === '' ? undefined : delimiter),
    ...map.flatMap((names) => flag('--map', names.join('='))),
    ...flag('--keep-going', mode === 'keep-going'),
    ...flag('--max-errors', maxErrors),
    ...flag('--dry-run', dryRun),
    ...flag('--key', key === '' ? undefined : key),
    ...noteWords(note),
  ];
}

/** The command line that imports the same file of pets. */
export function petImportLine(file: string, input: InputOf<'importPets'>, fileOptions: FileOptions = {}): string {
  return lineOf(['pet', 'import', file, ...flag('--create-categories', input.createCategories), ...importWords(input, fileOptions)]);
}

/** The command line that imports the same stock file. */
export function stockImportLine(file: string, input: InputOf<'importInventory'>, fileOptions: FileOptions = {}): string {
  const { onStale, match, ignoreUnknown, allowShortage } = input;
  const own = [...flag('--on-stale', onStale), ...flag('--match', match), ...flag('--ignore-unknown', ignoreUnknown), ...shortage(allowShortage)];
  return lineOf(['inventory', 'import', file, ...own, ...importWords(input, fileOptions)]);
}
