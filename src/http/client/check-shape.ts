import { StoreError } from '../../domain/errors.js';
import type { Schema } from '../contract/operation-rules.js';

/** The refusal of an answer that a petstore server does not send. */
export function unexpectedAnswer(where: string, reason?: string): StoreError {
  return new StoreError('store_unreachable', `${where} does not respond like a petstore server${reason === undefined ? '' : `: ${reason}`}.`, {
    advice: 'Check the address of --store.',
  });
}

/** The refusal of an answer that is too long. */
export function answerTooLong(where: string, maximumBytes: number): StoreError {
  return unexpectedAnswer(where, `its response is longer than ${maximumBytes >= 1 << 20 ? `${maximumBytes >> 20} MiB` : `${maximumBytes >> 10} KiB`}`);
}

/** Parses the JSON record or list of an answer; refuses other texts with `store_unreachable`. */
export function parseJson(text: string, where: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Refused below, like other JSON values.
  }
  throw unexpectedAnswer(where);
}

const primitives: Readonly<Record<string, string>> = { string: 'string', picklist: 'string', number: 'number', boolean: 'boolean' };

/**
 * Picks the fields of a schema from a value of an answer; refuses another type with `store_unreachable`. Only types are checked: the
 * server, which may be another version, decides which names and numbers are valid.
 */
export function checkShape(schema: Schema, value: unknown, where: string): unknown {
  if (schema.type === 'nullish' && value === null) return null;
  if (schema.wrapped) return value === undefined || value === null ? undefined : checkShape(schema.wrapped, value, where);
  if (schema.item) {
    const { item } = schema;
    if (!Array.isArray(value)) throw unexpectedAnswer(where, 'a list is expected');
    return value.map((one: unknown) => checkShape(item, one, where));
  }
  if (schema.entries) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unexpectedAnswer(where, 'a record is expected');
    const found = value as Readonly<Record<string, unknown>>;
    const { entries } = schema;
    const fields = new Map(
      Object.entries(entries).map(([name, entry]) => [name, checkShape(entry, Object.hasOwn(found, name) ? found[name] : undefined, where)]),
    );
    // In the order of the answer, so that records print the same for local and remote shops.
    const names = Object.keys(found).filter((name) => fields.get(name) !== undefined);
    return Object.fromEntries(names.map((name) => [name, fields.get(name)]));
  }
  const type = primitives[schema.type];
  // oxlint-disable-next-line valid-typeof -- the names are in the table above
  if (type !== undefined && typeof value !== type) throw unexpectedAnswer(where, `a ${type} is expected`);
  return value;
}
