import type { Schema } from '../contract/operation-rules.js';

/** A value of another shape than expected. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
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

/** Checks a list of records; throws `ShapeError`. */
export function checkList(item: Schema, value: unknown): readonly unknown[] {
  return checkShape({ type: 'array', item }, value) as readonly unknown[];
}
