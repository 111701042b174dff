import { exitCodes } from '../../src/cli/exit-codes.js';
import { describe, expect, test } from 'vitest';
import { errorCodes, errorStatuses, StoreError, type ErrorCode } from '../../src/domain/errors.js';
import { contract } from '../../src/domain/operations.js';
import { petRowColumns } from '../../src/domain/imports/pet-row.js';
import { stockColumns } from '../../src/domain/imports/stock-row.js';
import { nameProblem, noteProblem } from '../../src/domain/values/text.js';
import { errorHeaders } from '../../src/http/server/errors.js';
import { openApiDocument } from '../../src/http/openapi/document.js';
import { validatorOf } from '../support/validator.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly maxLength?: number;
}

interface Content {
  readonly [type: string]: { readonly schema: Schema; readonly example: unknown };
}

interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly [extension: `x-${string}`]: unknown;
}

interface Document {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, { readonly schema: Schema; readonly example: unknown }>>;
  };
}

const document = openApiDocument() as unknown as Document;
const { schemas, responses, parameters, headers } = document.components;
const described = new Map(Object.values(document.paths).flatMap((path) => Object.values(path).map((operation) => [operation.operationId, operation] as const)));
const problem = validatorOf(document);

/** The last part of a reference: the name of the schema. */
const nameIn = (ref: string): string => ref.split('/').at(-1) ?? '';

function named(id: string): Operation {
  const operation = described.get(id);
  if (operation === undefined) return expect.fail(`${id} is missing from the document`);
  return operation;
}

test('the document equals openapi.json.snap (`vitest run test/http/openapi.test.ts -u` writes it)', async () => {
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('openapi.json.snap');
});

const id = { type: 'integer', format: 'int64' };
const text = { type: 'string' };
const integer = { type: 'integer' };
const status = { $ref: '#/components/schemas/PetStatus' };

/** The schemas of the specification, without limits and descriptions. A field that petstore adds is optional and not listed here. */
const specified: Readonly<Record<string, Schema>> = {
  PetStatus: { type: 'string', enum: ['available', 'pending', 'sold'] },
  NewPet: { type: 'object', properties: { name: text, categoryId: id, status }, required: ['name', 'categoryId'] },
  Pet: { type: 'object', properties: { id, name: text, categoryId: id, status }, required: ['id', 'name', 'categoryId'] },
  Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
  NewCategory: { type: 'object', properties: { name: text, description: text }, required: ['name'] },
  Category: { type: 'object', properties: { id, name: text, description: text }, required: ['id', 'name'] },
  Order: {
    type: 'object',
    properties: { id, petId: id, quantity: integer, shipDate: { type: 'string', format: 'date-time' }, complete: { type: 'boolean' } },
  },
  InventoryItem: { type: 'object', properties: { petId: id, quantity: integer, status }, required: ['petId', 'quantity', 'status'] },
  InventoryUpdate: { type: 'object', properties: { quantity: integer }, required: ['quantity'] },
  Error: { type: 'object', properties: { code: text, message: text, status: integer }, required: ['code', 'message', 'status'] },
};

/** A schema without the limits and descriptions that the document may add. */
function bare({ $ref, type, format, enum: values, items, properties, required }: Schema): Schema {
  const fields = properties && Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, bare(field)]));
  const kept = { $ref, type, format, enum: values, items: items && bare(items), properties: fields, required };
  return JSON.parse(JSON.stringify(kept)) as Schema;
}

test.each(Object.keys(specified))('%s matches the specification', (name) => {
  expect(bare(schemas[name] ?? {})).toMatchObject(specified[name] ?? {});
});

describe.each(contract.map((operation) => [operation.id, operation] as const))('%s', (operationId, operation) => {
  const { method, path, stability, deprecated, tag, kind } = operation;

  test('is in the document with description, tag and scope', () => {
    const told = named(operationId);
    expect(document.paths[path]?.[method.toLowerCase()]).toBe(told);
    expect(operation.description).toMatch(/^[A-Z].{15,}\.$/s);
    expect(told.tags).toEqual([tag]);
    // The scope of `callEach` depends on the operation that it names; sessions need none.
    const scope = operationId === 'callEach' || tag === 'Session' ? undefined : `${tag === 'Pets' ? 'pets' : 'store'}:${kind}`;
    const also = operation.alsoRequires;
    const needed = scope === undefined ? (tag === 'Session' ? 'none' : 'that of the operation it names') : `\`${scope}\`${also ? ` and \`${also}\`` : ''}`;
    expect([told['x-required-scopes'], told.description]).toEqual([
      [scope, also].filter((one) => one !== undefined),
      expect.stringContaining(`\n\nScope: ${needed}.`),
    ]);
    for (const { $ref, name, description } of told.parameters) expect([$ref ?? name, $ref ?? description]).toEqual([$ref ?? name, expect.stringMatching(/\S/)]);
  });

  test('is marked when it is not stable', () => {
    const told = named(operationId);
    const marks = Object.fromEntries(Object.entries(told).filter(([key]) => /^(deprecated|x-(stability-level|beta|experimental|sunset))$/.test(key)));
    const levels = {
      stable: {},
      beta: { 'x-stability-level': 'beta', 'x-beta': true },
      experimental: { 'x-stability-level': 'alpha', 'x-experimental': true },
    };
    expect(marks).toEqual({ ...levels[stability], ...(deprecated && { deprecated: true, 'x-sunset': '2027-12-31' }) });
    const answer = Object.values(told.responses)[0];
    expect(Object.keys(answer?.headers ?? {}).includes('Petstore-Stability')).toBe(stability !== 'stable' || deprecated !== undefined);
  });

  test('has examples that match its request and response schemas', () => {
    const { requestBody, responses: answers, parameters: asked } = named(operationId);
    const contents = [requestBody?.content, ...Object.values(answers).map((answer) => (answer.$ref ? responses[nameIn(answer.$ref)] : answer)?.content)];
    for (const content of contents.flatMap((one) => Object.entries(one ?? {}))) {
      const [type, { schema, example }] = content;
      expect([type, example, problem(schema, example)]).toEqual([type, expect.anything(), undefined]);
    }
    for (const { in: place, schema, example, name } of asked.filter(({ $ref }) => $ref === undefined)) {
      if (place === 'path') expect([name, problem(schema, example)]).toEqual([name, undefined]);
    }
    if (['POST', 'PUT', 'PATCH'].includes(method) && requestBody) expect(Object.keys(requestBody.content)).toContain('application/json');
  });

  test('lists every error response with the Error schema', () => {
    const { responses: answers, description } = named(operationId);
    const refused = Object.keys(answers).filter((code) => Number(code) >= 400);
    for (const code of refused) {
      const { content } = responses[nameIn(answers[code]?.$ref ?? '')] ?? {};
      expect(content?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Error' });
      expect(content?.['application/json']?.example).toMatchObject({ status: Number(code) });
    }
    const everywhere = [400, 401, 403, 406, 408, 414, 421, 429, 431, 500, 503];
    const own = [...description.matchAll(/`\w+` \((\d+)\)/g)].map(([, code]) => Number(code));
    expect(refused.map(Number)).toEqual(expect.arrayContaining([...everywhere, ...own]));
    if (path.includes('{')) expect(refused).toContain('404');
    if (kind === 'write' && tag !== 'Session') expect(refused).toEqual(expect.arrayContaining(['409', '422']));
  });
});

/** Error codes that no operation documents, and why. */
const elsewhere: Readonly<Record<string, readonly ErrorCode[]>> = {
  'other paths and methods': ['not_found', 'method_not_allowed', 'token_not_found', 'session_not_found'],
  'the command line': ['file_exists', 'store_not_empty', 'cancelled', 'partial_failure', 'output_failed', 'hook_failed'],
  'rows of files in reports': ['invalid_pet_id', 'invalid_quantity', 'duplicate_row', 'malformed_row', 'unknown_code'],
};

test('every error code is documented by an operation or in the list of exceptions', () => {
  const told = Object.values(responses).flatMap(({ description }) => [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code));
  // Exit code 2 is for errors in the arguments of a command.
  const ours = errorCodes.filter((code) => exitCodes[code] !== 2 && !told.includes(code));
  expect(ours.toSorted()).toEqual(Object.values(elsewhere).flat().toSorted());
});

test('every 503 response is documented with Retry-After', () => {
  const unavailable = errorCodes.filter((code) => errorStatuses[code] === 503);
  for (const code of unavailable) expect([code, errorHeaders(new StoreError(code, 'Not now.'))['retry-after']]).toEqual([code, '1']);
  const { description, headers: brought } = responses['ServiceUnavailable'] ?? expect.fail();
  expect([...description.matchAll(/`(\w+)`/g)].map(([, code]) => code).toSorted()).toEqual(unavailable.toSorted());
  expect(Object.keys(brought ?? {})).toContain('Retry-After');
});

test('a change documents every header that it reads, and an import its own kind of key', () => {
  for (const { id: operationId, kind } of contract.filter((operation) => operation.kind === 'write' && operation.tag !== 'Session')) {
    const taken = named(operationId).parameters.flatMap(({ $ref }) => ($ref === undefined ? [] : [nameIn($ref)]));
    const key = operationId.startsWith('import') ? 'Import-Key' : 'Idempotency-Key';
    expect([operationId, kind, taken]).toEqual([operationId, 'write', expect.arrayContaining([key, 'Petstore-Actor', 'Petstore-Note', 'Petstore-Dry-Run'])]);
  }
  expect(parameters['Import-Key']).toMatchObject({ name: 'Idempotency-Key', in: 'header' });
});

test('every schema and every field has a description', () => {
  const silent = Object.entries(schemas).flatMap(([name, { description, properties = {} }]) => [
    ...(description === undefined ? [name] : []),
    ...Object.entries(properties).flatMap(([field, schema]) => (schema.$ref === undefined && schema.description === undefined ? [`${name}.${field}`] : [])),
  ]);
  expect(silent).toEqual([]);
});

test('examples of shared headers and parameters match their schemas', () => {
  for (const [name, { schema, example }] of Object.entries({ ...headers, ...parameters })) expect([name, problem(schema, example)]).toEqual([name, undefined]);
});

test('bodies and responses refer to named schemas', () => {
  for (const [operationId, { requestBody, responses: answers }] of described) {
    for (const content of [requestBody?.content, ...Object.values(answers).map((answer) => answer.content)]) {
      for (const { schema } of Object.values(content ?? {})) expect([operationId, schema.$ref ?? schema.items?.$ref ?? schema.type]).not.toContain('object');
    }
  }
});

test('the schemas of import rows have the columns that imports read', () => {
  expect(Object.keys(schemas['StockRow']?.properties ?? {})).toEqual([...stockColumns]);
  expect(Object.keys(schemas['PetRow']?.properties ?? {})).toEqual([...petRowColumns]);
});

test('string lengths in the document are the limits of the shop', () => {
  const { name, description } = schemas['NewCategory']?.properties ?? {};
  const [longestName, longestNote] = ['x'.repeat(name?.maxLength ?? 0), 'x'.repeat(description?.maxLength ?? 0)];
  expect([nameProblem(longestName), noteProblem(longestNote)]).toEqual([undefined, undefined]);
  expect([nameProblem(`${longestName}x`), noteProblem(`${longestNote}x`)]).toEqual([expect.any(String), expect.any(String)]);
});

test('the document is valid OpenAPI 3.0', () => {
  const keys = new Set<string>();
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('$ref' in part) expect(Object.keys(part)).toEqual(['$ref']);
    for (const [key, value] of Object.entries(part)) {
      if (key === 'example') continue;
      if (!Array.isArray(part)) keys.add(key);
      if (key === 'type') expect(Array.isArray(value)).toBe(false);
      walk(value);
    }
  };
  walk(document);
  expect(['$schema', '$defs', 'const', 'exclusiveMinimum', 'exclusiveMaximum', 'propertyNames'].filter((key) => keys.has(key))).toEqual([]);
  expect(schemas['OrderPatch']?.properties?.['shipDate']).toMatchObject({ type: 'string', format: 'date-time', nullable: true });
});

test('--stable-only leaves out operations that are not stable', () => {
  const stable = openApiDocument({ stableOnly: true }) as unknown as Document;
  const ids = Object.values(stable.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  expect(ids.toSorted()).toEqual(
    contract
      .filter(({ stability }) => stability === 'stable')
      .map(({ id: one }) => one)
      .toSorted(),
  );
  expect(Object.keys(stable.components.schemas)).toEqual(expect.arrayContaining(Object.keys(specified)));
  expect(Object.keys(stable.components.schemas)).not.toContain('Batch');
  expect(JSON.stringify(stable)).not.toContain('x-beta');
  expect(stable.tags.map(({ name }) => name)).toEqual(['Pets', 'Store']);
});

test('the introduction lists deprecated operations with sunset and successor', () => {
  for (const words of ['`GET /pets/{petId}`', '2026-12-01', '2027-12-31', '`GET /pets/{petId}/details`']) expect(document.info.description).toContain(words);
});

test('the document uses the base path', () => {
  expect(document.servers[0]?.url).toBe('/');
  expect((openApiDocument({ basePath: '/shop' }) as unknown as Document).servers[0]?.url).toBe('/shop');
});
