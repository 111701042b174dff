import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { canStart, startPostgres } from '../support/postgres-server.js';
import { proxyTo } from '../support/proxy.js';
import { prepare, runProgram } from '../support/program.js';
import { openRawConnection, rawRequest } from '../support/raw-connection.js';
import { ask } from '../support/server.js';
import { startServer } from '../support/server-process.js';

/** A result, and the time it took in s. */
async function timed<T>(work: Promise<T>): Promise<readonly [T, number]> {
  const started = performance.now();
  const result = await work;
  return [result, (performance.now() - started) / 1000];
}

// A loaded machine; what is not refused in time waits for minutes.
const slackSeconds = 20;

/** Stops a database, or the network before it, twice: under requests, and when its server is stopped. */
async function checkLoss(isFrozen: boolean): Promise<void> {
  const database = await startPostgres();
  const proxy = await proxyTo(database.urlOf('postgres'));
  const store = proxy.through;
  try {
    await prepare(store, ['init', '--sample']);
    const { address, port, child, ended } = await startServer(store);
    expect((await ask(address, 'GET', '/pets/1')).status).toBe(200);
    const [stop, go] = isFrozen ? [database.freeze, database.thaw] : [proxy.cut, proxy.heal];
    stop();
    const requests = [
      ask(address, 'GET', '/pets/1'),
      ask(address, 'GET', '/pets?search=a'),
      ask(address, 'GET', '/store/reports/stock'),
      ask(address, 'POST', '/store/orders', { body: { petId: 1 } }),
      ...Array.from({ length: 40 }, () => ask(address, 'GET', '/pets?limit=1')),
    ];
    const commands = [runProgram(store, ['pet', 'list']), runProgram(store, ['pet', 'list', '--wait', '0'])];
    const [answers, results] = await Promise.all([Promise.all(requests.map(timed)), Promise.all(commands.map(timed))]);
    for (const [{ status, code, headers }, seconds] of answers) {
      expect([status, code, headers['retry-after']]).toEqual([503, 'store_unreachable', '1']);
      expect(seconds).toBeLessThan(10 + slackSeconds);
    }
    for (const [index, [{ exitCode, stderr }, seconds]] of results.entries()) {
      expect([exitCode, stderr]).toEqual([7, expect.stringContaining('cannot be reached (it does not answer)')]);
      expect(seconds).toBeLessThan((index === 0 ? 5 : 0) + 10 + slackSeconds);
    }
    go();
    expect((await ask(address, 'POST', '/store/orders', { body: { petId: 1 } })).status).toBe(201);
    // Connections that were begun in the meantime are done.
    await sleep(1000);
    // It ends in time while the database is frozen again.
    stop();
    const pending = await openRawConnection(port);
    pending.send(rawRequest('GET /livez') + rawRequest('GET /pets/1'));
    // Says that the server has received both.
    expect((await pending.answer()).status).toBe(200);
    const stopping = timed(ended);
    child.kill('SIGTERM');
    expect((await pending.answer()).status).toBe(503);
    const [{ exitCode }, stoppedAfter] = await stopping;
    expect(exitCode).toBe(0);
    expect(stoppedAfter).toBeLessThan(10 + slackSeconds);
    go();
  } finally {
    await proxy.close();
    await database.stop();
  }
}

// Both at the same time, because they mostly wait. As one test: the servers of a test are stopped when it ends.
test.skipIf(!canStart() || process.platform !== 'linux')(
  'while the database is frozen, or its network is lost, servers and commands refuse in time, then recover by themselves',
  async () => {
    await Promise.all([checkLoss(true), checkLoss(false)]);
  },
);
