import type { Description } from '../domain/operation.js';
import { StoreError } from '../domain/errors.js';
import { idFromText, isIdText, type IdNoun } from '../domain/numbers.js';
import type { Schema } from './shape.js';

/** The version of the contract, on every answer. */
export const apiVersion = '1.0.0';

/** The media type of records and errors. */
export const jsonType = 'application/json';
/** The same as an answer names it. */
export const json = `${jsonType}; charset=utf-8`;

/** The media types in which an operation takes its record; a patch has one of its own besides (RFC 7396). */
export function bodyTypes({ method }: Pick<Described, 'method'>): readonly string[] {
  return method === 'PATCH' ? [jsonType, 'application/merge-patch+json'] : [jsonType];
}

/** The media types of a patch, as the `Accept-Patch` header has them (RFC 5789). */
export const acceptPatch = bodyTypes({ method: 'PATCH' }).join(', ');

/**
 * What our own client accepts: answers with everything an operation tells, as people read it on a terminal, and errors
 * with their hints. The number goes up when a row changes its meaning, so that programs of two ages notice.
 */
export const rowsType = 'application/vnd.petstore.rows.1+json';

/** The headers beside those of HTTP that client and server agree on. */
export const headerNames = {
  /** The key of a change that must not take effect twice. */
  key: 'idempotency-key',
  /** Says on an answer that an earlier request under the same key had it first. */
  replayed: 'idempotency-replayed',
  note: 'petstore-note',
  dryRun: 'petstore-dry-run',
  /** Who asks, where nobody has to prove it. */
  actor: 'petstore-actor',
  /** How settled the operation is, where it is not stable. */
  stability: 'petstore-stability',
  /** The last event somebody saw of a stream that broke off. */
  lastEventId: 'last-event-id',
} as const;

/** A text as it goes into a header, and back. */
export const headerText = { write: encodeURIComponent, read: decodeURIComponent } as const;

/** Any operation, for what only looks at its description. */
export type Described = Description<unknown, unknown>;

/** Turns the text of a parameter into the value its schema checks; a text of another form is left for the schema to refuse. */
type ReadText = (text: string) => unknown;

const maximumInt64 = 2n ** 63n - 1n;

/** The number of a decimal text. One beyond 64 bits stays there: rounded, 2^63 would be taken for 2^63 − 1, which is an id. */
function numberIn(text: string): number {
  return BigInt(text) > maximumInt64 ? 2 ** 64 : Number(text);
}

function readerOf(schema: Schema): ReadText {
  if (schema.wrapped) return readerOf(schema.wrapped);
  if (schema.type === 'number') return (text) => (/^(0|-?[1-9][0-9]*)$/.test(text) ? numberIn(text) : text);
  if (schema.type === 'boolean') return (text) => (text === 'true' ? true : text === 'false' ? false : text);
  if (schema.item) {
    const readItem = readerOf(schema.item);
    return (text) => (text === '' ? [] : text.split(',').map(readItem));
  }
  return (text) => text;
}

/** The parameters of an operation: those of its path, and a reader for each of its query. */
export interface Parameters {
  readonly path: readonly { readonly name: string; readonly noun: IdNoun }[];
  readonly query: ReadonlyMap<string, ReadText>;
}

/** What an operation takes, read off its path and its input schema. */
export function parametersOf({ path, input }: Pick<Described, 'path' | 'input'>): Parameters {
  const { entries } = input;
  const inPath = [...path.matchAll(/\{(\w+)Id\}/g)].map(([, noun = '']) => ({ name: `${noun}Id`, noun: noun as IdNoun }));
  const elsewhere = new Set([...inPath.map(({ name }) => name), 'body']);
  const query = Object.entries(entries).filter(([name]) => !elsewhere.has(name));
  return { path: inPath, query: new Map(query.map(([name, schema]) => [name, readerOf(schema)])) };
}

/** Whether an operation takes a JSON body. */
export function takesBody({ input }: Pick<Described, 'input'>): boolean {
  return 'body' in input.entries;
}

/** The id in a segment of a path; refuses with `invalid_parameter`, and one that is missing or was never assigned as not found. */
export function pathId({ name, noun }: Parameters['path'][number], text: string): number {
  if (text === '') throw new StoreError('not_found', 'There is nothing at this address; an id is missing in it.');
  if (!isIdText(text)) throw new StoreError('invalid_parameter', `${name}: must be a whole number from 1 to 9223372036854775807, not "${shortened(text)}".`);
  return idFromText(noun, text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new StoreError('invalid_request', 'The query of the address is not percent-encoded UTF-8.');
  }
}

/** The values of a query, by name; refuses a name nobody knows, or one given twice. */
export function queryValues({ query }: Parameters, text: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  if (text === '') return values;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decoded(at < 0 ? pair : pair.slice(0, at));
    const read = query.get(name);
    if (read === undefined) throw new StoreError('unknown_parameter', `${shortened(name)}: is not known; this operation takes ${known(query)}.`);
    if (Object.hasOwn(values, name)) throw new StoreError('invalid_parameter', `${name}: is given twice; give several values as one list with commas.`);
    values[name] = read(at < 0 ? '' : decoded(pair.slice(at + 1)));
  }
  return values;
}

function known(query: Parameters['query']): string {
  return query.size === 0 ? 'none' : [...query.keys()].join(', ');
}

const shownCharacters = 60;

/** A text of a request as a message repeats it: never at full length. */
export function shortened(text: string): string {
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`;
}

/** Whether a change names its record by the path, so that it can be made conditional (If-Match). */
export function isConditional({ method, path }: Pick<Described, 'method' | 'path'>): boolean {
  return method !== 'GET' && /\{(pet|order|category)Id\}/.test(path);
}

/** Whether a server may insist on the condition: what a POST adds, such as an adjustment, is right on top of any version. */
export function isOverwriting(operation: Pick<Described, 'method' | 'path'>): boolean {
  return isConditional(operation) && operation.method !== 'POST';
}

/** The id of an event, or 0 for none of them. */
export const eventIdPattern = /^(0|[1-9][0-9]{0,15})$/;

/**
 * The entity tag of a record. Versions are ids of one ledger, so a newer version of another record that is shown as well
 * stands behind that of the record, and an older one is the same since then.
 */
export function entityTag(version: number, other = 0): string {
  return other > version ? `"${version}-${other}"` : `"${version}"`;
}

/** The versions of a record that an If-Match or If-None-Match names, or `any` (`*`). A foreign tag names none. */
export function versionsIn(header: string): readonly number[] | 'any' {
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.includes('*')) return 'any';
  return tags.flatMap((tag) => {
    const digits = /^"(0|[1-9][0-9]{0,15})(-[1-9][0-9]{0,15})?"$/.exec(tag)?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
}

/** The headers of a deprecated operation (RFC 9745 and RFC 8594); `path` is that of its successor, with the ids in place. */
export function deprecationHeaders(deprecated: NonNullable<Described['deprecated']>, path: string, basePath: string): Record<string, string> {
  return { ...deprecationDates(deprecated), link: successorLink(path, basePath) };
}

/** The headers of a deprecated operation that are the same on every answer. */
export function deprecationDates({ since, sunset }: NonNullable<Described['deprecated']>): Record<string, string> {
  return { deprecation: `@${since / 1000}`, sunset: new Date(sunset).toUTCString() };
}

/** The Link of a deprecated operation; `path` is that of its successor, with the ids in place. */
export function successorLink(path: string, basePath: string): string {
  return `<${basePath}${path}>; rel="successor-version", <${basePath}/docs#deprecations>; rel="deprecation"; type="text/html"`;
}

/** A path with its parameters filled in. */
export function pathOf(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** What a request for an operation asks for: its path and its query, filled in from an input. */
export function targetOf(operation: Described, input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const name of parametersOf(operation).query.keys()) if (input[name] !== undefined) query.set(name, String(input[name]));
  const path = pathOf(operation.path, input);
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
