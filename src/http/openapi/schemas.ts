import * as v from 'valibot';
import { toJsonSchemaDefs, type ConversionConfig } from '@valibot/to-json-schema';
import { contract, type ContractOperation } from '../../domain/operations.js';
import { completeError } from '../../domain/errors.js';
import { completeOutput } from '../../domain/complete-records.js';
import { notesOf, type SchemaNotes } from '../../domain/values/schemas.js';

/** A part of the document: a JSON object. */
export type Part = Readonly<Record<string, unknown>>;

interface ObjectSchema extends Part {
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
}

/** What is known of any schema: what it is made of. */
interface AnySchema extends v.GenericSchema {
  readonly wrapped?: AnySchema;
  readonly item?: AnySchema;
  readonly options?: readonly unknown[];
  readonly entries?: Readonly<Record<string, AnySchema>>;
}

/** The schemas that an operation declares: its input, its output and the rows of its file. */
function declaredBy({ id, input, output, ...operation }: ContractOperation, stableOnly: boolean): readonly AnySchema[] {
  const rows = 'rows' in operation ? operation.rows?.schema : undefined;
  const complete = stableOnly ? [] : [completeOutput({ id, output }), completeError];
  return [input, output, ...complete, ...(rows === undefined ? [] : [rows])] as readonly AnySchema[];
}

/** The named records of operations, each with every schema that has its name. */
function recordsOf(operations: readonly ContractOperation[], stableOnly = false): ReadonlyMap<string, readonly AnySchema[]> {
  const found = new Map<string, AnySchema[]>();
  const visit = (schema: AnySchema): void => {
    const { record } = notesOf(schema);
    if (record !== undefined) {
      const known = found.get(record) ?? [];
      if (known.includes(schema)) return;
      found.set(record, [...known, schema]);
    }
    for (const part of [schema.wrapped, schema.item, ...Object.values(schema.entries ?? {})]) if (part !== undefined) visit(part);
  };
  for (const operation of operations) for (const schema of declaredBy(operation, stableOnly)) visit(schema);
  return found;
}

/** Of the schemas with one name, the one the document shows: an answer's before a request's, and one without the id of a path before one with it. */
function shownSchema(same: readonly AnySchema[]): AnySchema | undefined {
  const rankOf = (schema: AnySchema): number => (notesOf(schema).repeatsPathId === true ? 2 : 0) + (schema.type === 'strict_object' ? 1 : 0);
  return same.toSorted((one, other) => rankOf(one) - rankOf(other))[0];
}

/** A reference to a schema of the document. */
export function ref(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

const conversion: ConversionConfig = {
  target: 'openapi-3.0',
  typeMode: 'input',
  // The notes of the schema describe such a check.
  ignoreActions: ['check', 'readonly'],
  overrideRef: ({ referenceId }) => ref(referenceId).$ref,
  // The converter copies all notes; only the keywords belong in the document.
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type !== 'metadata') return undefined;
    const { record: _record, repeatsPathId: _repeats, names: _names, example: _example, jsonSchema: keywords, ...rest } = jsonSchema as SchemaNotes & Part;
    return { ...rest, ...keywords };
  },
};

/** A field as the document shows it: a named record by its name, anything else with its description. */
function fieldPart(entry: AnySchema, part: Part): Part {
  const schema = unwrapped(entry);
  const { record } = notesOf(schema);
  if (record !== undefined) return ref(record);
  const description = v.getDescription(schema);
  return { ...part, ...(description !== undefined && { description }) };
}

interface Converted {
  readonly records: Readonly<Record<string, ObjectSchema>>;
  readonly inputs: Readonly<Record<string, ObjectSchema>>;
}

let converted: Converted | undefined;

/** The records and the inputs of all operations as JSON Schema; converted together when one is asked for. */
function conversions(): Converted {
  if (converted !== undefined) return converted;
  const records = [...recordsOf(contract)].map(([name, same]) => [name, shownSchema(same)] as const);
  const inputs = contract.map(({ id, input }) => [id, input] as const);
  const all = toJsonSchemaDefs(Object.fromEntries([...records, ...inputs]) as Parameters<typeof toJsonSchemaDefs>[0], conversion) as unknown as Readonly<
    Record<string, ObjectSchema>
  >;
  const pick = (names: readonly string[]): Converted['records'] => Object.fromEntries(names.map((name) => [name, all[name] ?? {}]));
  converted = { records: pick(records.map(([name]) => name)), inputs: pick(inputs.map(([id]) => id)) };
  return converted;
}

/** Keywords beside a reference are ignored in OpenAPI 3.0, so the reference goes into an `allOf`. */
function wrapped(schema: Part): Part {
  const { $ref, ...rest } = schema;
  return $ref === undefined || Object.keys(rest).length === 0 ? schema : { allOf: [{ $ref }], ...rest };
}

/** The parameters of the path and of the query of an operation. */
export function parametersIn({ id, path, input }: ContractOperation): readonly Part[] {
  const { properties = {}, required = [] } = conversions().inputs[id] ?? {};
  return Object.entries(input.entries)
    .filter(([name]) => name !== 'body')
    .map(([name, entry]) => {
      const schema = unwrapped(entry as AnySchema);
      const { record, example } = notesOf(schema);
      const { description: _, ...part } = properties[name] ?? {};
      const { type: _type, enum: _values, ...limits } = part;
      const shown: Part = record === undefined ? part : { ...ref(record), ...limits };
      return {
        name,
        in: path.includes(`{${name}}`) ? 'path' : 'query',
        required: required.includes(name),
        description: v.getDescription(schema),
        // A list is one text with commas.
        ...(shown['type'] === 'array' && { style: 'form', explode: false }),
        schema: wrapped(shown),
        ...(example !== undefined && { example }),
      };
    });
}

function unwrapped(schema: AnySchema): AnySchema {
  return schema.wrapped === undefined ? schema : unwrapped(schema.wrapped);
}

type Answer = Pick<ContractOperation, 'id' | 'paged' | 'output'>;

/** Whether an operation answers a list of records: a page of one, or all of it. */
export function answersList({ paged, output }: Answer): boolean {
  return paged || output.type === 'array';
}

/** The name of the record an operation answers with, or of each record of its list. */
export function answerName({ id, output }: Answer): string {
  const { record } = notesOf((output as AnySchema).item ?? output);
  if (record === undefined) throw new Error(`The answer of ${id} has no name among the records of the document.`);
  return record;
}

/** The name of the complete record that an operation answers on request; undefined where it answers the same record, or none. */
export function completeName(operation: ContractOperation): string | undefined {
  const output = completeOutput(operation);
  // Signing out answers nothing to any client.
  const isMore = output !== operation.output || (operation.status === 204 && operation.tag !== 'Session');
  return isMore ? answerName({ ...operation, output }) : undefined;
}

/** The name of the record an operation takes as its JSON body, or undefined when it takes none. */
export function bodyName({ id, input }: Pick<ContractOperation, 'id' | 'input'>): string | undefined {
  const body = input.entries['body'] as AnySchema | undefined;
  if (body === undefined) return undefined;
  const { record } = notesOf(body);
  if (record === undefined) throw new Error(`The body of ${id} has no name among the records of the document.`);
  return record;
}

/** The name of the record that the rows of an operation's file are, or undefined when it takes no file. */
export function rowName(operation: ContractOperation): string | undefined {
  return 'rows' in operation && operation.rows !== undefined ? notesOf(operation.rows.schema).record : undefined;
}

/** The two schemas of the specification that no schema of the domain is: a named list, and the error. */
const specified: Readonly<Record<string, ObjectSchema>> = {
  Pets: { description: 'A list of pets.', type: 'array', items: ref('Pet') },
  Error: {
    description: 'Why a request was refused. Every response with a status of 400 or above has this body.',
    type: 'object',
    properties: {
      code: { type: 'string', description: 'Machine-readable error code.' },
      message: { type: 'string', description: 'Human-readable description.' },
      status: { type: 'integer', description: 'The HTTP status code.' },
    },
    required: ['code', 'message', 'status'],
  },
};

/** The list of a record: by its name where it has one. */
export function listOf(name: string): Part {
  return name === 'Pet' ? ref('Pets') : { type: 'array', items: ref(name) };
}

/** Every named schema of a document. A record that a request brings refuses other fields, and leaves out the id of its path. */
export function schemas(operations: readonly ContractOperation[], stableOnly: boolean): Readonly<Record<string, Part>> {
  const { records } = conversions();
  const named = recordsOf(operations, stableOnly);
  const inDocument = [...recordsOf(contract)].filter(([name]) => named.has(name));
  const shown = inDocument.map(([name, all]) => {
    const { properties = {}, required = [], ...schema } = records[name] ?? {};
    if (Object.keys(properties).length === 0) return [name, schema] as const;
    const entries = shownSchema(all)?.entries ?? {};
    const fields = Object.fromEntries(Object.entries(properties).map(([field, part]) => [field, fieldPart(entries[field] ?? v.unknown(), part)]));
    const { id, ...others } = fields;
    const repeatsPathId = all.every((one) => notesOf(one).repeatsPathId === true);
    return [
      name,
      {
        ...schema,
        properties: repeatsPathId || id === undefined ? others : fields,
        ...(required.length > 0 && { required }),
        ...(all.some(({ type }) => type === 'strict_object') && { additionalProperties: false }),
      },
    ] as const;
  });
  return { ...Object.fromEntries(shown), ...specified };
}
