import { category, type CategoryRow } from '../../domain/categories/category.js';
import { importReport } from '../../domain/imports/import-report.js';
import { rowError } from '../../domain/imports/row-error.js';
import { inventoryItem, type InventoryRow } from '../../domain/inventory/inventory-item.js';
import type { ErrorDetails, ReadingAdvice } from '../../domain/errors.js';
import type { UndoReport } from '../../domain/shop.js';
import type { Page } from '../../domain/values/pages.js';
import { lowLevel } from '../../domain/inventory/stock.js';
import { order, type OrderRow } from '../../domain/orders/order.js';
import { pet, type PetRow } from '../../domain/pets/pet.js';
import { petDetails, type PetDetailsRow } from '../../domain/pets/pet-details.js';
import type { AnyDescription, Schema } from '../contract/operation-rules.js';

/** A value of another shape than expected. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

const text: Schema = { type: 'string' };
const number: Schema = { type: 'number' };
const flag: Schema = { type: 'boolean' };
const optional = (wrapped: Schema): Schema => ({ type: 'optional', wrapped });
const listOf = (item: Schema): Schema => ({ type: 'array', item });
const record = (entries: Readonly<Record<string, Schema>>): Schema => ({ type: 'object', entries });

const versioned = { version: optional(number), unchanged: optional(flag) };

/** A row that our own server sends; a missing field is a compile error. */
const rowOf = <Row>(entries: Readonly<Record<keyof Row & string, Schema>>): Schema => record(entries);

/** The rows that our own server sends, by the record of the contract in the output of an operation. */
const rowShapes = new Map<unknown, Schema>([
  [pet, rowOf<PetRow>({ ...pet.entries, category: text, hold: flag, quantity: number, reserved: number, lowAt: optional(number), ...versioned })],
  [category, rowOf<CategoryRow>({ ...category.entries, pets: number, ...versioned })],
  [
    order,
    rowOf<OrderRow>({
      ...order.entries,
      id: number,
      complete: flag,
      pet: optional(text),
      state: text,
      overdue: flag,
      ...versioned,
      available: optional(number),
    }),
  ],
  [
    inventoryItem,
    rowOf<InventoryRow>({
      ...inventoryItem.entries,
      name: text,
      category: text,
      hold: flag,
      reserved: number,
      available: number,
      lowAt: optional(number),
      low: flag,
      short: flag,
      before: optional(number),
      ...versioned,
    }),
  ],
  [lowLevel, record({ ...lowLevel.entries, unchanged: versioned.unchanged })],
  [petDetails, rowOf<PetDetailsRow>({ ...petDetails.entries, hold: flag, lowAt: optional(number) })],
]);

const changes = listOf(record({ petId: number, name: text, before: number, after: number }));
const originalRow = record({ format: text, header: listOf(text), original: { type: 'any' } });
const rowResult = record({
  line: number,
  petId: optional(number),
  name: optional(text),
  outcome: text,
  before: optional(number),
  after: optional(number),
  error: optional(rowError),
});

/** The arguments of the callbacks of an import. */
export const callbackShapes = {
  onChanges: [changes],
  onIgnored: [listOf(text)],
  onPreview: [record({ changes, total: number, toZero: number, errors: listOf(rowError), rejected: number })],
  onRejected: [rowError, optional(originalRow)],
  onRow: [rowResult],
} as const satisfies Readonly<Record<string, readonly Schema[]>>;

const errorDetails = record({
  petId: optional(number),
  petText: optional(text),
  orderId: optional(number),
  orderIds: optional(listOf(number)),
  categoryId: optional(number),
  categoryText: optional(text),
  codeText: optional(text),
  entryId: optional(number),
  batchId: optional(number),
  tokenId: optional(number),
  countId: optional(number),
  petIds: optional(listOf(number)),
  lineIndex: optional(number),
  field: optional(text),
  reason: optional(text),
  readAs: optional(record({ encoding: optional(text), delimiter: optional(text), map: optional(listOf(text)) } satisfies Record<keyof ReadingAdvice, Schema>)),
  at: optional(text),
} satisfies Record<keyof ErrorDetails, Schema>);

/** The details of a refusal; empty for a value of another shape, because they only serve the hint. */
export function detailsIn(value: unknown): ErrorDetails {
  try {
    return checkShape(errorDetails, value) as ErrorDetails;
  } catch (error) {
    if (error instanceof ShapeError) return {};
    throw error;
  }
}

/** The report of an import; a dry run has no batch. */
export const reportShape = record(importReport.entries);

/** The answer to an undo. */
export function undoShape(batch: Schema): Schema {
  return record({ batch, rows: number } satisfies Record<keyof UndoReport, Schema>);
}

const primitives: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['picklist', 'string'],
  ['number', 'number'],
  ['boolean', 'boolean'],
]);

const missing = (value: unknown): boolean => value === undefined || value === null;

/**
 * Picks the fields of a schema from a value; throws `ShapeError` for another type. Only types are checked: the server, which
 * may be another version, decides which names and numbers are valid.
 */
export function checkShape(schema: Schema, value: unknown): unknown {
  if (schema.type === 'nullish' && value === null) return null;
  if (schema.wrapped) return missing(value) ? undefined : checkShape(schema.wrapped, value);
  if (schema.item) {
    const { item } = schema;
    if (!Array.isArray(value)) throw new ShapeError('a list is expected');
    return value.map((one: unknown) => checkShape(item, one));
  }
  if (schema.entries) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError('a record is expected');
    const found = value as Readonly<Record<string, unknown>>;
    const { entries } = schema;
    const fields = new Map(Object.entries(entries).map(([name, entry]) => [name, checkShape(entry, Object.hasOwn(found, name) ? found[name] : undefined)]));
    // In the order of the answer, so that records print the same for local and remote shops.
    const names = Object.keys(found).filter((name) => fields.get(name) !== undefined);
    return Object.fromEntries(names.map((name) => [name, fields.get(name)]));
  }
  const type = primitives.get(schema.type);
  // oxlint-disable-next-line valid-typeof -- the names are in the table above
  if (type !== undefined && typeof value !== type) throw new ShapeError(`a ${type} is expected`);
  return value;
}

/** Checks the answer of an operation; throws `ShapeError`. */
export function checkAnswer({ output, paged }: AnyDescription, value: unknown): unknown {
  const row = rowShapes.get(output) ?? output;
  if (!paged) return checkShape(row, value);
  const page = checkShape(record({ items: listOf(row), next: optional(text), previous: optional(text), total: optional(number) }), value) as Page<unknown>;
  // Otherwise reading all pages might never end.
  if (page.items.length === 0 && page.next !== undefined) throw new ShapeError('a page without rows names no next one');
  return page;
}
