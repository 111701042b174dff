import { callEach } from '../../domain/call-each.js';
import { eventStream } from '../../domain/ledger/stream-events.js';
import { joinItems } from '../../domain/values/text.js';
import type { FileRows } from '../../domain/operation.js';
import { bodyName, parametersIn, ref, rowName, schemas, type Part } from './schemas.js';
import { errorStatuses } from '../../domain/errors.js';
import { offeredOperations, type ContractOperation } from '../../domain/operations.js';
import { sharedHeaders, sharedParameters } from './headers.js';
import { ownRefusals } from './refusals.js';
import { answersVersioned, betaMarks, responsesOf, sharedResponses } from './responses.js';
import { introduction, securityDescription, tagDescriptions } from './introduction.js';
import { bodyTypes, changesRecords, isConditional, scopesOf } from '../contract/operation-rules.js';
import { apiVersion, jsonType } from '../contract/media-types.js';

/** The options of a document. */
export interface DocumentOptions {
  /** The prefix of every path, such as /shop; may be empty. */
  readonly basePath?: string;
  /** Leaves beta and experimental operations out. */
  readonly stableOnly?: boolean;
}

function stabilityMarks({ stability, deprecated }: ContractOperation): Part {
  return {
    ...(stability === 'beta' && betaMarks),
    ...(stability === 'experimental' && { 'x-stability-level': 'alpha', 'x-experimental': true }),
    ...(deprecated && { deprecated: true, 'x-sunset': new Date(deprecated.sunset).toISOString().slice(0, 10) }),
  };
}

/** The scopes that a token needs; what `callEach` needs depends on the operation that it names. */
function requiredScopes(operation: ContractOperation): readonly string[] {
  return operation.id === callEach.id ? [] : scopesOf(operation);
}

function descriptionOf(operation: ContractOperation): string {
  const refusals = ownRefusals(operation).map((code) => `\`${code}\` (${errorStatuses[code]})`);
  const refused = refusals.length === 0 ? '' : `\n\nRefused with ${refusals.join(', ')}.`;
  const scopes = requiredScopes(operation).map((scope) => `\`${scope}\``);
  const needed = operation.id === callEach.id ? 'that of the operation it names' : joinItems(scopes) || 'none';
  return `${operation.description}\n\nScope: ${needed}.${refused}`;
}

function delimited(rows: FileRows['example'], delimiter: string): string {
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map((cells) => cells.join(delimiter));
  return `${lines.join('\n')}\n`;
}

/** The body of an import: a JSON array of rows, or the same rows as lines of text. */
function fileBody({ example }: FileRows, name: string): Part {
  const schema = { type: 'string' };
  return {
    required: true,
    content: {
      [jsonType]: { schema: { type: 'array', items: ref(name) }, example },
      'application/x-ndjson': { schema, example: example.map((row) => `${JSON.stringify(row)}\n`).join('') },
      'text/csv': { schema, example: delimited(example, ',') },
      'text/tab-separated-values': { schema, example: delimited(example, '\t') },
    },
  };
}

function bodyOf(operation: ContractOperation): Part | undefined {
  const row = rowName(operation);
  if (row !== undefined && 'rows' in operation && operation.rows !== undefined) return fileBody(operation.rows, row);
  const name = bodyName(operation);
  if (name === undefined) return undefined;
  const content = bodyTypes(operation).map((type) => [type, { schema: ref(name), example: operation.example.body }]);
  return { required: true, content: Object.fromEntries(content) as Part };
}

function headersOf(operation: ContractOperation): readonly string[] {
  if (operation.answers === eventStream) return ['Last-Event-ID'];
  if (operation.kind === 'read') return answersVersioned(operation) ? ['If-Match', 'If-None-Match'] : [];
  if (!changesRecords(operation)) return [];
  const key = rowName(operation) !== undefined ? 'Import-Key' : 'Idempotency-Key';
  return [key, 'Petstore-Actor', 'Petstore-Note', 'Petstore-Dry-Run', ...(isConditional(operation) ? ['If-Match', 'If-None-Match'] : [])];
}

function operationPart(operation: ContractOperation, stableOnly: boolean): Part {
  const { id, summary, tag } = operation;
  const requestBody = bodyOf(operation);
  return {
    operationId: id,
    summary,
    description: descriptionOf(operation),
    tags: [tag],
    ...stabilityMarks(operation),
    'x-required-scopes': requiredScopes(operation),
    parameters: [...parametersIn(operation), ...headersOf(operation).map((name) => ({ $ref: `#/components/parameters/${name}` }))],
    ...(requestBody && { requestBody }),
    responses: responsesOf(operation, stableOnly),
  };
}

function pathsOf(operations: readonly ContractOperation[], stableOnly: boolean): Part {
  const paths: Record<string, Record<string, Part>> = {};
  for (const operation of operations) (paths[operation.path] ??= {})[operation.method.toLowerCase()] = operationPart(operation, stableOnly);
  return paths;
}

/** The OpenAPI 3.0.3 document of the contract, as plain JSON. */
export function openApiDocument({ basePath = '', stableOnly = false }: DocumentOptions = {}): Part {
  const operations = offeredOperations(stableOnly);
  const document = {
    openapi: '3.0.3',
    info: {
      title: 'Petstore',
      version: apiVersion,
      description: introduction,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: { name: 'Petstore' },
    },
    servers: [{ url: basePath || '/', description: 'This shop' }],
    tags: Object.entries(tagDescriptions).flatMap(([name, description]) => (operations.some(({ tag }) => tag === name) ? [{ name, description }] : [])),
    // A shop without tokens requires none.
    security: [{ bearer: [] }, {}],
    paths: pathsOf(operations, stableOnly),
    components: {
      schemas: schemas(operations, stableOnly),
      parameters: sharedParameters(),
      headers: sharedHeaders(),
      responses: sharedResponses(operations, stableOnly),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'pst', description: securityDescription } },
    },
  };
  // Without undefined values, as the document is sent.
  return JSON.parse(JSON.stringify(document)) as Part;
}
