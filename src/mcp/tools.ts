import { adjustInventory } from '../domain/inventory/adjust-inventory.js';
import { listInventory } from '../domain/inventory/list-inventory.js';
import { importInventory } from '../domain/imports/import-inventory.js';
import { listLedger } from '../domain/ledger/list-ledger.js';
import { undoLast } from '../domain/ledger/undo-last.js';
import type { AnyOperation, ContractOperation } from '../domain/operations.js';
import { cancelOrder } from '../domain/orders/cancel-order.js';
import { listOrders } from '../domain/orders/list-orders.js';
import { placeOrder } from '../domain/orders/place-order.js';
import { returnUnits } from '../domain/orders/return-units.js';
import { updateOrder } from '../domain/orders/update-order.js';
import { getPetDetails } from '../domain/pets/get-pet-details.js';
import { identifyPet } from '../domain/pets/identify-pet.js';
import { listPets } from '../domain/pets/list-pets.js';
import { reportDeadStock } from '../domain/reports/report-dead-stock.js';
import { reportMovements } from '../domain/reports/report-movements.js';
import { reportSellThrough } from '../domain/reports/report-sell-through.js';
import { reportStock } from '../domain/reports/report-stock.js';

type Values = Readonly<Record<string, unknown>>;

/** One tool: an operation, under the name that programs know it by. */
export interface Tool {
  readonly name: string;
  readonly operation: ContractOperation;
  /** What the tool does where it is not what the operation says, because values are fixed. */
  readonly description?: string;
  /** Parameters and fields of the body that callers cannot choose. */
  readonly fixed?: Values;
}

const operationTool = (name: string, operation: unknown, rest: Partial<Tool> = {}): Tool => ({ name, operation: operation as AnyOperation, ...rest });

const readingTools: readonly Tool[] = [
  operationTool('list_pets', listPets),
  operationTool('find_pet', identifyPet),
  operationTool('get_pet', getPetDetails),
  operationTool('list_orders', listOrders),
  operationTool('list_low_stock', listInventory, {
    description: 'Lists the stock of the pets whose available units are at or below their low level.',
    fixed: { low: true },
  }),
  operationTool('read_log', listLedger),
];

const reportTools: readonly Tool[] = [
  operationTool('report_stock', reportStock),
  operationTool('report_movements', reportMovements),
  operationTool('report_sell_through', reportSellThrough),
  operationTool('report_dead_stock', reportDeadStock),
];

/** The import, whose file is a text of the call. */
export const importTool: Tool = {
  name: 'import_stock',
  operation: importInventory as unknown as ContractOperation,
  description:
    'Applies a file of stock figures in one transaction. The first call, without `token`, changes nothing: its report shows what would happen, and has the `token` with which a second call of the same file and options applies it. Columns: petId and quantity (counted), or petId and delta (received or taken).',
};

const writingTools: readonly Tool[] = [
  operationTool('sell', placeOrder, {
    description: 'Sells units of a pet over the counter: places an order and completes it in one transaction.',
    fixed: { complete: true },
  }),
  operationTool('receive', adjustInventory, { description: 'Adds delivered units to the stock of a pet; a negative number takes units away.' }),
  operationTool('return', returnUnits),
  operationTool('place_order', placeOrder, { description: 'Places an open order, which reserves the units.', fixed: { complete: false } }),
  operationTool('complete_order', updateOrder, { description: 'Completes an order: its units leave the shop.', fixed: { complete: true } }),
  operationTool('cancel_order', cancelOrder),
  importTool,
  operationTool('undo', undoLast),
];

/** The most bytes of the text of an import. */
export const longestImport = 1_000_000;

/** The tools of a server. With changes the reports are left out: programs choose worse among more than 14 tools. */
export function toolsFor(write: boolean): readonly Tool[] {
  return write ? [...readingTools, ...writingTools] : [...readingTools, ...reportTools];
}

interface Part {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
}

/** The parts of the OpenAPI document that tools are derived from. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation | undefined>> | undefined>>;
  readonly components: { readonly schemas: Readonly<Record<string, Part>> };
}

interface DocumentedOperation {
  readonly parameters: readonly { readonly name?: string; readonly required?: boolean; readonly description?: string; readonly schema?: Part }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Part }>> };
}

/** A schema without references to others. */
function inlined(part: unknown, schemas: Document['components']['schemas']): unknown {
  if (Array.isArray(part)) return part.map((one) => inlined(one, schemas));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...keywords } = part as Part;
  const target = $ref === undefined ? {} : schemas[$ref.replace('#/components/schemas/', '')];
  return Object.fromEntries(Object.entries({ ...target, ...keywords }).map(([name, value]) => [name, inlined(value, schemas)]));
}

const importProperties: Values = {
  text: { type: 'string', maxLength: longestImport, description: 'The file as CSV with a header, NDJSON or a JSON array.' },
  token: { type: 'string', description: 'The token from the report of the first call.' },
};

const dryRunProperty: Values = {
  dryRun: { type: 'boolean', description: 'Checks everything and changes nothing; the answer is what it would be.' },
};

/** The JSON Schema of the arguments of a tool: parameters and fields of the body side by side, as the OpenAPI document describes them. */
export function inputSchema(
  { operation, fixed = {} }: Tool,
  { paths, components: { schemas } }: Document,
): { readonly type: 'object'; readonly [keyword: string]: unknown } {
  const { parameters = [], requestBody } = paths[operation.path]?.[operation.method.toLowerCase()] ?? {};
  const isImport = operation === importTool.operation;
  // Headers are references; the file of an import is an argument of its own.
  const named = parameters.filter(({ name }) => name !== undefined && !(isImport && ['dryRun', 'fileName', 'encoding'].includes(name)));
  const body = isImport
    ? {}
    : (inlined(requestBody?.content['application/json']?.schema ?? {}, schemas) as { readonly properties?: Values; readonly required?: readonly string[] });
  const { id: _, ...fields } = body.properties ?? {};
  const properties = {
    ...Object.fromEntries(named.map(({ name = '', description, schema }) => [name, { ...(inlined(schema, schemas) as Part), description }])),
    ...fields,
    ...(isImport ? importProperties : operation.kind === 'write' ? dryRunProperty : {}),
  };
  const required = [...named.filter((one) => one.required === true).map(({ name }) => name), ...(body.required ?? []), ...(isImport ? ['text'] : [])];
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !(name in fixed))),
    required: required.filter((name) => name !== undefined && !(name in fixed)),
    additionalProperties: false,
  };
}

/** The input of the operation of a tool: each argument where the operation has it, and the fixed values. */
export function operationInput({ operation, fixed = {} }: Tool, args: Values): Values {
  const { body: hasBody, ...parameters } = operation.input.entries;
  const all = Object.entries({ ...args, ...fixed });
  const input = Object.fromEntries(all.filter(([name]) => name in parameters || hasBody === undefined));
  return hasBody === undefined ? input : { ...input, body: Object.fromEntries(all.filter(([name]) => !(name in parameters))) };
}

/** What a program may assume of a tool, by the method and kind of its operation. */
export function annotationsOf({ operation: { kind, method, summary } }: Tool): Values {
  return {
    title: summary,
    readOnlyHint: kind === 'read',
    destructiveHint: method === 'DELETE',
    idempotentHint: ['GET', 'PUT', 'DELETE'].includes(method),
    openWorldHint: false,
  };
}
