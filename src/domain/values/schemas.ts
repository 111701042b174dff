import * as v from 'valibot';

/** What the OpenAPI document needs to know of a schema and its checks do not say. */
export interface SchemaNotes {
  /** The name of a record among the schemas of the document. */
  readonly record?: string;
  /** The record repeats the id of its path, which the document leaves out. */
  readonly repeatsPathId?: true;
  /** JSON Schema keywords of checks that are written as code. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** A value for the examples of the document. */
  readonly example?: number;
}

/** The same schema with notes for the document. */
export function withNotes<S extends v.GenericSchema, const Notes extends SchemaNotes>(schema: S, notes: Notes) {
  return v.pipe(schema, v.metadata(notes as SchemaNotes & Record<string, unknown>));
}

/** A field or a parameter: its schema, and the sentence that the document shows. */
export function field<S extends v.GenericSchema>(schema: S, description: string) {
  return v.pipe(schema, v.description(description));
}

/** A field or a parameter that may be left out. */
export function optional<S extends v.GenericSchema>(schema: S, description: string) {
  return v.optional(field(schema, description));
}

/** A field or a parameter that may be left out, and null removes the field. */
export function nullish<S extends v.GenericSchema>(schema: S, description: string) {
  return v.nullish(field(schema, description));
}

/** True or false, and nothing that reads like it. */
export const trueOrFalse = v.boolean('must be true or false');

/** A parameter that is false unless given. */
export function flag(description: string) {
  return v.optional(field(trueOrFalse, description), false);
}

/** A record that the shop answers, by its name in the document. */
export function record<const Name extends string, Entries extends v.ObjectEntries>(name: Name, description: string, entries: Entries) {
  return v.pipe(v.object(entries), v.metadata({ record: name }), v.description(description));
}

/** A record that a request brings, by its name in the document; fields it does not have are refused. */
export function requestRecord<const Name extends string, Entries extends v.ObjectEntries>(name: Name, description: string, entries: Entries) {
  return v.pipe(v.strictObject(entries), v.metadata({ record: name }), v.description(description));
}
