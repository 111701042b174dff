import { toJsonSchemaDefs, type ConversionConfig, type JsonSchema } from '@valibot/to-json-schema';
import { category, newCategory } from '../../domain/categories/category.js';
import { batch, batchDetails, importMode } from '../../domain/imports/batch.js';
import { importReport } from '../../domain/imports/import-report.js';
import { rowError } from '../../domain/imports/row-error.js';
import { inventoryItem, inventoryUpdate } from '../../domain/inventory/inventory-item.js';
import { setLowDefault } from '../../domain/inventory/set-low-default.js';
import { ledgerEntry, ledgerKind } from '../../domain/ledger/ledger-entry.js';
import { deltaNumber, maximumQuantity } from '../../domain/values/numbers.js';
import { contract } from '../../domain/operations.js';
import { order } from '../../domain/orders/order.js';
import { petDetails } from '../../domain/pets/pet-details.js';
import { newPet, pet } from '../../domain/pets/pet.js';
import { movementRow } from '../../domain/reports/report-movements.js';
import { sellThroughRow } from '../../domain/reports/report-sell-through.js';
import { stockReportRow } from '../../domain/reports/report-stock.js';
import { petStatus } from '../../domain/pets/pet-status.js';
import { summary } from '../../domain/reports/summary.js';
import { nameText, noteText } from '../../domain/values/text.js';
import { dateTimeText, rangeEndText, rangeStartText } from '../../domain/values/time.js';
import { fieldWords, recordWords } from './fields.js';

/** A part of the document: a JSON object. */
export type Part = Readonly<Record<string, unknown>>;

interface ObjectSchema extends Part {
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
}

/** The records the domain declares, by their name in the document: the specification's, then our own. */
const declared = {
  PetStatus: petStatus,
  NewPet: newPet,
  Pet: pet,
  NewCategory: newCategory,
  Category: category,
  Order: order,
  InventoryItem: inventoryItem,
  InventoryUpdate: inventoryUpdate,
  PetDetails: petDetails,
  LowLevel: setLowDefault.output,
  LedgerKind: ledgerKind,
  LedgerEntry: ledgerEntry,
  ImportMode: importMode,
  RowError: rowError,
  ImportReport: importReport,
  Batch: batch,
  BatchDetails: batchDetails,
  Summary: summary,
  StockReportRow: stockReportRow,
  MovementRow: movementRow,
  SellThroughRow: sellThroughRow,
};

/** The bodies that are no record of the domain, by operation; one name may serve several. */
const bodies: Readonly<Record<string, string>> = {
  replacePet: 'NewPet',
  updatePet: 'PetPatch',
  replaceCategory: 'NewCategory',
  updateCategory: 'CategoryPatch',
  placeOrder: 'Order',
  updateOrder: 'OrderPatch',
  adjustInventory: 'InventoryAdjustment',
  setLowAt: 'LowLevel',
  setLowDefault: 'LowLevel',
  callEach: 'Calls',
};

/** The answers that are no record of the domain, by operation. */
const answers: Readonly<Record<string, string>> = { callEach: 'AnyRecord' };

/** The records that the rows of a file are, by the operation that takes the file. */
export const fileRows: Readonly<Record<string, string>> = { importPets: 'PetRow', importInventory: 'StockRow' };

const idSchema = { type: 'integer', format: 'int64', minimum: 1 };
const quantitySchema = { type: 'integer', minimum: 0, maximum: maximumQuantity };
const nameBounds: JsonSchema = { minLength: 1, maxLength: 100 };
const noteBounds: JsonSchema = { maxLength: 500 };

/** The records that the domain has no schema of: lists, the error, those of any kind, and the rows of files, which are read cell by cell. */
const written: Readonly<Record<string, ObjectSchema>> = {
  Pets: { type: 'array', items: ref('Pet') },
  Error: {
    type: 'object',
    properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
    required: ['code', 'message', 'status'],
  },
  AnyRecord: { type: 'object', additionalProperties: true },
  StockRow: {
    type: 'object',
    properties: {
      petId: idSchema,
      quantity: quantitySchema,
      delta: { type: 'integer', not: { enum: [0] }, minimum: -maximumQuantity, maximum: maximumQuantity },
      expected: quantitySchema,
      note: { type: 'string', ...noteBounds },
    },
    required: ['petId'],
  },
  PetRow: {
    type: 'object',
    properties: {
      name: { type: 'string', ...nameBounds },
      category: { oneOf: [{ type: 'string' }, idSchema] },
      status: ref('PetStatus'),
      quantity: quantitySchema,
    },
    required: ['name', 'category'],
  },
};

/** A reference to a schema of the document. */
export function ref(name: string): Part {
  return { $ref: pointer(name) };
}

function pointer(name: string): string {
  return `#/components/schemas/${name}`;
}

const dayOrInstant: JsonSchema = { anyOf: [{ format: 'date-time' }, { format: 'date' }] };

/** What the checks written as code come to, by the schema they stand behind. */
const bounds: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [nameText.pipe[0], nameBounds],
  [noteText.pipe[0], noteBounds],
  [dateTimeText.pipe[0], { format: 'date-time' }],
  [rangeStartText.pipe[0], dayOrInstant],
  [rangeEndText.pipe[0], dayOrInstant],
]);

const int64 = 2 ** 63;

const conversion: ConversionConfig = {
  target: 'openapi-3.0',
  typeMode: 'input',
  overrideRef: ({ referenceId }) => pointer(referenceId),
  overrideSchema: ({ valibotSchema, jsonSchema }) => (bounds.has(valibotSchema) ? { ...jsonSchema, ...bounds.get(valibotSchema) } : undefined),
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction === deltaNumber.pipe[1]) return { ...jsonSchema, not: { enum: [0] } };
    if (!('requirement' in valibotAction) || valibotAction.requirement !== int64) return undefined;
    // No double is the largest int64; the format says the bound.
    const { maximum: _, ...rest } = jsonSchema;
    return { ...rest, format: 'int64' };
  },
};

let kept: Readonly<Record<string, ObjectSchema>> | undefined;

/** A declared record, or the input of an operation by its id, in the words of JSON Schema; all are converted when one is asked for. */
function converted(name: string): ObjectSchema {
  kept ??= toJsonSchemaDefs({ ...declared, ...Object.fromEntries(contract.map(({ id, input }) => [id, input])) }, conversion) as unknown as typeof kept;
  return kept?.[name] ?? {};
}

/** What stands beside a reference is not read in OpenAPI 3.0; around it, it is. */
function wrapped(schema: Part): Part {
  const { $ref, ...rest } = schema;
  return $ref === undefined || Object.keys(rest).length === 0 ? schema : { allOf: [{ $ref }], ...rest };
}

/** The parameters of an operation by name, path and query alike, and which of them are required. */
export function parameterSchemas(id: string): readonly { readonly name: string; readonly required: boolean; readonly schema: Part }[] {
  const { properties = {}, required = [] } = converted(id);
  return Object.entries(properties)
    .filter(([name]) => name !== 'body')
    .map(([name, schema]) => ({ name, required: required.includes(name), schema: wrapped(schema) }));
}

const recordNames: ReadonlyMap<unknown, string> = new Map(Object.entries(declared).map(([name, schema]) => [schema, name]));

interface Answering {
  readonly id: string;
  readonly paged: boolean;
  readonly output: { readonly type: string; readonly item?: unknown };
}

/** Whether an operation answers a list of records: a page of one, or all of it. */
export function answersList({ paged, output }: Answering): boolean {
  return paged || output.type === 'array';
}

/** The name of the record an operation answers with, or of each record of its list. */
export function answerName({ id, output }: Answering): string {
  const name = answers[id] ?? recordNames.get(output.item ?? output);
  if (name === undefined) throw new Error(`The answer of ${id} has no name among the records of the document.`);
  return name;
}

/** The name of the record an operation takes as its body, or undefined when it takes none. */
export function bodyName(id: string): string | undefined {
  const body = converted(id).properties?.['body'];
  if (body === undefined) return undefined;
  const name = typeof body['$ref'] === 'string' ? body['$ref'].split('/').at(-1) : bodies[id];
  if (name === undefined) throw new Error(`The body of ${id} has no name among the records of the document.`);
  return name;
}

/** An id in a body may only repeat the one of the path, so the document leaves it out. */
function withoutId({ properties = {}, ...schema }: ObjectSchema): ObjectSchema {
  const { id: _, ...others } = properties;
  return { ...schema, properties: others };
}

/** The bodies that no record of the domain describes. */
function ownBodies(): Readonly<Record<string, ObjectSchema>> {
  const own = Object.entries(bodies).filter(([, name]) => !(name in declared));
  return Object.fromEntries(own.map(([id, name]) => [name, withoutId(converted(id).properties?.['body'] ?? {})]));
}

/** A record with what people read about it and its fields; one that is sent refuses fields it does not know. */
function told(name: string, { required = [], properties, ...schema }: ObjectSchema, sent: boolean): Part {
  const description = recordWords[name];
  if (properties === undefined) return { description, ...schema };
  const fields = Object.entries(properties).map(([field, part]) => [field, '$ref' in part ? part : { ...part, description: fieldWords(name, field) }]);
  return {
    description,
    ...schema,
    properties: Object.fromEntries(fields) as Part,
    ...(required.length > 0 && { required }),
    ...(sent && { additionalProperties: false }),
  };
}

/** The list of a record: by its name where it has one. */
export function listOf(name: string): Part {
  const named = Object.entries(written).find(([, { items }]) => isRef(items, name));
  return named ? ref(named[0]) : { type: 'array', items: ref(name) };
}

function isRef(part: unknown, name: string): boolean {
  return typeof part === 'object' && part !== null && '$ref' in part && part.$ref === pointer(name);
}

/** Every named schema of the document. */
export function schemas(): Readonly<Record<string, Part>> {
  const ours = Object.fromEntries(Object.keys(declared).map((name) => [name, converted(name)]));
  // The specification leaves the status of a Pet open; the shop always tells it.
  const specified = { Pet: { ...converted('Pet'), required: ['id', 'name', 'categoryId'] } };
  const all: Readonly<Record<string, ObjectSchema>> = { ...ours, ...specified, ...written, ...ownBodies() };
  const sent = new Set(contract.map(({ id }) => bodyName(id)));
  return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, told(name, schema, sent.has(name))]));
}
