import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { onTestFinished, test } from 'vitest';
import { getPet } from '../../src/domain/pets/get-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import type { Shop } from '../../src/domain/shop.js';
import { remoteShop } from '../../src/http/client/remote-shop.js';
import { importLinesType, completeType } from '../../src/http/contract/media-types.js';
import { csv, file } from '../support/files.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { testListening } from '../support/server.js';

/** A shop at the address of another server. */
async function shopAt(port: number): Promise<Shop> {
  const address = new URL(`http://127.0.0.1:${port}`);
  const shop = remoteShop({ address, token: undefined, actor: 'ana', waitSeconds: 0, insecure: false, randomText: randomUUID });
  onTestFinished(() => shop.close());
  return shop;
}

/** A shop whose server gives the same answer to every request. */
async function startOtherServer(answer: RequestListener): Promise<Shop> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  return shopAt(typeof address === 'object' ? (address?.port ?? 0) : 0);
}

function answering(status: number, type: string, text: string): RequestListener {
  return (request, response) => {
    request.resume().on('end', () => response.writeHead(status, { 'content-type': type }).end(text));
  };
}

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
    const shop = await startOtherServer(answering(status, type, text));
    await expectRefusal('store_unreachable', shop.call(listPets, {}), said);
    await expectRefusal('store_unreachable', shop.call(getPet, { petId: 1 }), said);
    await expectRefusal('store_unreachable', shop.undoBatch(1, {}), said);
    await expectRefusal('store_unreachable', shop.importStock(csv('petId,quantity', '1,5'), { mode: 'atomic' }), said);
    await expectRefusal('store_unreachable', shop.follow()[Symbol.asyncIterator]().next(), said);
  });
}

test('refuses truncated or invalid rows, import lines and events', async () => {
  const rows = await startOtherServer(answering(200, completeType, '[{"id":1,"na'));
  await expectRefusal('store_unreachable', rows.call(listPets, {}), notPetstore);
  for (const text of ['garbage\n', 'null\n', '5\n', '{"report":\n', '{"onRow":[1']) {
    const lines = await startOtherServer(answering(200, importLinesType, text));
    await expectRefusal('store_unreachable', lines.importStock(csv('petId,quantity', '1,5'), { mode: 'atomic' }), notPetstore);
  }
  for (const data of ['{"id":', 'null']) {
    const events = await startOtherServer(answering(200, 'text/event-stream', `data: ${data}\n\n`));
    const entries = events.follow()[Symbol.asyncIterator]();
    const beyond = async (): Promise<unknown> => (await entries.next(), entries.next());
    await expectRefusal('store_unreachable', beyond(), notPetstore);
  }
});

test('an import reports an unknown result after a lost connection', async () => {
  const unknown = /^The connection to http:\/\/127\.0\.0\.1:\d+ was lost during the import; it is unknown whether the file was applied\.$/;
  const large = `petId,delta\n${'1,1\n'.repeat(4_000_000)}`;
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
    const shop = await startOtherServer(cut);
    await expectRefusal('store_unreachable', shop.importStock(file(large, { format: 'csv' }, 1 << 16), { mode: 'atomic' }), unknown);
  }
});

testListening('an import to a closed port reports that the connection was refused', async ({ port, stop }) => {
  await stop();
  const shop = await shopAt(port);
  await expectRefusal('store_unreachable', shop.importStock(csv('petId,quantity', '1,5'), { mode: 'atomic' }), /cannot be reached: connection refused/);
});
