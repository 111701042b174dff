import { expect } from 'vitest';
import type { Shop } from '../../src/domain/shop.js';
import type { LogEntry } from '../../src/http/server/server-options.js';
import { completeType } from '../../src/http/contract/media-types.js';
import { withServer, serverDependencies, testServed, type ServedShop } from '../support/server.js';

const types = { csv: 'text/csv', tsv: 'text/tab-separated-values', ndjson: 'application/x-ndjson', json: 'application/json' } as const;
const as = (type: string, body: string | Buffer) => ({ headers: { 'content-type': type }, body });
const csv = (...lines: readonly string[]) => as(types.csv, `${lines.join('\n')}\n`);

interface Report {
  readonly batch?: number;
  readonly applied: number;
  readonly rejected: number;
  readonly errors: readonly { readonly line: number; readonly code: string }[];
}

async function three({ pet }: ServedShop): Promise<void> {
  for (let index = 0; index < 3; index += 1) await pet({ quantity: 10 });
}

async function quantities({ http }: ServedShop): Promise<readonly number[]> {
  return (await http('GET', '/store/inventory')).json<readonly { readonly quantity: number }[]>().map(({ quantity }) => quantity);
}

testServed('stock is imported from CSV, TSV, NDJSON and JSON', async (served) => {
  const { http } = served;
  await three(served);
  const files = [
    as(types.csv, '\u{feff}petId,quantity\r\n1,11\r\n2,12\r\n'),
    as(`${types.csv}; charset=utf-8; header=present`, 'petId;quantity\n1;21\n2;22\n'),
    as(types.tsv, 'petId\tquantity\n1\t31\n2\t32\n'),
    as(types.ndjson, '{"petId":1,"quantity":41}\n{"petId":2,"quantity":42}\n'),
    as(types.json, '[{"petId":1,"quantity":51},{"petId":2,"quantity":52.0}]'),
  ];
  for (const [index, file] of files.entries()) {
    const { status, headers, ...answer } = await http('POST', '/store/imports', file);
    expect([file.headers, status, answer.json()]).toMatchObject([file.headers, 200, { batch: index + 1, applied: 2, rejected: 0, notInFile: 1, errors: [] }]);
    expect(headers['petstore-stability']).toBe('beta');
    expect(await quantities(served)).toEqual([index * 10 + 11, index * 10 + 12, 10]);
  }
});

testServed('pets are imported from files', async (served) => {
  const { http, category } = served;
  await category('Dogs');
  const files = [
    csv('name,category,status,quantity,colour', 'Rex,Dogs,,,brown', 'Max,1,pending,4,'),
    as(types.json, JSON.stringify([{ name: 'Bella', category: 'Dogs' }])),
    as(types.ndjson, '{"name":"Luna","category":1,"status":"sold"}\n'),
    as(types.tsv, 'name\tcategory\nFido\tdogs\n'),
  ];
  for (const file of files) expect((await http('POST', '/pets/imports', file)).status).toBe(200);
  const pets = (await http('GET', '/pets')).json<readonly { readonly name: string; readonly status: string }[]>();
  expect(pets.map(({ name, status }) => `${name} ${status}`)).toEqual(['Rex available', 'Max pending', 'Bella available', 'Luna sold', 'Fido available']);
  const unknown = csv('name,category', 'Koi,Fish');
  expect((await http('POST', '/pets/imports', unknown)).code).toBe('import_refused');
  expect((await http('POST', '/pets/imports?createCategories=true', unknown)).status).toBe(200);
});

testServed('one invalid row refuses the whole file, and the answer links to the report', async (served) => {
  const { http } = served;
  await three(served);
  const before = await quantities(served);
  const file = csv('petId,quantity', '1,5', '77,5', 'x,5', '2,-1');
  const refused = await http('POST', '/store/imports', file);
  expect([refused.status, refused.code, refused.headers['link']]).toEqual([422, 'import_refused', '</store/imports/1>; rel="describedby"']);
  expect(refused.json<{ message: string }>().message).toMatch(/^3 of 4 rows were refused and nothing was changed; batch 1 has the report/);
  const report = (await http('GET', '/store/imports/1')).json<Report>();
  expect(report).toMatchObject({ state: 'refused', total: 4, applied: 0, rejected: 3, actor: 'keeper' });
  expect(report.errors.map(({ line, code }) => `${line} ${code}`)).toEqual(['3 unknown_pet', '4 invalid_pet_id', '5 invalid_quantity']);
  expect(await quantities(served)).toEqual(before);
});

testServed('keep-going applies the valid rows and reports the others', async (served) => {
  const { http } = served;
  await three(served);
  const partial = await http('POST', '/store/imports?mode=keep-going', csv('petId,quantity', '1,5', '77,5', '2,6'));
  expect([partial.status, partial.json()]).toMatchObject([
    207,
    { batch: 1, mode: 'keep-going', applied: 2, rejected: 1, errors: [{ line: 3, code: 'unknown_pet' }] },
  ]);
  expect(await quantities(served)).toEqual([5, 6, 10]);
  const nothing = await http('POST', '/store/imports?mode=keep-going', csv('petId,quantity', '77,5'));
  expect([nothing.status, nothing.code, nothing.headers['link']]).toEqual([422, 'import_refused', '</store/imports/2>; rel="describedby"']);
  const tooMany = await http('POST', '/store/imports?mode=keep-going&maxErrors=1', csv('petId,quantity', '1,9', '77,5', '78,5'));
  expect(tooMany.code).toBe('import_refused');
  expect(await quantities(served)).toEqual([5, 6, 10]);
});

testServed('a dry run of an import answers 200 with the report and stores nothing', async (served) => {
  const { http, expectUnchanged } = served;
  await three(served);
  for (const [query, file, expected] of [
    ['dryRun=true', csv('petId,quantity', '1,5'), { dryRun: true, applied: 1, rejected: 0 }],
    ['dryRun=true', csv('petId,quantity', '1,5', '77,1'), { dryRun: true, rejected: 1 }],
    ['dryRun=true&mode=keep-going', csv('petId,quantity', '1,5', '77,1'), { dryRun: true, applied: 1, rejected: 1 }],
  ] as const) {
    const answer = await expectUnchanged(() => http('POST', `/store/imports?${query}`, file));
    expect([query, answer.status, answer.json()]).toMatchObject([query, 200, expected]);
    expect(answer.json<Report>().batch).toBeUndefined();
  }
  expect((await expectUnchanged(() => http('POST', '/pets/imports?dryRun=true', csv('name,category', 'Rex,1')))).json()).toMatchObject({
    dryRun: true,
    applied: 1,
  });
  // The same file can be applied afterwards.
  expect((await http('POST', '/store/imports', csv('petId,quantity', '1,5'))).json()).toMatchObject({ batch: 1, applied: 1 });
});

testServed('an unexpected error during a streamed import ends the answer and is logged', async ({ dependencies, clock }) => {
  const log: LogEntry[] = [];
  const shopOf = (actor: string): Shop => ({
    ...dependencies.shopOf(actor, 'http'),
    importStock: async (_, { onRejected }) => {
      await onRejected?.({ line: 2, code: 'unknown_pet', message: 'There is no pet 9.' }, undefined);
      throw new TypeError('surprise');
    },
  });
  await withServer(serverDependencies(shopOf, clock.now, log), {}, async ({ http }) => {
    const wanted = encodeURIComponent(JSON.stringify({ callbacks: ['onRejected'] }));
    const { body, headers } = csv('petId,delta', '9,1');
    const { status, text } = await http('POST', '/store/imports', {
      headers: { ...headers, accept: completeType, 'petstore-import': wanted, 'x-request-id': 'one' },
      body,
    });
    const [told, ended, ...others] = text.trim().split('\n');
    expect([status, others, told]).toEqual([200, [], expect.stringContaining('There is no pet 9.')]);
    expect(JSON.parse(ended ?? '')).toMatchObject({ error: { code: 'internal_error', status: 500 } });
  });
  expect(log.filter(({ msg }) => msg === 'failure')).toEqual([{ msg: 'failure', id: 'one', error: expect.stringContaining('TypeError: surprise') }]);
});

testServed('an entry that a preview cannot have is refused', async (served) => {
  await three(served);
  const { body, headers } = csv('petId,delta', '1,1');
  for (const previewedAt of [-1, 0.5, 1e300]) {
    const wanted = encodeURIComponent(JSON.stringify({ previewedAt }));
    const answer = await served.http('POST', '/store/imports', { headers: { ...headers, 'petstore-import': wanted }, body });
    expect([previewedAt, answer.status]).toEqual([previewedAt, 400]);
  }
});

testServed('an import names its file in the query', async (served) => {
  const { http } = served;
  await three(served);
  const body = csv('petId,quantity', '1,5');
  await http('POST', '/store/imports?fileName=inbox%2Fcount.csv', body);
  expect(await http('POST', '/store/imports?fileName=a%00b', body)).toMatchObject({ status: 400, code: 'invalid_parameter' });
  await http('POST', '/store/imports', body);
  const batches = (await http('GET', '/store/imports')).json<readonly { readonly fileName?: string }[]>();
  expect(batches.map(({ fileName }) => fileName)).toEqual(['count.csv', undefined]);
});
