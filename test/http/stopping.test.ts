import { expect } from 'vitest';
import { sql } from '../../src/storage/sql.js';
import { openRawConnection, rawRequest } from '../support/raw-connection.js';
import { testListening } from '../support/server.js';

/** A client that sends requests on one connection until the server closes it; returns the number of answers. */
async function busyClient(port: number, petId: number, onAnswer: () => void): Promise<number> {
  const { send, answer } = await openRawConnection(port);
  const body = JSON.stringify({ petId, quantity: 1 });
  for (let answered = 1; ; answered += 1) {
    send(rawRequest('POST /store/orders', ['Content-Type: application/json', `Content-Length: ${body.length}`], body));
    const { status, headers } = await answer();
    expect(status).toBe(201);
    onAnswer();
    if (headers['connection'] === 'close') return answered;
  }
}

testListening(
  'a stopped server answers the last request of every open connection, and waits for no unused one',
  async ({ port, pet, stop, rows }) => {
    const rex = await pet({ name: 'Rex', quantity: 100_000 });
    const unused = await Promise.all(Array.from({ length: 5 }, () => openRawConnection(port)));
    let answers = 0;
    const clients = Array.from({ length: 20 }, () => busyClient(port, rex, () => (answers += 1)));
    await expect.poll(() => answers).toBeGreaterThan(100);
    const began = performance.now();
    await stop();
    expect(performance.now() - began).toBeLessThan(30_000);
    for (const { closed } of unused) await closed();
    const answered = (await Promise.all(clients)).reduce((sum, one) => sum + one, 0);
    expect(await rows(sql`SELECT count(*) AS orders FROM orders`)).toEqual([{ orders: answered }]);
  },
  // A loaded machine needs more time for the last requests than petstore serve gives; the others are never reached.
  { timeouts: { lastRequestMs: 2000, keepAliveMs: 60_000, stopMs: 60_000 } },
);
