import { refusalIn } from '../../src/http/client/errors.js';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { StoreError } from '../../src/domain/errors.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { reportStock } from '../../src/domain/reports/report-stock.js';
import { getSummary } from '../../src/domain/reports/get-summary.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { getPetDetails } from '../../src/domain/pets/get-pet-details.js';
import { listOrders } from '../../src/domain/orders/list-orders.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import type { Shop } from '../../src/domain/shop.js';
import { remoteShop } from '../../src/http/client/remote-shop.js';
import { importLinesType, completeType } from '../../src/http/contract/media-types.js';
import { csv, file } from '../support/files.js';
import { testListening } from '../support/server.js';

/** A shop at a port of this machine, whose answers may take up to `answerMs`. */
function shopAt(port: number, answerMs = 30_000, waitSeconds = 0, host = '127.0.0.1'): Shop {
  const address = new URL(`http://${host}:${port}`);
  const shop = remoteShop({ address, token: undefined, actor: 'ana', waitSeconds, insecure: false, answerMs });
  onTestFinished(() => shop.close());
  return shop;
}

/** A shop whose server treats every request the same. */
async function atServer(listener: RequestListener, answerMs?: number, waitSeconds?: number): Promise<Shop> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return shopAt((server.address() as AddressInfo).port, answerMs, waitSeconds);
}

/** A shop whose server reads every request and gives the same answer to it. */
function behind(answer: RequestListener, answerMs?: number): Promise<Shop> {
  return atServer((request, response) => void request.resume().on('end', () => answer(request, response)), answerMs);
}

const answering = (status: number, type: string, text: string): Promise<Shop> =>
  behind((_, response) => void response.writeHead(status, { 'content-type': type }).end(text));

/** Requests whose answers the client must check. */
const asked: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  'a list': (shop) => shop.call(listPets, {}),
  'a change': (shop) => shop.call(holdPet, { petId: 1 }),
  'several changes': (shop) => shop.callEach(holdPet, [{ petId: 1 }, { petId: 2 }]),
  'a record': (shop) => shop.call(getPetDetails, { petId: 1 }),
  'the orders': (shop) => shop.call(listOrders, {}),
  'the categories': (shop) => shop.call(listCategories, {}),
  'the ledger': (shop) => shop.call(listLedger, {}),
  'the stock of a pet': (shop) => shop.call(getInventoryItem, { petId: 1 }),
  'the figures': (shop) => shop.call(getSummary, {}),
  'a report': (shop) => shop.call(reportStock, {}),
  'an undo': (shop) => shop.undoBatch(1, {}),
  'an import': (shop) => shop.importStock(csv('petId,quantity', '1,5'), { mode: 'atomic', onRow: () => undefined, onChanges: () => undefined }),
  'the events': (shop) => shop.follow()[Symbol.asyncIterator]().next(),
};

/** Expects the error store_unreachable with a message that names the server. */
async function expectRefusal(answer: Promise<unknown>, said: RegExp): Promise<void> {
  const refusal: unknown = await answer.then(
    (value) => expect.fail(`accepted: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  expect(refusal).toMatchObject({ name: 'StoreError', code: 'store_unreachable', status: 503, message: expect.stringMatching(said) as string });
  expect((refusal as StoreError).message).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
}

const typeOf = (name: string): string => (name === 'an import' ? importLinesType : name === 'the events' ? 'text/event-stream' : completeType);

/** An endless body: continues as long as it is read. */
function endless(response: ServerResponse, chunk: string): void {
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

for (const [name, ask] of Object.entries(asked)) {
  test(`aborts an endless answer to ${name} and buffers little of it`, async () => {
    const shop = await behind((_, response) => {
      response.writeHead(200, { 'content-type': typeOf(name) });
      endless(response, 'x'.repeat(1 << 16));
    });
    const before = process.memoryUsage().rss;
    await expectRefusal(ask(shop), /does not respond like a petstore server: its response is longer than \d+ [MK]iB\.$/);
    // A few times the largest accepted answer.
    expect(process.memoryUsage().rss - before).toBeLessThan(400 << 20);
  });

  test(`aborts an endless error answer to ${name}`, async () => {
    const shop = await behind((_, response) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      endless(response, ' '.repeat(1 << 16));
    });
    await expectRefusal(ask(shop), /its response is longer than 1 MiB\.$/);
  });
}

const unknownChange = /^The connection to http:\/\/127\.0\.0\.1:\d+ was lost \([^)]+\); it is unknown whether the change was made\.$/;

for (const name of ['a list', 'a change', 'several changes', 'an undo'] as const) {
  test(`aborts an answer to ${name} that arrives too slowly`, async () => {
    const shop = await behind((_, response) => {
      response.writeHead(200, { 'content-type': completeType });
      const timer = setInterval(() => void response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    }, 500);
    const said = name === 'a list' ? / cannot be reached: the server has not answered in full within 0\.5 s\.$/ : unknownChange;
    await expectRefusal(asked[name]?.(shop) ?? Promise.resolve(), said);
  });
}

/** What may have no records. */
const listed = ['a list', 'the orders', 'the categories', 'the ledger', 'a report'];

/** Valid JSON of the wrong shape. */
const strange: readonly unknown[] = [
  {},
  [],
  [{}],
  [null],
  [{ id: 1, name: 7 }],
  { items: [] },
  { batch: 1, rows: 2 },
  { report: {} },
  { onRow: [1] },
  { onChanges: [[{}]] },
  { constructor: [1] },
  { error: true },
  { error: {} },
  { categories: 1, pets: null },
];

for (const [name, ask] of Object.entries(asked)) {
  test(`refuses an answer to ${name} with another shape and names the server`, async () => {
    for (const answer of strange) {
      if (listed.includes(name) && Array.isArray(answer) && answer.length === 0) continue;
      const text = name === 'the events' ? `data: ${JSON.stringify(answer)}\n\n` : `${JSON.stringify(answer)}\n`;
      const shop = await answering(200, typeOf(name), text);
      await expectRefusal(ask(shop), /does not respond like a petstore server/);
      await shop.close();
    }
  });
}

test('refuses a page without records that names a next one, which would never end', async () => {
  const headers = { 'content-type': completeType, link: '</pets?cursor=again>; rel="next"' };
  const shop = await behind((_, response) => void response.writeHead(200, headers).end('[]'));
  await expectRefusal(shop.call(listPets, {}), /a page without records names no next one\.$/);
});

test('ignores unknown fields of an answer', async () => {
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  const row = `{"id":1,"name":"Rex","categoryId":1,"status":"sold","category":"Dogs","hold":false,"quantity":0,"reserved":0,"more":${deep}}`;
  const shop = await behind((_, response) => void response.writeHead(200, { 'content-type': completeType }).end(`[${row}]`));
  expect(await shop.call(listPets, {})).toEqual({
    items: [{ id: 1, name: 'Rex', categoryId: 1, status: 'sold', category: 'Dogs', hold: false, quantity: 0, reserved: 0 }],
  });
});

test('details of a refusal in another shape are ignored, and unknown fields dropped', () => {
  const detailsOf = (details: unknown) => refusalIn(409, JSON.stringify({ code: 'pet_on_hold', message: 'Pet 5 is on hold.', details }), 'there').details;
  expect([undefined, null, 'x', [], { petId: 'x' }, { orderIds: 7 }].map(detailsOf)).toEqual(Array.from({ length: 6 }, () => ({ field: 'petId' })));
  expect(detailsOf({ petId: 5, orderIds: [1, 2], colour: 'red' })).toEqual({ field: 'petId', petId: 5, orderIds: [1, 2] });
});

const notPetstore = /^http:\/\/127\.0\.0\.1:\d+ does not respond like a petstore server(: status \d{3})?\.$/;
const elsewhere = /^The server at http:\/\/127\.0\.0\.1:\d+ does not offer this\.$/;

const answers: readonly (readonly [name: string, status: number, type: string, text: string, said?: RegExp])[] = [
  ['null', 500, 'application/json', 'null'],
  ['a number', 500, 'application/json', '5'],
  ['a list', 502, 'application/json', '[1]'],
  ['an error with an unknown code', 500, 'application/json', '{"code":"constructor","message":"x"}'],
  ['an HTML page', 200, 'text/html', '<html>Hello</html>'],
  ['empty', 200, '', ''],
  ['an HTML error page', 503, 'text/html', '<html>Bad gateway</html>'],
  ['a not_found error of another server', 404, 'application/json', '{"code":"not_found","message":"No such route"}', elsewhere],
];

for (const [name, status, type, text, said = notPetstore] of answers) {
  test(`an answer that is ${name} is reported as no petstore server for every operation`, async () => {
    const shop = await answering(status, type, text);
    for (const ask of Object.values(asked)) await expectRefusal(ask(shop), said);
  });
}

test('refuses truncated or invalid rows, import lines and events', async () => {
  const rows = await answering(200, completeType, '[{"id":1,"na');
  await expectRefusal(rows.call(listPets, {}), notPetstore);
  for (const text of ['garbage\n', 'null\n', '5\n', '{"report":\n', '{"onRow":[1']) {
    const lines = await answering(200, importLinesType, text);
    await expectRefusal(lines.importStock(csv('petId,quantity', '1,5'), { mode: 'atomic' }), notPetstore);
  }
  for (const data of ['{"id":', 'null']) {
    const events = await answering(200, 'text/event-stream', `data: ${data}\n\n`);
    const entries = events.follow()[Symbol.asyncIterator]();
    const beyond = async (): Promise<unknown> => (await entries.next(), entries.next());
    await expectRefusal(beyond(), notPetstore);
  }
});

test('a follower waits for a server that refuses what passes by itself, and only for that', async () => {
  const refusals = ['overloaded', 'shutting_down', 'store_unreachable', undefined, 'schema_too_new'];
  const entry = { id: 1, at: '2026-11-20T09:00:00Z', actor: 'ana', source: 'http', kind: 'pet.held' };
  const listener: RequestListener = (_, response) => {
    const code = refusals.shift();
    if (code === undefined) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(entry)}\n\n`);
    else response.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify({ code, message: 'Not now.', status: 503 }));
  };
  const entries = (await atServer(listener, undefined, 30)).follow()[Symbol.asyncIterator]();
  expect(await entries.next()).toEqual({ done: false, value: [entry] });
  await expect(entries.next()).rejects.toMatchObject({ code: 'schema_too_new', message: 'Not now.' });
});

test('an import reports an unknown result after a lost connection', async () => {
  const unknown = /^The connection to http:\/\/127\.0\.0\.1:\d+ was lost \([^)]+\); it is unknown whether the file was applied\.$/;
  const large = `petId,delta\n${'1,1\n'.repeat(2_000_000)}`;
  const cuts: readonly RequestListener[] = [
    // Closed in the middle of the file, after the whole file, and in the middle of the answer.
    (request) => void request.once('data', () => request.socket.destroy()),
    (request) => void request.resume().on('end', () => request.socket.destroy()),
    (request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': importLinesType, 'content-length': '100' }).write('{"onIgnored":[[]]}\n', () => request.socket.destroy());
      });
    },
    (request, response) => void request.resume().on('end', () => response.writeHead(200, { 'content-type': importLinesType }).end()),
  ];
  for (const cut of cuts) {
    const shop = await atServer(cut);
    await expectRefusal(shop.importStock(file(large, { format: 'csv' }, 1 << 16), { mode: 'atomic' }), unknown);
  }
});

test('a change reports an unknown result after a lost connection; a request that changes nothing, or did not reach the server, does not', async () => {
  const cuts: readonly RequestListener[] = [
    // Closed instead of an answer, and in the middle of it.
    (request) => void request.socket.destroy(),
    (request, response) => void response.writeHead(200, { 'content-type': completeType }).write('{"id"', () => request.socket.destroy()),
  ];
  for (const cut of cuts) {
    const shop = await behind(cut);
    for (const name of ['a change', 'several changes', 'an undo']) {
      const answer = asked[name]?.(shop) ?? Promise.resolve();
      await expectRefusal(answer, unknownChange);
      await expect(answer).rejects.toMatchObject({ details: { reason: 'outcome_unknown' } });
    }
    for (const answer of [shop.call(listPets, {}), shop.call(holdPet, { petId: 1 }, { dryRun: true })]) await expectRefusal(answer, /cannot be reached/);
  }
  // The first attempt arrives, and the server is gone for the others.
  const server = createServer((request) => {
    server.close();
    request.socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await expectRefusal(shopAt((server.address() as AddressInfo).port, 30_000, 1).call(holdPet, { petId: 1 }), unknownChange);
  await expectRefusal(shopAt(1).call(holdPet, { petId: 1 }), /cannot be reached: connection refused/);
  // No connection can be made to this address.
  await expect(shopAt(1, 30_000, 0, '255.255.255.255').call(holdPet, { petId: 1 })).rejects.toThrow(/cannot be reached: connect E[A-Z]+/);
});

testListening('an import to a closed port reports that the connection was refused', async ({ port, stop }) => {
  await stop();
  const shop = shopAt(port);
  await expectRefusal(shop.importStock(csv('petId,quantity', '1,5'), { mode: 'atomic' }), /cannot be reached: connection refused/);
});
