import * as v from 'valibot';

/** The nouns an id can name. */
export type IdNoun = 'pet' | 'category' | 'order' | 'batch' | 'entry' | 'count' | 'line' | 'hook';

/** What the OpenAPI document needs to know about a schema, in addition to its checks. */
export interface SchemaNotes {
  /** The name of a record under `components.schemas` of the document. */
  readonly record?: string;
  /** The body may repeat the id of the path; the document leaves that field out. */
  readonly repeatsPathId?: true;
  /** JSON Schema keywords for checks that are functions. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** The record that an id in a request must name, where one that was never assigned is refused. */
  readonly names?: IdNoun;
  /** A value for the examples of the document. */
  readonly example?: number | string;
}

/** Adds notes for the OpenAPI document to a schema. */
export function withNotes<S extends v.GenericSchema, const Notes extends SchemaNotes>(schema: S, notes: Notes) {
  return v.pipe(schema, v.metadata(notes as SchemaNotes & Record<string, unknown>));
}

/** The notes of a schema. */
export function notesOf(schema: v.GenericSchema): SchemaNotes {
  return v.getMetadata(schema) as SchemaNotes;
}

/** Reads a text with a function. For a text that is wrong the function calls `refuse` with the problem and returns undefined. */
export function readText<Value>(read: (text: string, refuse: (problem: string) => undefined) => Value | undefined) {
  return v.rawTransform<string, Value>(({ dataset, addIssue, NEVER }) => {
    const refuse = (message: string): undefined => {
      addIssue({ message });
      return undefined;
    };
    return read(dataset.value, refuse) ?? NEVER;
  });
}

/** A field or a parameter: its schema and its description for the document. */
export function field<S extends v.GenericSchema>(schema: S, description: string) {
  return v.pipe(schema, v.description(description));
}

/** An optional field or parameter. */
export function optional<S extends v.GenericSchema>(schema: S, description: string) {
  return v.optional(field(schema, description));
}

/** An optional field of a patch; null removes the field. */
export function nullish<S extends v.GenericSchema>(schema: S, description: string) {
  return v.nullish(field(schema, description));
}

/** A boolean; texts such as "true" are refused. */
export const trueOrFalse = v.boolean('must be true or false');

/** A boolean parameter, false by default. */
export function flag(description: string) {
  return v.optional(field(trueOrFalse, description), false);
}

/** A record in responses, with its name in the document. */
export function record<const Name extends string, Entries extends v.ObjectEntries>(name: Name, description: string, entries: Entries) {
  return v.pipe(v.object(entries), v.metadata({ record: name }), v.description(description));
}

/** A record in requests, with its name in the document; unknown fields are refused. */
export function requestRecord<const Name extends string, Entries extends v.ObjectEntries>(name: Name, description: string, entries: Entries) {
  return v.pipe(v.strictObject(entries), v.metadata({ record: name }), v.description(description));
}
