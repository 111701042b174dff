import { shortened } from '../../domain/values/text.js';
import { StoreError } from '../../domain/errors.js';
import { idFromText, isIdText } from '../../domain/values/ids.js';
import { roundedNumber } from '../../domain/values/json-text.js';
import { notesOf, type IdNoun } from '../../domain/values/schemas.js';
import type { AnyDescription, Schema } from './operation-rules.js';
import type { GenericSchema } from 'valibot';

/** Converts the text of a parameter for its schema; returns an invalid text unchanged, which the schema then refuses. */
type ReadText = (text: string) => unknown;

const maximumInt64 = 2n ** 63n - 1n;

/** The noun whose records an id names. */
function nounOf(schema: Schema | undefined): IdNoun | undefined {
  return schema && notesOf(schema as unknown as GenericSchema).names;
}

function readerOf(schema: Schema): ReadText {
  if (schema.wrapped) return readerOf(schema.wrapped);
  if (schema.type === 'number') {
    // An id that must name a record is quoted when it is refused; a filter by an id that was never assigned finds nothing.
    const isNamed = nounOf(schema) !== undefined;
    return (text) => {
      if (!/^(0|-?[1-9][0-9]*)$/.test(text)) return text;
      const number = Number(text);
      if (Number.isSafeInteger(number)) return number;
      if (isNamed) return roundedNumber(text);
      // Rounding could make it a valid id.
      return BigInt(text) > maximumInt64 ? 2 ** 64 : number;
    };
  }
  if (schema.type === 'boolean') return (text) => (text === 'true' ? true : text === 'false' ? false : text);
  if (schema.item) {
    const readItem = readerOf(schema.item);
    return (text) => (text === '' ? [] : text.split(',').map(readItem));
  }
  return (text) => text;
}

/** The path parameters of an operation, and a converter for each query parameter. */
export interface Parameters {
  /** Those of the path; one without a noun is a text. */
  readonly path: readonly { readonly name: string; readonly noun: IdNoun | undefined }[];
  readonly query: ReadonlyMap<string, ReadText>;
}

/** Derives the parameters of an operation from its path and input schema. */
export function parametersOf({ path, input }: Pick<AnyDescription, 'path' | 'input'>): Parameters {
  const { entries } = input;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, noun: nounOf(entries[name]) }));
  const elsewhere = new Set([...inPath.map(({ name }) => name), 'body']);
  const query = Object.entries(entries).filter(([name]) => !elsewhere.has(name));
  return { path: inPath, query: new Map(query.map(([name, schema]) => [name, readerOf(schema)])) };
}

/** The text in a path segment, or its id; refuses a missing one with `not_found`, an invalid one with `invalid_parameter`, one never assigned with the not-found code of the noun. */
export function pathValue({ name, noun }: Parameters['path'][number], text: string): number | string {
  if (text === '') throw new StoreError('not_found', 'There is nothing at this address; an id is missing.');
  if (noun === undefined) return text;
  if (!isIdText(text)) throw new StoreError('invalid_parameter', `${name}: must be a whole number from 1 to 9223372036854775807, not "${shortened(text)}".`);
  return idFromText(noun, text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new StoreError('invalid_request', 'The query is not percent-encoded UTF-8.');
  }
}

/** The values of a query by name; refuses with `unknown_parameter`, a repeated one with `invalid_parameter`, bad encoding with `invalid_request`. */
export function queryValues({ query }: Parameters, text: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  if (text === '') return values;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decoded(at < 0 ? pair : pair.slice(0, at));
    const read = query.get(name);
    if (read === undefined) throw new StoreError('unknown_parameter', `${shortened(name)}: unknown parameter; this operation takes ${names(query)}.`);
    if (Object.hasOwn(values, name)) throw new StoreError('invalid_parameter', `${name}: is given twice; give several values as one list with commas.`);
    values[name] = read(at < 0 ? '' : decoded(pair.slice(at + 1)));
  }
  return values;
}

function names(query: Parameters['query']): string {
  return query.size === 0 ? 'none' : [...query.keys()].join(', ');
}

/** Returns a function that fills the parameters of a path. */
export function pathFiller(path: string): (values: Readonly<Record<string, unknown>>) => string {
  // Texts at even indexes, names between them.
  const parts = path.split(/\{(\w+)\}/);
  return (values) => parts.map((part, index) => (index % 2 === 0 ? part : encodeURIComponent(String(values[part])))).join('');
}

/** The request target of an operation: its path and query, filled from an input. */
export function targetOf(operation: AnyDescription, input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const name of parametersOf(operation).query.keys()) if (input[name] !== undefined) query.set(name, String(input[name]));
  const path = pathFiller(operation.path)(input);
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
