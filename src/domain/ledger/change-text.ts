// The command line and the board say what a change is in these words. The board contains this file: it imports types and labels only.
import type { Batch } from '../imports/batch.js';
import { fieldLabels, settingLabels } from './field-labels.js';
import type { LedgerEntry, PreviousValues } from './ledger-entry.js';
import type { NamedEntry } from './named-entry.js';
import type { UndoableChange } from './undoable-change.js';

// Not `pluralize`, whose file would bring valibot into the page.
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const petOf = ({ petName, petId }: NamedEntry): string => petName ?? `pet ${petId}`;

const categoryOf = ({ categoryName, categoryId }: NamedEntry): string => `category ${categoryName ?? categoryId}`;

/** A field and its former value: "quantity 2", "no ship date". */
function formerText(field: keyof PreviousValues, value: string | number | null): string {
  if (value === null) return `no ${fieldLabels[field]}`;
  if (field === 'name' || field === 'shopName') return `"${value}"`;
  if (field === 'shipDate') return `${fieldLabels[field]} ${String(value).slice(0, 10)}`;
  return `${fieldLabels[field]} ${typeof value === 'string' ? `"${value}"` : value}`;
}

/** The values that an undo of an edit restores: " (back to quantity 2, no ship date)". */
function formerValues(previous: PreviousValues = {}): string {
  const texts = (Object.keys(fieldLabels) as (keyof PreviousValues)[]).flatMap((field) => {
    const value = previous[field];
    return value === undefined ? [] : [formerText(field, value)];
  });
  return texts.length === 0 ? '' : ` (back to ${texts.join(', ')})`;
}

const orderText = ({ orderId }: NamedEntry): string => (orderId === undefined ? '' : ` (order ${orderId})`);

/** What an entry changed, as the object of "undo", for each kind that an undo reverses. */
const entryTexts: Readonly<Partial<Record<LedgerEntry['kind'], (entry: NamedEntry) => string>>> = {
  sale: (entry) => `the sale of ${-(entry.delta ?? 0)} × ${petOf(entry)}${orderText(entry)}`,
  return: (entry) => `the return of ${entry.delta} × ${petOf(entry)}${orderText(entry)}`,
  count: (entry) => `the count of ${petOf(entry)} (${(entry.quantityAfter ?? 0) - (entry.delta ?? 0)} → ${entry.quantityAfter})`,
  adjust: (entry) => `the ${(entry.delta ?? 0) > 0 ? 'addition' : 'removal'} of ${Math.abs(entry.delta ?? 0)} × ${petOf(entry)}`,
  opening: (entry) => `the creation of ${petOf(entry)}`,
  'order.placed': (entry) => `order ${entry.orderId}${entry.petId === undefined ? '' : ` for ${petOf(entry)}`}`,
  'order.updated': (entry) => `the edit of order ${entry.orderId}${formerValues(entry.previous)}`,
  'order.cancelled': (entry) => `the cancellation of order ${entry.orderId}${entry.petId === undefined ? '' : ` for ${petOf(entry)}`}`,
  'pet.updated': (entry) => `the edit of ${petOf(entry)}${formerValues(entry.previous)}`,
  'pet.held': (entry) => `the hold of ${petOf(entry)}`,
  'pet.released': (entry) => `the release of ${petOf(entry)}`,
  'pet.archived': ({ petId, previous }) => (previous?.name === undefined ? `the deletion of pet ${petId}` : `the deletion of ${previous.name} (pet ${petId})`),
  'code.added': (entry) => `the code ${entry.current?.code} of ${petOf(entry)}`,
  'code.removed': (entry) => `the removal of code ${entry.previous?.code} from ${petOf(entry)}`,
  'category.created': (entry) => `the creation of ${categoryOf(entry)}`,
  'category.updated': (entry) => `the edit of ${categoryOf(entry)}${formerValues(entry.previous)}`,
  'category.archived': ({ categoryId, previous }) => `the deletion of category ${previous?.name ?? categoryId}`,
  'shop.updated': ({ previous }) => `the ${settingLabels(previous)} of the shop${formerValues(previous)}`,
};

function entryText(entry: NamedEntry): string {
  return entryTexts[entry.kind]?.(entry) ?? `ledger entry ${entry.id}`;
}

type Kind = LedgerEntry['kind'];

/** The kinds of entries whose texts that of another entry of the change includes, and what both are about: the order of a sale, the codes of a deleted pet. */
const includedIn: { readonly [kind in Kind]?: readonly [including: Kind, about: 'orderId' | 'petId'] } = {
  'order.placed': ['sale', 'orderId'],
  adjust: ['pet.archived', 'petId'],
  'code.removed': ['pet.archived', 'petId'],
  'pet.held': ['opening', 'petId'],
  'code.added': ['opening', 'petId'],
};

function isPartOfAnother(entry: LedgerEntry, entries: readonly LedgerEntry[]): boolean {
  const [including, about] = includedIn[entry.kind] ?? [];
  return about !== undefined && entries.some((other) => other.kind === including && other[about] === entry[about]);
}

/** The rows of an import: "24 applied, 1 unchanged, 0 rejected". */
export function rowsText({ applied, unchanged, rejected }: Pick<Batch, 'applied' | 'unchanged' | 'rejected'>): string {
  return `${applied} applied, ${unchanged} unchanged, ${rejected} rejected`;
}

const maximumTexts = 3;

/** What a change did, as the object of "undo": "the sale of 2 × Rex (order 5)". */
export function changeText({ batchId, countId, rows = 0, entries }: UndoableChange): string {
  if (countId !== undefined) return `the close of count ${countId} (${counted(rows, 'pet')})`;
  if (batchId !== undefined) return `import ${batchId} (${counted(rows, 'row')})`;
  const deleted = entries.find(({ kind }) => kind === 'category.archived');
  const moved = entries.filter(({ kind }) => kind === 'pet.updated').length;
  if (deleted !== undefined && moved > 0) return `${entryText(deleted)}, which moved ${counted(moved, 'pet')}`;
  // The entries are newest first.
  const texts = entries
    .filter((entry) => !isPartOfAnother(entry, entries))
    .map(entryText)
    .toReversed();
  const more = texts.length > maximumTexts ? `, and ${texts.length - maximumTexts} more` : '';
  return `${texts.slice(0, maximumTexts).join(', ')}${more}`;
}
