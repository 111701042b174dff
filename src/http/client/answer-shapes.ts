import { category } from '../../domain/categories/category.js';
import { importReport } from '../../domain/imports/import-report.js';
import { rowError } from '../../domain/imports/row-error.js';
import { inventoryItem } from '../../domain/inventory/inventory-item.js';
import type { Page } from '../../domain/values/pages.js';
import { order } from '../../domain/orders/order.js';
import { pet } from '../../domain/pets/pet.js';
import { petDetails } from '../../domain/pets/pet-details.js';
import type { Schema } from '../contract/schema.js';
import type { Described } from '../contract/parameters.js';

/** A value that is not of the shape asked for. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

const text: Schema = { type: 'string' };
const number: Schema = { type: 'number' };
const flag: Schema = { type: 'boolean' };
const optional = (wrapped: Schema): Schema => ({ type: 'optional', wrapped });
const listOf = (item: Schema): Schema => ({ type: 'array', item });
const record = (entries: Readonly<Record<string, Schema>>): Schema => ({ type: 'object', entries });

const version = optional(number);

/** What our own server answers beside the fields of the contract, by the schema of the contract. */
const rows: ReadonlyMap<unknown, Schema> = new Map<unknown, Schema>([
  [pet, record({ ...pet.entries, category: text, hold: flag, quantity: number, reserved: number, lowAt: optional(number), version })],
  [category, record({ ...category.entries, pets: number, version })],
  [order, record({ ...order.entries, id: number, complete: flag, pet: optional(text), state: text, version })],
  [inventoryItem, record({ ...inventoryItem.entries, name: text, category: text, reserved: number, available: number, lowAt: optional(number), version })],
  [petDetails, record({ ...petDetails.entries, hold: flag, lowAt: optional(number) })],
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

/** What an import tells while it runs: the values that each of its callbacks takes. */
export const toldShapes = {
  onChanges: [changes],
  onIgnored: [listOf(text)],
  onPreview: [record({ changes, total: number, toZero: number, errors: listOf(rowError), rejected: number })],
  onRejected: [rowError, optional(originalRow)],
  onRow: [rowResult],
} as const satisfies Readonly<Record<string, readonly Schema[]>>;

/** The report of an import as our own server answers it; a dry run has no batch. */
export const reportShape = record(importReport.entries);

/** The answer to an undo as our own server gives it. */
export function undoShape(batch: Schema): Schema {
  return record({ batch, rows: number });
}

const primitives: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['picklist', 'string'],
  ['number', 'number'],
  ['boolean', 'boolean'],
]);

const missing = (value: unknown): boolean => value === undefined || value === null;

/**
 * The value with the fields of a schema and no others, or a `ShapeError`. Only types are compared: what names and numbers
 * may be is for the server to say, which may be older.
 */
export function shaped(schema: Schema, value: unknown): unknown {
  if (schema.wrapped) return missing(value) ? undefined : shaped(schema.wrapped, value);
  if (schema.item) {
    const { item } = schema;
    if (!Array.isArray(value)) throw new ShapeError('a list is expected');
    return value.map((one: unknown) => shaped(item, one));
  }
  if (schema.entries) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError('a record is expected');
    const found = value as Readonly<Record<string, unknown>>;
    const { entries } = schema;
    const fields = new Map(Object.entries(entries).map(([name, entry]) => [name, shaped(entry, Object.hasOwn(found, name) ? found[name] : undefined)]));
    // In the order of the answer, so that a record prints the same wherever the shop is.
    const names = Object.keys(found).filter((name) => fields.get(name) !== undefined);
    return Object.fromEntries(names.map((name) => [name, fields.get(name)]));
  }
  const type = primitives.get(schema.type);
  // oxlint-disable-next-line valid-typeof -- the names stand in the table above
  if (type !== undefined && typeof value !== type) throw new ShapeError(`a ${type} is expected`);
  return value;
}

/** The answer of one operation as our own server gives it, checked. */
export function shapedAnswer({ output, paged }: Described, value: unknown): unknown {
  const row = rows.get(output) ?? output;
  if (!paged) return shaped(row, value);
  const page = shaped(record({ items: listOf(row), next: optional(text), previous: optional(text), total: optional(number) }), value) as Page<unknown>;
  // A walk through the pages would never end.
  if (page.items.length === 0 && page.next !== undefined) throw new ShapeError('a page without rows names no next one');
  return page;
}
