import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { isPublicAddress, checkedHookUrl } from '../../src/domain/hooks/hook-url.js';
import { retryAfterMs, retryPauseMs } from '../../src/domain/hooks/retry-schedule.js';
import { connect, fewAtOnce } from '../../src/hooks/request.js';
import { signedHeaders } from '../../src/hooks/signature.js';
import { testInShop } from '../support/cli.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { receiver } from './receiver.js';

/** How one request to a receiver ends; no machine is so loaded that an answer takes a minute. */
async function outcomeAt(answer: (response: ServerResponse) => void, waitMs = 60_000) {
  const { url, stop } = await receiver(answer);
  const connection = connect({ url, allowPrivate: true }, () => 0, undefined, waitMs);
  const outcome = await connection.send({}, '{}');
  connection.close();
  await stop();
  return outcome;
}

testInShop('an event is sent once, signed, and in the order of the ledger', async ({ petstore, store }) => {
  const { url, received, stop } = await receiver();
  try {
    const { stdout } = await petstore(`hook create ${url} --allow-private`);
    await petstore('inventory adjust 4 +1');
    await petstore('inventory adjust 4 +2');
    const sent = await petstore('hook deliver --once');
    expect([sent.exitCode, sent.stderr]).toEqual([0, '']);
    const webhook = new Webhook(stdout.trim());
    const events = received.map(({ headers, body }) => webhook.verify(body, headers as Record<string, string>) as { type: string; data: { delta: number } });
    expect(events.map(({ type, data }) => [type, data.delta])).toEqual([
      ['adjust', 1],
      ['adjust', 2],
    ]);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([18, 19].map((id) => expect.stringMatching(new RegExp(`^evt_[0-9a-f]{12}_${id}$`))));
    await petstore('hook deliver --once');
    expect(received.length).toBe(2);
    // The same events again have the same ids.
    await petstore('hook resend 1 --from 18 --yes');
    await petstore('hook deliver --once');
    expect(received.slice(2).map(({ headers }) => headers['webhook-id'])).toEqual(received.slice(0, 2).map(({ headers }) => headers['webhook-id']));
    // A new secret signs at once.
    const other = await petstore('hook rotate 1 --yes');
    await petstore('inventory adjust 4 +3');
    await petstore('hook deliver --once');
    const last = received.at(-1);
    new Webhook(other.stdout.trim()).verify(last?.body ?? '', last?.headers as Record<string, string>);
    // Nothing but the two commands that make a secret shows it.
    for (const line of ['hook list --json', 'hook view 1 --json', 'hook deliveries 1', 'doctor --json', `backup ${store}.copy --json`]) {
      const shown = await petstore(line);
      expect([line, `${shown.stdout}${shown.stderr}`.includes('whsec_')]).toEqual([line, false]);
    }
  } finally {
    await stop();
  }
});

testInShop('an import is one event with its batch unless the hook wants the rows', async ({ petstore, file }) => {
  const { url, received, stop } = await receiver();
  try {
    await petstore(`hook create ${url} --allow-private`);
    await petstore(`hook create ${url} --allow-private --rows --batch 10`);
    await petstore(`hook create ${url} --allow-private --kind pet.held`);
    const path = file('stock.csv', 'petId,quantity\n1,50\n2,60\n4,70\n');
    expect((await petstore(`inventory import ${path}`)).exitCode).toBe(0);
    await petstore('hook deliver --once');
    const bodies = received.map(({ body }) => JSON.parse(body) as { type: string; data: { total: number } | readonly { type: string }[] });
    expect(bodies.map(({ type }) => type).toSorted()).toEqual(['batch.applied', 'events']);
    expect(bodies.find(({ type }) => type === 'batch.applied')?.data).toMatchObject({ id: 1, total: 3, link: '/store/ledger?batchId=1' });
    const rows = bodies.find(({ type }) => type === 'events')?.data as readonly { type: string }[];
    expect(rows.filter(({ type }) => type === 'count').length).toBe(3);
    const { stdout } = await petstore('hook list --json waiting');
    expect(JSON.parse(stdout)).toEqual([{ waiting: 0 }, { waiting: 0 }, { waiting: 0 }]);
    const before = received.length;
    await petstore(`pet import ${file('pets.csv', 'name,category,codes\nKoi,Fish,4006381333931\nLoach,Fish,\n')}`);
    await petstore('hook deliver --once');
    const types = received.slice(before).map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect(types.toSorted()).toEqual(['batch.applied', 'events']);
  } finally {
    await stop();
  }
});

testInShop('a closed count is one event with its batch; an edited hook sends its rows', async ({ petstore }) => {
  const { url, received, stop } = await receiver();
  try {
    await petstore(`hook create ${url}one --allow-private --rows`);
    await petstore(`hook create ${url}rows --allow-private`);
    expect((await petstore('hook edit 1 --rows --no-rows')).exitCode).toBe(2);
    expect((await petstore('hook edit 1 --yes')).stderr).toContain('Nothing to change');
    await petstore('hook edit 1 --no-rows');
    await petstore('hook edit 2 --rows');
    for (const line of ['count start 1 4', 'count add 1 1 50', 'count add 1 4 60', 'count close 1 --yes', 'hook deliver --once']) {
      expect([line, (await petstore(line)).exitCode]).toEqual([line, 0]);
    }
    const bodies = received.map(({ path, body }) => ({ path, ...(JSON.parse(body) as { type: string; data: { batch?: unknown } }) }));
    const typesAt = (wanted: string): readonly string[] => bodies.flatMap(({ path, type }) => (path === wanted ? [type] : []));
    expect(typesAt('/one')).toEqual(['count.started', 'count.closed']);
    expect(bodies.findLast(({ path }) => path === '/one')?.data.batch).toMatchObject({ id: 1, total: 2, countId: 1 });
    expect(typesAt('/rows').filter((type) => type === 'count').length).toBe(2);
  } finally {
    await stop();
  }
});

testInShop('an event about low stock names its pet, in the ledger and at a hook', async ({ petstore }) => {
  const { url, received, stop } = await receiver();
  try {
    await petstore(`hook create ${url} --allow-private --low`);
    await petstore('inventory low-at 4 60');
    await petstore('hook deliver --once');
    const [{ body = '{}' } = {}] = received;
    expect(JSON.parse(body)).toMatchObject({ type: 'inventory.low', data: { petId: 4, petName: 'Koi' } });
    const { stdout } = await petstore('log --kind inventory.low --fields kind,petName --format csv');
    expect(stdout).toBe('kind,petName\ninventory.low,Bella\ninventory.low,Koi\n');
    expect((await petstore('log --after 0 --kind inventory.low --json petId,petName')).stdout).toContain('{"petId":4,"petName":"Koi"}');
  } finally {
    await stop();
  }
});

testInShop('a failure keeps the position, is tried later, and 410 pauses the hook', async ({ petstore }) => {
  let status = 500;
  const { url, received, stop } = await receiver((response) => void response.writeHead(status).end('secret of the receiver'));
  try {
    await petstore(`hook create ${url} --allow-private`);
    await petstore('inventory adjust 4 +1');
    const failed = await petstore('hook deliver --once');
    expect([failed.exitCode, failed.stdout.includes('The receiver answered 500.')]).toEqual([7, true]);
    // Not yet due.
    expect((await petstore('hook deliver --once')).exitCode).toBe(0);
    expect(received.length).toBe(1);
    status = 410;
    // It need not be paused to be tried at once.
    await petstore('hook resume 1');
    await petstore('hook deliver --once');
    expect(received.length).toBe(2);
    const { stdout } = await petstore('hook list --failing --json state,position,waiting,attempts,lastError');
    expect(JSON.parse(stdout)).toEqual([{ state: 'paused', position: 17, waiting: 1, attempts: 1, lastError: 'The receiver answered 410.' }]);
    expect((await petstore('status')).stdout).toContain('webhooks\t1 paused with 1 ledger entry waiting');
    expect((await petstore('doctor')).stdout).toMatch(/^WARN {2}webhooks +Hook 1 is paused after ledger entry 17, 1 waiting\. The receiver answered 410\.$/m);
    status = 204;
    await petstore('hook resume 1');
    expect((await petstore('hook deliver --once')).exitCode).toBe(0);
    expect(JSON.parse((await petstore('hook list --json position,waiting,attempts')).stdout)).toEqual([{ position: 18, waiting: 0, attempts: 0 }]);
  } finally {
    await stop();
  }
});

test('what a receiver answers decides how a request ends', async () => {
  const head =
    (status: number, headers: Record<string, string> = {}) =>
    (response: ServerResponse) =>
      void response.writeHead(status, headers).end();
  expect(await outcomeAt(head(204))).toEqual({ status: 204 });
  expect(await outcomeAt(head(301, { location: 'http://127.0.0.1/' }))).toMatchObject({
    status: 301,
    error: 'The receiver answered 301; redirects are not followed.',
  });
  expect(await outcomeAt(head(503, { 'retry-after': '7' }))).toMatchObject({ status: 503, retryAfterMs: 7000 });
  expect(await outcomeAt(() => undefined, 500)).toEqual({ error: 'The receiver did not answer within 0.5 s.' });
  expect(await outcomeAt((response) => void response.destroy())).toMatchObject({ error: expect.stringContaining('closed without an answer') });
  // An endless answer is cut off.
  const endless = (response: ServerResponse): void => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'.repeat(20_000)), 1);
    response.on('close', () => clearInterval(timer));
  };
  expect(await outcomeAt(endless)).toEqual({ status: 200 });
});

const privateAddresses = [
  '127.0.0.1',
  '10.0.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'x',
];

test('only public addresses are public, however they are written', () => {
  for (const address of privateAddresses) expect([address, isPublicAddress(address)]).toEqual([address, false]);
  for (const address of ['8.8.8.8', '2606:4700::1111']) expect([address, isPublicAddress(address)]).toEqual([address, true]);
});

test('refuses addresses that a hook must not have', async () => {
  const refused = [
    'http://hooks.example.com/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://[::ffff:7f00:1]/',
    'https://10.1.2.3:8443/',
    'https://hooks.example.com:0/',
    'https://ana:pw@hooks.example.com/',
    'ftp://hooks.example.com/',
    'hooks',
  ];
  for (const url of refused)
    await expectRefusal(
      'validation_failed',
      Promise.resolve().then(() => checkedHookUrl(url, false)),
      /^url: must/,
    );
  expect(checkedHookUrl('https://hooks.example.com:8443/a?b=c#d', false)).toBe('https://hooks.example.com:8443/a?b=c');
  expect(checkedHookUrl('http://127.0.0.1:9000/', true)).toBe('http://127.0.0.1:9000/');
});

test('a name is resolved once, and a request goes nowhere else', async () => {
  const { url, received, stop } = await receiver();
  const { port } = new URL(url);
  let lookups = 0;
  const answers = ['8.8.8.8', '127.0.0.1'];
  const rebinding = async () => [{ address: answers[(lookups += 1) - 1] ?? '127.0.0.1', family: 4 }];
  // Nothing listens at the first address, which was checked; the second one, which the name has later, is never used.
  const first = connect({ url: `http://rebind.example:${port}/`, allowPrivate: false }, () => 0, rebinding, 200);
  expect((await first.send({}, '{}')).error).toBeDefined();
  expect([lookups, received.length]).toEqual([1, 0]);
  first.close();
  // The same name again: now its address is refused.
  const second = connect({ url: `http://rebind.example:${port}/`, allowPrivate: false }, () => 0, rebinding, 200);
  expect(await second.send({}, '{}')).toEqual({ error: 'rebind.example is not sent to: its address 127.0.0.1 is not public.' });
  // One private address among public ones is enough.
  const mixed = async () => ['8.8.8.8', '10.0.0.1'].map((address) => ({ address, family: 4 }));
  expect((await connect({ url, allowPrivate: false }, () => 0, mixed).send({}, '{}')).error).toContain('not public');
  expect(received.length).toBe(0);
  second.close();
  await stop();
});

test('names whose servers do not answer take two look-ups at most, and their end lets others begin', async () => {
  const open: (() => void)[] = [];
  const resolve = fewAtOnce((host) => new Promise((resolved) => void open.push(() => resolved([{ address: host, family: 4 }]))));
  const found = ['1', '2', '3'].map((host) => resolve(host));
  await Promise.resolve().then(() => undefined);
  expect(open.length).toBe(2);
  open[0]?.();
  await found[0];
  await expect.poll(() => open.length).toBe(3);
  for (const end of open) end();
  expect((await Promise.all(found)).map(([one]) => one?.address)).toEqual(['1', '2', '3']);
});

test('while a secret is rotated both sign', () => {
  const secrets = [1, 2].map((byte) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`);
  const headers = signedHeaders('evt_1', Math.floor(Date.now() / 1000), '{}', secrets);
  for (const secret of secrets) expect(new Webhook(secret).verify('{}', { ...headers })).toEqual({});
  expect(() => new Webhook(`whsec_${Buffer.alloc(24, 3).toString('base64')}`).verify('{}', { ...headers })).toThrow('No matching signature');
});

test('retries wait longer each time, and end', () => {
  const minutes = Array.from({ length: 10 }, (_, index) => (retryPauseMs({ attempts: index + 1 }, 0) ?? -60_000) / 60_000);
  expect(minutes).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440, -1]);
  expect(retryPauseMs({ attempts: 1 }, 1)).toBe(5500);
  expect(retryPauseMs({ attempts: 1, retryAfterMs: 60_000 }, 0)).toBe(60_000);
  expect(retryPauseMs({ attempts: 1, gone: true }, 0)).toBeUndefined();
  expect([retryAfterMs('3', 0), retryAfterMs('Thu, 01 Jan 1970 00:00:09 GMT', 4000), retryAfterMs('x', 0), retryAfterMs(undefined, 0)]).toEqual([
    3000,
    5000,
    undefined,
    undefined,
  ]);
});
