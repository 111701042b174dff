import { callEach } from '../../domain/call-each.js';
import { joinItems } from '../../domain/values/text.js';
import type { FileRows } from '../../domain/operation.js';
import { rowName, bodyName, ref, schemas, type Part } from './schemas.js';
import { errorStatuses } from '../../domain/errors.js';
import { offeredOperations, type ContractOperation } from '../../domain/operations.js';
import { fileExamples } from './examples.js';
import { sharedHeaders } from './headers.js';
import { parameterParts, sharedParameters } from './parameters.js';
import { ownRefusals } from './refusals.js';
import { betaMarks, responsesOf, sharedResponses } from './responses.js';
import { introduction, securityDescription, tagDescriptions } from './introduction.js';
import { scopesOf, bodyTypes } from '../contract/operation-rules.js';
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

/** The body of an import: a JSON array of rows, or the same rows as lines of text. */
function fileBody(rows: FileRows, name: string): Part {
  const array = { type: 'array', items: ref(name) };
  const types = Object.entries(fileExamples(rows)).map(([type, example]) => [type, { schema: type === jsonType ? array : { type: 'string' }, example }]);
  return { required: true, content: Object.fromEntries(types) as Part };
}

function bodyOf(operation: ContractOperation): Part | undefined {
  const row = rowName(operation);
  if (row !== undefined && 'rows' in operation && operation.rows !== undefined) return fileBody(operation.rows, row);
  const name = bodyName(operation);
  if (name === undefined) return undefined;
  const content = bodyTypes(operation).map((type) => [type, { schema: ref(name), example: operation.example.body }]);
  return { required: true, content: Object.fromEntries(content) as Part };
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
    parameters: parameterParts(operation),
    ...(requestBody && { requestBody }),
    responses: responsesOf(operation, stableOnly),
  };
}

function pathsOf(operations: readonly ContractOperation[], stableOnly: boolean): Part {
  const paths: Record<string, Record<string, Part>> = {};
  for (const operation of operations) (paths[operation.path] ??= {})[operation.method.toLowerCase()] = operationPart(operation, stableOnly);
  return paths;
}

type Components = Readonly<Record<string, Part>>;

/** The references in a part, such as `schemas/Pet`. */
function refsIn(part: unknown): readonly string[] {
  return [...JSON.stringify(part).matchAll(/"#\/components\/(\w+\/[\w-]+)"/g)].map(([, name = '']) => name);
}

/** The components that the paths use, directly or by way of others. */
function used(components: Components, paths: Part): Components {
  const found = new Set<string>();
  const waiting = [...refsIn(paths)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const [kind = '', key = ''] = name.split('/');
    waiting.push(...refsIn(components[kind]?.[key]));
  }
  const kept = Object.entries(components).map(([kind, parts]) => {
    return [kind, Object.fromEntries(Object.entries(parts).filter(([key]) => found.has(`${kind}/${key}`)))] as const;
  });
  return Object.fromEntries(kept);
}

/** The OpenAPI 3.0.3 document of the contract, as plain JSON. */
export function openApiDocument({ basePath = '', stableOnly = false }: DocumentOptions = {}): Part {
  const operations = offeredOperations(stableOnly);
  const paths = pathsOf(operations, stableOnly);
  const components = { schemas: schemas(), parameters: sharedParameters(), headers: sharedHeaders(), responses: sharedResponses(operations, stableOnly) };
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
    paths,
    components: {
      ...used(components, paths),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'pst', description: securityDescription } },
    },
  };
  // Without undefined values, as the document is sent.
  return JSON.parse(JSON.stringify(document)) as Part;
}
