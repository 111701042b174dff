import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contract } from '../../src/domain/operations.js';
import { runsAllStores } from '../support/seeded-random.js';
import { withServedShop, type ServedShop, type Sent } from '../support/server.js';

const small = fc.integer({ min: 1, max: 6 });
/** Numbers in a query or path: existing ids, missing ids and text that is no id. */
const number = fc.oneof(
  { weight: 6, arbitrary: small.map(String) },
  fc.constantFrom(...'0 -1 1.5 1e3 2147483647 2147483648 9007199254740991 9007199254740993 9223372036854775807 9223372036854775808 1e400 x'.split(' '), ''),
);
const text = fc.oneof(
  fc.constantFrom('Rex', 'Dogs', ' ', '', '\u202e', '\ud800', 'x'.repeat(101), 'x'.repeat(501), '\0', 'n\u0303'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const time = fc.constantFrom(
  '2026-11-20T09:00:00Z',
  '2026-12-24T09:00:00+01:00',
  '2026-02-30T00:00:00Z',
  '2026-11-20',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:60Z',
  'yesterday',
  '',
);
const word = fc.constantFrom(...'true false available pending sold id -id name atomic keep-going fail keep-count opening,sale 1,2,3'.split(' '), '');

const literal = (value: unknown): string => JSON.stringify(value) ?? 'null';
/** JSON text of a value; numbers keep their notation. */
const value = fc.oneof(
  { weight: 4, arbitrary: number.map((one) => (/^-?[0-9]/.test(one) ? one : literal(one))) },
  { weight: 2, arbitrary: text.map(literal) },
  time.map(literal),
  word.map(literal),
  fc.constantFrom('true', 'false', 'null', '[]', '{}', '[1]', '{"id":1}', '[[[[]]]]'),
);
/** The names of the fields of all bodies, and those of all parameters. */
const fieldNames = new Set(contract.flatMap(({ example: { body } }) => (typeof body === 'object' && body !== null ? Object.keys(body) : [])));
const parameterNames = new Set(contract.flatMap(({ input }) => Object.keys(input.entries)));
const name = fc.oneof({ weight: 20, arbitrary: fc.constantFrom('id', ...fieldNames) }, fc.constantFrom('__proto__', 'constructor', 'toString'), text);
const record = fc.array(fc.tuple(name, value), { maxLength: 5 }).map((pairs) => `{${pairs.map(([key, one]) => `${literal(key)}:${one}`).join(',')}}`);
/** Bodies that match their operation, for operations with a body. */
const validBodies: Readonly<Record<string, fc.Arbitrary<string>>> = {
  createPet: fc.record({ name: fc.constantFrom('Rex', 'Luna'), categoryId: fc.constantFrom(1, 2) }).map(literal),
  replacePet: fc.record({ name: fc.constantFrom('Rex', 'Luna'), categoryId: fc.constantFrom(1, 2) }).map(literal),
  updatePet: fc.record({ status: fc.constantFrom('available', 'pending', 'sold') }).map(literal),
  createCategory: fc.record({ name: fc.constantFrom('Dogs', 'Cats') }).map(literal),
  replaceCategory: fc.record({ name: fc.constantFrom('Dogs', 'Cats') }).map(literal),
  placeOrder: fc.record({ petId: small, quantity: small, complete: fc.boolean(), shipDate: time }, { requiredKeys: [] }).map(literal),
  updateOrder: fc.record({ quantity: small, complete: fc.boolean() }, { requiredKeys: [] }).map(literal),
  setInventory: fc.record({ quantity: fc.nat(9) }).map(literal),
  adjustInventory: fc.record({ delta: fc.integer({ min: -4, max: 9 }) }).map(literal),
};

/** Records that are mostly valid, because invalid ones only test refusals. */
const validRecord = fc.oneof(
  ...Object.values(validBodies),
  fc
    .constantFrom('holdPet', 'setInventory', 'deletePet')
    .chain((operation) => small.map((petId) => literal({ operation, inputs: [{ petId }, { petId, body: { quantity: 1 } }] }))),
);
const rows = fc
  .tuple(
    fc.constantFrom('petId,quantity', 'petId,delta', 'petId,quantity,expected', 'name,category', 'petId,petId', ''),
    fc.array(fc.array(number, { maxLength: 3 }), { maxLength: 5 }),
  )
  .map(([header, lines]) => [header, ...lines.map((cells) => cells.join(','))].join('\n'));
const body = fc.oneof(
  { weight: 4, arbitrary: validRecord },
  { weight: 3, arbitrary: record },
  { weight: 2, arbitrary: rows },
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', '[', '\u{feff}{}', 'null'),
);

const parameter = fc.constantFrom('colour', ...parameterNames);
const query = fc.array(
  fc.tuple(
    parameter,
    fc.oneof(
      number,
      word,
      time,
      text.map((one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ff')),
    ),
  ),
  { maxLength: 3 },
);
const headers = fc.record(
  {
    'content-type': fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom('application/json', 'text/csv', 'application/merge-patch+json', 'application/x-ndjson') },
      fc.constantFrom('text/plain', '', 'x'),
    ),
    'if-match': fc.oneof(
      small.map((one) => `"${one}"`),
      fc.constantFrom('*', 'W/"1"', '"', ','),
    ),
    'if-none-match': fc.constantFrom('*', '"2"', 'x'),
    'idempotency-key': fc.constantFrom('a', 'b', 'c d', ''),
    accept: fc.constantFrom('*/*', 'application/json', 'text/html;q=x', ',;', 'application/vnd.petstore.complete.1+json'),
    'x-request-id': fc.constantFrom('mine', 'two words'),
    'petstore-note': fc.constantFrom('by%20phone', '%', '%00'),
    'petstore-dry-run': fc.constantFrom('true', 'false', 'maybe'),
    'petstore-actor': fc.constantFrom('ana', '%', ''),
    origin: fc.constantFrom('http://localhost:80', 'null', 'https://shop.example'),
  },
  { requiredKeys: ['content-type'] },
);
const segment = fc.oneof({ weight: 8, arbitrary: small.map(String) }, number, fc.constantFrom('%31', '%zz', '..', '%2e%2e', 'imports', '%00'));

const operations = new Map(contract.filter(({ id }) => id !== 'streamEvents').map(({ id, method, path }) => [id as string, { method, path }]));
interface Asked {
  readonly operation: string;
  readonly method: string | undefined;
  readonly segment: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string | Buffer | undefined;
}

/** Well-formed requests; only a rule of the shop may refuse them. */
const validRequest: fc.Arbitrary<Asked> = fc.constantFrom(...operations.keys()).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    method: fc.constant(undefined),
    segment: small.map(String),
    query: fc.constant([]),
    headers: fc.constant({ 'content-type': operation.startsWith('import') ? 'text/csv' : 'application/json' }),
    body: operation.startsWith('import') ? rows : (validBodies[operation] ?? fc.constant(undefined)),
  }),
);

const randomRequest: fc.Arbitrary<Asked> = fc.record({
  operation: fc.constantFrom(...operations.keys()),
  method: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')),
  segment,
  query: fc.oneof({ weight: 2, arbitrary: fc.constant<[string, string][]>([]) }, query),
  headers,
  body: fc.option(body, { nil: undefined, freq: 6 }),
});

const request = fc.oneof({ weight: 2, arbitrary: validRequest }, { weight: 3, arbitrary: randomRequest });

async function send(
  { http }: ServedShop,
  { operation: asked, method: other, segment: id, query: pairs, headers: more, body: content }: Asked,
): Promise<number> {
  const search = pairs.map(([key, one]) => `${key}=${one.replaceAll(/[^\x21-\x7e]|[#&]/g, '+')}`).join('&');
  const { method: usual, path } = operations.get(asked) ?? expect.fail(asked);
  const method = other ?? usual;
  const url = `${path.replaceAll(/\{\w+\}/g, id)}${search === '' ? '' : `?${search}`}`;
  const hasBody = content !== undefined && !['GET', 'HEAD', 'OPTIONS'].includes(method);
  const given = Object.fromEntries(Object.entries(more).filter(([, one]) => one !== undefined)) as Record<string, string>;
  const sent: Sent = { headers: given, ...(hasBody && { body: content }) };
  // The HTTP support code checks that every refusal is an Error record with the common headers.
  const { status, text: answered } = await http(method, url, sent);
  if (status >= 500) expect.fail(`${method} ${url} ${JSON.stringify(sent)} answered ${status}: ${answered}`);
  return status;
}

test('no request makes the server fail or damages the shop', async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 30, maxLength: 60, size: 'max' }), (requests) =>
      // Afterwards the support code checks the log and every invariant.
      withServedShop({}, async (served) => {
        for (const quantity of [0, 1, 3, 9]) await served.pet({ quantity });
        await served.category('Cats');
        await served.order(3, 1);
        for (const one of requests) {
          const status = await send(served, one);
          seen.set(status, (seen.get(status) ?? 0) + 1);
        }
      }),
    ),
    { numRuns: runsAllStores ? 40 : 6 },
  );
  // Without this check a server that refuses everything would pass.
  for (const status of [200, 201, 204, 400, 404, 409, 415, 422]) expect([status, (seen.get(status) ?? 0) > 0]).toEqual([status, true]);
});

test('concurrent requests neither make the server fail nor damage the shop', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 30, maxLength: 60, size: 'max' }), (requests) =>
      withServedShop({}, async (served) => {
        for (const quantity of [1, 5]) await served.pet({ quantity });
        await Promise.all(requests.map((one) => send(served, one)));
      }),
    ),
    { numRuns: runsAllStores ? 15 : 3 },
  );
});
