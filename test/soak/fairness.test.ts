import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runHosted, runProgram, stockedShop } from '../support/program.js';
import { ask } from '../support/server.js';
import { startServer } from '../support/server-process.js';
import { rawRequest, openRawConnection } from '../support/raw-connection.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');

beforeAll(() => stockedShop(store, 20_000, 5));
async function bearerOf(name: string): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await runHosted(store, ['token', 'create', name, '--scope', 'admin', '--quiet']);
  return { authorization: `Bearer ${stdout.trim()}` };
}

test('the searches of one client do not delay those of another', async () => {
  const [busy, other] = [await bearerOf('busy'), await bearerOf('other')];
  const { address } = await startServer(store);
  const [many, search] = [80, '/pets?q=guppy&count=true'];
  let answered = 0;
  let tell = (): void => undefined;
  const first = new Promise<void>((resolve) => (tell = resolve));
  const searches = Array.from({ length: many }, async () => {
    const { status } = await ask(address, 'GET', search, { headers: busy });
    answered += 1;
    tell();
    return status;
  });
  await first;
  const before = answered;
  expect((await ask(address, 'GET', search, { headers: other })).status).toBe(200);
  // A search of the other client waits for at most one of the busy client, and some of those are already running.
  expect(answered - before).toBeLessThan(many - 20);
  expect(new Set(await Promise.all(searches))).toEqual(new Set([200]));
});

test('streams that catch up with the ledger do not delay other requests', async () => {
  const rows = `1,1,${'n'.repeat(400)}\n`.repeat(20_000);
  await runProgram(store, ['inventory', 'import', '-', '--yes'], `petId,delta,note\n${rows}`);
  const { address, port } = await startServer(store, '--auth', 'off');
  // A client may have 50 streams.
  const tokens = await Promise.all(['one', 'two', 'three', 'four'].map(bearerOf));
  const streams = await Promise.all(Array.from({ length: 190 }, () => openRawConnection(port)));
  for (const [index, stream] of streams.entries()) {
    stream.socket.pause();
    stream.send(rawRequest('GET /store/events?after=0', [`Authorization: ${tokens[index % tokens.length]?.['authorization']}`]));
  }
  // Sent while the streams read, which takes 20 s and more.
  while (!/^petstore_event_streams 190$/m.test(await (await fetch(`${address}/metrics`)).text()));
  const begun = performance.now();
  expect((await ask(address, 'GET', '/pets/1')).status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(15_000);
  for (const stream of streams) stream.close();
});
