import { expect } from 'vitest';
import { contract } from '../../src/domain/operations.js';
import { completeType } from '../../src/http/contract/media-types.js';
import { openApiDocument } from '../../src/http/openapi/document.js';
import { testServed, type ServedShop, type Sent } from '../support/server.js';
import { validatorOf } from '../support/validator.js';

interface Step extends Sent {
  readonly id: string;
  readonly url: string;
  readonly status?: number;
  /** Headers in addition to the common ones. */
  readonly brings?: Readonly<Record<string, string>>;
  /** The whole body; undefined for none. */
  readonly answers?: unknown;
}

const at = '2026-11-20T09:00:00.000Z';
const csv = { 'content-type': 'text/csv' };
const dogs = { id: 1, name: 'Dogs', description: 'All breeds' };
const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'available' };
const shipped = { id: 1, petId: 1, quantity: 2, shipDate: '2026-12-24T08:00:00.000Z', complete: false };
const report = { dryRun: false, mode: 'atomic', total: 1, applied: 1, unchanged: 0, rejected: 0, alreadyApplied: 0, errors: [], errorsOmitted: 0 };
const entry = { at, actor: 'keeper', source: 'http' };
const text64 = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
const batch = { key: text64, sha256: text64, actor: 'keeper', at, mode: 'atomic', total: 1, applied: 1, unchanged: 0, rejected: 0 };
const stockBatch = { id: 1, kind: 'stock', state: 'applied', ...batch };
const petBatch = { id: 2, kind: 'pets', state: 'applied', ...batch };
const details = {
  ...rex,
  category: dogs,
  inventory: { quantity: 1, reserved: 0, available: 1 },
  codes: [],
  openOrders: 0,
  version: 2,
  createdAt: at,
  updatedAt: at,
};

const hook = {
  id: 1,
  url: 'https://hooks.example.com/petstore',
  rows: false,
  batch: 1,
  allowPrivate: false,
  state: 'active',
  position: expect.any(Number) as number,
  waiting: 0,
  attempts: 0,
  createdAt: at,
};

const openCount = {
  id: 1,
  state: 'open',
  blind: false,
  note: 'till',
  startedBy: 'keeper',
  startedAt: at,
  pets: 2,
  counted: 0,
  agreeing: 0,
  differing: 0,
};
const line = { id: 1, petId: 1, name: 'Rex', number: 7, adds: false, by: 'keeper', at, onHand: 7, key: 'a', undone: false };

/** The last change that the steps make before they undo it. */
const lastChange = {
  entryId: 20,
  at,
  entries: [
    { id: 20, ...entry, kind: 'pet.held', petId: 2, petName: 'Bella' },
    { id: 19, ...entry, kind: 'pet.held', petId: 1, petName: 'Rex' },
  ],
};

const ring = { code: 'ring-1', petId: 1, units: 2 };

const patchTypes = 'application/json, application/merge-patch+json';

/** One request for every operation, ordered so that each finds the records it needs. */
const steps: readonly Step[] = [
  {
    id: 'createCategory',
    url: '/categories',
    body: { name: 'Dogs', description: 'All breeds' },
    status: 201,
    brings: { etag: '"1"', location: '/categories/1' },
    answers: dogs,
  },
  { id: 'createPet', url: '/pets', body: { name: 'Rex', categoryId: 1 }, status: 201, brings: { etag: '"2"', location: '/pets/1' }, answers: rex },
  {
    id: 'listUndoable',
    url: '/store/undo',
    answers: [
      { entryId: 2, at, entries: [{ id: 2, ...entry, kind: 'opening', petId: 1, petName: 'Rex', delta: 1, quantityAfter: 1 }] },
      { entryId: 1, at, entries: [{ id: 1, ...entry, kind: 'category.created', categoryId: 1, categoryName: 'Dogs' }] },
    ],
  },
  { id: 'listPets', url: '/pets?count=true', brings: { link: '</pets?count=true>; rel="first"', 'x-total-count': '1' }, answers: [rex] },
  {
    id: 'getPet',
    url: '/pets/1',
    brings: {
      etag: '"2"',
      deprecation: '@1796083200',
      sunset: 'Fri, 31 Dec 2027 23:59:59 GMT',
      link: '</pets/1/details>; rel="successor-version", </docs#deprecations>; rel="deprecation"; type="text/html"',
      'petstore-stability': 'deprecated',
    },
    answers: rex,
  },
  { id: 'getPetDetails', url: '/pets/1/details', brings: { etag: '"2"' }, answers: details },
  { id: 'replacePet', url: '/pets/1', body: { name: 'Max', categoryId: 1 }, brings: { etag: '"3"' }, answers: { ...rex, name: 'Max' } },
  { id: 'updatePet', url: '/pets/1', body: { name: 'Rex' }, brings: { 'accept-patch': patchTypes, etag: '"4"' }, answers: rex },
  { id: 'holdPet', url: '/pets/1/hold', brings: { etag: '"5"' }, answers: { ...rex, status: 'pending' } },
  { id: 'releasePet', url: '/pets/1/hold', brings: { etag: '"6"' }, answers: rex },
  { id: 'listCategories', url: '/categories', brings: { link: '</categories>; rel="first"' }, answers: [dogs] },
  { id: 'getCategory', url: '/categories/1', brings: { etag: '"1"' }, answers: dogs },
  { id: 'replaceCategory', url: '/categories/1', body: { name: 'Hounds' }, brings: { etag: '"7"' }, answers: { id: 1, name: 'Hounds' } },
  {
    id: 'updateCategory',
    url: '/categories/1',
    body: { description: 'Big' },
    brings: { 'accept-patch': patchTypes, etag: '"8"' },
    answers: { id: 1, name: 'Hounds', description: 'Big' },
  },
  { id: 'setInventory', url: '/store/inventory/1', body: { quantity: 9 }, brings: { etag: '"9"' }, answers: { petId: 1, quantity: 9, status: 'available' } },
  {
    id: 'adjustInventory',
    url: '/store/inventory/1/adjustments',
    body: { delta: -2, note: 'ran away' },
    brings: { etag: '"10"' },
    answers: { petId: 1, quantity: 7, status: 'available' },
  },
  { id: 'setLowAt', url: '/store/inventory/1/low-at', body: { lowAt: 3 }, brings: { etag: '"11"' }, answers: { petId: 1, quantity: 7, status: 'available' } },
  { id: 'setLowDefault', url: '/store/low-at', body: { lowAt: 1 }, answers: { lowAt: 1 } },
  {
    id: 'listInventory',
    url: '/store/inventory',
    brings: { link: '</store/inventory>; rel="first"' },
    answers: [{ petId: 1, quantity: 7, status: 'available' }],
  },
  { id: 'getInventoryItem', url: '/store/inventory/1', brings: { etag: '"11"' }, answers: { petId: 1, quantity: 7, status: 'available' } },
  {
    id: 'placeOrder',
    url: '/store/orders',
    body: { petId: 1, quantity: 2, shipDate: '2026-12-24T09:00:00+01:00' },
    status: 201,
    brings: { etag: '"13"', location: '/store/orders/1' },
    answers: shipped,
  },
  { id: 'listOrders', url: '/store/orders', brings: { link: '</store/orders>; rel="first"' }, answers: [shipped] },
  { id: 'getOrder', url: '/store/orders/1', brings: { etag: '"13"' }, answers: shipped },
  {
    id: 'updateOrder',
    url: '/store/orders/1',
    body: { complete: true },
    brings: { 'accept-patch': patchTypes, etag: '"14"' },
    answers: { ...shipped, complete: true },
  },
  { id: 'importInventory', url: '/store/imports', headers: csv, body: 'petId,delta\n1,5\n', answers: { batch: 1, ...report, notInFile: 0 } },
  { id: 'importPets', url: '/pets/imports', headers: csv, body: 'name,category\nBella,1\n', answers: { batch: 2, ...report } },
  { id: 'importCodes', url: '/codes/imports?dryRun=true', headers: csv, body: 'petId,code\n1,RING-9\n', answers: { ...report, dryRun: true } },
  { id: 'listBatches', url: '/store/imports', brings: { link: '</store/imports>; rel="first"' }, answers: [stockBatch, petBatch] },
  { id: 'getBatch', url: '/store/imports/1', answers: { ...stockBatch, errors: [] } },
  { id: 'undoBatch', url: '/store/imports/1/undo', answers: { ...stockBatch, state: 'undone', errors: [] } },
  {
    id: 'listLedger',
    url: '/store/ledger?kind=opening,adjust&petId=1',
    brings: { link: '</store/ledger?kind=opening,adjust&petId=1>; rel="first"' },
    answers: [
      { id: 2, ...entry, kind: 'opening', petId: 1, delta: 1, quantityAfter: 1 },
      { id: 10, ...entry, kind: 'adjust', petId: 1, delta: -2, quantityAfter: 7, note: 'ran away' },
      { id: 15, at, actor: 'keeper', source: 'import', kind: 'adjust', petId: 1, delta: 5, quantityAfter: 10, batchId: 1, line: 2, undoneBy: 17 },
    ],
  },
  {
    id: 'undoEntry',
    url: '/store/ledger/10/undo',
    status: 201,
    answers: { id: 18, ...entry, kind: 'undo', petId: 1, delta: 2, quantityAfter: 7, reverses: 10 },
  },
  {
    id: 'getSummary',
    url: '/store/summary',
    answers: {
      categories: 1,
      pets: { available: 2, pending: 0, sold: 0 },
      orders: { draft: 0, open: 0, complete: 1 },
      units: { onHand: 8, reserved: 0, held: 0, available: 8 },
      low: 1,
      short: 0,
      due: 0,
      overdue: 0,
      today: { sold: 2, received: 2, returned: 0 },
      lowPets: [{ petId: 2, name: 'Bella', available: 1 }],
      unhealthyHooks: [],
      newestEntry: 18,
      lastBatches: [petBatch, { ...stockBatch, state: 'undone' }],
    },
  },
  {
    id: 'reportStock',
    url: '/store/reports/stock',
    answers: [{ categoryId: 1, category: 'Hounds', status: 'available', pets: 2, onHand: 8, reserved: 0, held: 0, available: 8 }],
  },
  {
    id: 'reportMovements',
    url: '/store/reports/movements',
    answers: [{ categoryId: 1, category: 'Hounds', opening: 0, received: 2, sold: 2, returned: 0, writtenOff: 0, counted: 8, closing: 8 }],
  },
  {
    id: 'reportSellThrough',
    url: '/store/reports/sell-through',
    answers: [
      { categoryId: 1, category: 'Hounds', opening: 0, received: 2, sold: 2, returned: 0, closing: 8, sellThrough: 1, daysOfStock: 4 },
      { opening: 0, received: 2, sold: 2, returned: 0, closing: 8, sellThrough: 1, daysOfStock: 4 },
    ],
  },
  // The report is empty on the first day; test/operations/reports.test.ts checks rows.
  { id: 'reportDeadStock', url: '/store/reports/dead-stock?days=1', answers: [] },
  {
    id: 'callEach',
    url: '/store/calls',
    body: { operation: 'holdPet', inputs: [{ petId: 1 }, { petId: 2 }] },
    answers: [
      { ...rex, status: 'pending' },
      { id: 2, name: 'Bella', categoryId: 1, status: 'pending' },
    ],
  },
  {
    id: 'undoLast',
    url: '/store/undo',
    body: { entryId: 20 },
    answers: {
      ...lastChange,
      pets: [
        { petId: 1, name: 'Rex', onHand: 7, available: 7 },
        { petId: 2, name: 'Bella', onHand: 1, available: 1 },
      ],
      orders: [],
    },
  },
  { id: 'startCount', url: '/store/counts', body: { note: 'till' }, status: 201, brings: { location: '/store/counts/1' }, answers: openCount },
  { id: 'listCounts', url: '/store/counts?state=open', brings: { link: '</store/counts?state=open>; rel="first"' }, answers: [openCount] },
  { id: 'getCount', url: '/store/counts/1', answers: openCount },
  {
    id: 'addCountLines',
    url: '/store/counts/1/lines',
    body: { lines: [{ petId: 1, number: 7, key: 'a' }] },
    answers: { lines: [{ ...line, countedSoFar: 7 }] },
  },
  { id: 'listCountLines', url: '/store/counts/1/lines', brings: { link: '</store/counts/1/lines>; rel="first"' }, answers: [line] },
  {
    id: 'listCountPets',
    url: '/store/counts/1/pets?state=counted',
    brings: { link: '</store/counts/1/pets?state=counted>; rel="first"' },
    answers: [
      {
        petId: 1,
        name: 'Rex',
        category: 'Hounds',
        state: 'counted',
        counted: 7,
        onHand: 7,
        expected: 7,
        difference: 0,
        countedBy: 'keeper',
        countedAt: at,
        lines: 1,
      },
    ],
  },
  {
    id: 'listCountCategories',
    url: '/store/counts/1/categories',
    answers: [{ categoryId: 1, category: 'Hounds', pets: 2, counted: 1, agreeing: 1, differing: 0 }],
  },
  {
    id: 'previewCount',
    url: '/store/counts/1/diff?missing=zero',
    brings: { link: '</store/counts/1/diff?missing=zero>; rel="first"' },
    answers: [{ petId: 2, name: 'Bella', before: 1, after: 0, counted: 0, expected: 1, difference: -1 }],
  },
  { id: 'undoCountLine', url: '/store/counts/1/lines/1', answers: { ...line, undone: true } },
  {
    id: 'closeCount',
    url: '/store/counts/1/close',
    body: {},
    answers: {
      ...openCount,
      state: 'closed',
      endedBy: 'keeper',
      endedAt: at,
      batchId: 3,
      changed: 0,
      unchanged: 0,
      rejected: 0,
      deleted: 0,
      refused: [],
    },
  },
  {
    id: 'getSession',
    url: '/session',
    answers: {
      name: 'keeper',
      scopes: ['pets:read', 'pets:write', 'store:read', 'store:write', 'admin'],
      signInRequired: false,
      server: { version: '1.2.3', shop: 'shop', engine: 'sqlite', stableOnly: false, requireIfMatch: false },
    },
  },
  { id: 'deleteSession', url: '/session', status: 204 },
  { id: 'listHooks', url: '/store/hooks', brings: { link: '</store/hooks>; rel="first"' }, answers: [hook] },
  { id: 'getHook', url: '/store/hooks/1', answers: hook },
  { id: 'pauseHook', url: '/store/hooks/1/pause', answers: { ...hook, state: 'paused' } },
  { id: 'resumeHook', url: '/store/hooks/1/resume', answers: hook },
  { id: 'listHookDeliveries', url: '/store/hooks/1/deliveries', brings: { link: '</store/hooks/1/deliveries>; rel="first"' }, answers: [] },
  { id: 'deletePet', url: '/pets/2', status: 204 },
  {
    id: 'cancelCount',
    url: '/store/counts/2/cancel',
    answers: { ...openCount, id: 2, state: 'cancelled', note: undefined, pets: 1, endedBy: 'keeper', endedAt: at },
  },
  { id: 'cancelOrder', url: '/store/orders/2', status: 204 },
  { id: 'deleteCategory', url: '/categories/2', status: 204 },
  {
    id: 'returnUnits',
    url: '/store/returns',
    body: { petId: 1 },
    answers: { orderId: 1, petId: 1, name: 'Rex', quantity: 1, returned: 1, available: 8 },
  },
  { id: 'addCode', url: '/pets/1/codes', body: { code: 'ring-1', units: 2 }, status: 201, answers: ring },
  { id: 'getCode', url: '/codes/RING-1', answers: ring },
  { id: 'listCodes', url: '/codes', brings: { link: '</codes>; rel="first"' }, answers: [ring] },
  { id: 'identifyPet', url: '/scan?text=ring-1', answers: { petId: 1, name: 'Rex', code: 'ring-1', units: 2 } },
  { id: 'removeCode', url: '/codes/ring-1', status: 204 },
  { id: 'setShopName', url: '/store/name', body: { shopName: 'Paws & Fins' }, answers: { shopName: 'Paws & Fins' } },
  { id: 'getShopSettings', url: '/store/settings', answers: { shopName: 'Paws & Fins', lowAt: 1 } },
];

/** The headers of every answer, and those that the connection adds. */
const common = ['x-request-id', 'api-version', 'x-content-type-options', 'cache-control', 'vary', 'content-type', 'content-length', 'date', 'connection'];

/** The headers of a server with a rate limit. */
const counts = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

interface Responses {
  readonly [status: string]: {
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string; readonly items?: { readonly $ref: string } } }>>;
  };
}

interface Described {
  readonly properties: Readonly<Record<string, unknown>>;
}

const document = openApiDocument() as {
  readonly components: { readonly schemas: Readonly<Record<string, Described>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
};
const problemIn = validatorOf(document);

/** What is wrong with a complete answer: it must have the fields of the document, and no others. */
function problemInComplete(response: Responses[string] | undefined, answer: unknown): string | undefined {
  const schema = response?.content?.[completeType]?.schema;
  if (schema === undefined) return undefined;
  const { properties } = document.components.schemas[(schema.$ref ?? schema.items?.$ref ?? '').split('/').at(-1) ?? ''] ?? expect.fail();
  const [record] = [answer].flat();
  return problemIn(schema, answer) ?? Object.keys(record as object).find((name) => properties[name] === undefined);
}

async function perform({ http }: ServedShop, { id, url, status = 200, brings = {}, answers, ...sent }: Step): Promise<void> {
  const { method, path, stability } = contract.find((one) => one.id === id) ?? expect.fail(id);
  const answer = await http(method, url, { ...sent, headers: { ...sent.headers, 'x-request-id': `ask-${id}` } });
  const { headers, text } = answer;
  expect([id, answer.status, text === '' ? undefined : answer.json()]).toEqual([id, status, answers]);
  const caching = id === 'createSession' || id === 'deleteSession' ? 'no-store' : 'private, no-cache';
  const usual = { 'x-request-id': `ask-${id}`, 'api-version': '1.0.0', 'x-content-type-options': 'nosniff', 'cache-control': caching, vary: 'accept' };
  expect(headers).toMatchObject({ ...usual, ...(answers !== undefined && { 'content-type': 'application/json; charset=utf-8' }) });
  const more = Object.fromEntries(Object.entries(headers).filter(([name]) => ![...common, ...counts].includes(name)));
  expect([id, more]).toEqual([id, { ...(stability !== 'stable' && { 'petstore-stability': stability }), ...brings }]);
  // The answer must also match the document.
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[status];
  const schema = response?.content?.['application/json']?.schema;
  expect([id, schema !== undefined, schema && problemIn(schema, answer.json())]).toEqual([id, answers !== undefined, undefined]);
  if (method === 'GET') {
    const complete = await http(method, url, { headers: { ...sent.headers, accept: completeType } });
    expect([id, problemInComplete(response, complete.json())]).toEqual([id, undefined]);
  }
  const described = Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase());
  expect([id, described]).toEqual([id, expect.arrayContaining([...Object.keys(more), ...counts.filter((name) => headers[name] !== undefined)])]);
  expect([id, counts.every((name) => /^\d+$/.test(headers[name] ?? ''))]).toEqual([id, true]);
}

testServed(
  'every operation answers with its documented status, fields and headers',
  async (served) => {
    for (const step of steps) {
      if (step.id === 'listHooks') await served.shop.hooks.create({ url: hook.url, rows: false, batch: 1, allowPrivate: false });
      if (step.id === 'cancelCount') await served.http('POST', '/store/counts', { body: {} });
      if (step.id === 'cancelOrder') await served.http('POST', '/store/orders', { body: {} });
      if (step.id === 'deleteCategory') await served.category('Fish');
      await perform(served, step);
    }
    // A stream does not end; test/http/events.test.ts tests it. Signing in needs a token: test/http/session.test.ts.
    expect([...steps.map(({ id }) => id), 'streamEvents', 'createSession'].toSorted()).toEqual(contract.map(({ id }) => id).toSorted());
  },
  { rateLimit: 1000 },
);

testServed('a path with PATCH sends Accept-Patch', async ({ http, pet }) => {
  await pet();
  const asked = await http('OPTIONS', '/pets/1');
  expect([asked.status, asked.headers['accept-patch']]).toEqual([204, patchTypes]);
  const refused = await http('PATCH', '/pets/1', { headers: { 'content-type': 'application/json-patch+json' }, body: '[]' });
  expect([refused.status, refused.code, refused.headers['accept-patch']]).toEqual([415, 'unsupported_media_type', patchTypes]);
  expect((await http('OPTIONS', '/pets')).headers['accept-patch']).toBeUndefined();
});
