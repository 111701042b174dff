import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/storage/sql.js';
import { sellRepeatedly, type SaleAttempt } from '../support/order-client.js';
import { brokenInvariants } from '../support/invariants.js';
import { withStore } from '../support/inspect-store.js';
import { canStart, startPostgres } from '../support/postgres-server.js';
import { follow, type StreamedEvent } from '../support/event-stream.js';
import { bundle } from '../support/processes.js';
import { environment, prepare, start, type ProcessResult } from '../support/program.js';
import { ask } from '../support/server.js';
import { logLinesOf, startServer, type ServerProcess } from '../support/server-process.js';
import { testFolder } from '../support/files.js';

const isFull = process.env['PETSTORE_TEST_SIZE'] === 'full';
const clients = 4;

const folder = testFolder();
let script = '';

beforeAll(async () => {
  script = await bundle(folder, `import { ${sellRepeatedly.name} } from './order-client.js'; void ${sellRepeatedly.name}(process.argv.slice(2));`);
});
/** Creates a shop with one pet and some units. */
async function stocked(store: string, units: number): Promise<void> {
  await prepare(store, ['init'], ['category', 'create', '--name', 'Dogs'], ['pet', 'create', '--name', 'Rex', '--category', '1', '--quantity', String(units)]);
}

/** Clients in separate processes. */
interface Crowd {
  /** Their results so far, in order. */
  readonly told: readonly SaleAttempt[];
  /** Resolves when they have this many results. */
  readonly reached: (count: number) => Promise<void>;
  readonly ended: Promise<readonly ProcessResult[]>;
}

/** Starts clients, each with `tries` attempts, on all these servers. */
function startClients(servers: readonly ServerProcess[], tries: number): Crowd {
  const told: SaleAttempt[] = [];
  let look = (): void => undefined;
  const started = Array.from({ length: clients }, (_, index) => {
    const one = start(process.execPath, [script, String(index), String(tries), ...servers.map(({ address }) => address)], environment(''));
    onTestFinished(() => void one.child.kill('SIGKILL'));
    let rest = '';
    one.child.stdout.on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      told.push(...lines.map((line) => JSON.parse(line) as SaleAttempt));
      look();
    });
    return one.ended;
  });
  const ended = Promise.all(started);
  return {
    told,
    ended,
    reached: (count) =>
      new Promise((resolve, reject) => {
        look = () => void (told.length >= count && resolve());
        look();
        void ended.then((ends) => reject(new Error(`The clients ended after ${told.length} of ${count}: ${ends.map(({ stderr }) => stderr).join('')}`)));
      }),
  };
}

/** Reads from a server until it is stopped; returns the statuses. */
function startReader({ address }: ServerProcess): () => Promise<readonly number[]> {
  const statuses: number[] = [];
  let isOver = false;
  const reading = (async () => {
    for (; !isOver; await sleep(20)) statuses.push((await ask(address, 'GET', '/store/inventory?count=true')).status);
  })();
  return async () => {
    isOver = true;
    await reading;
    return statuses;
  };
}

/** The orders, ledger and broken invariants of a shop. */
function storedState(store: string) {
  return withStore(store, async (found) => {
    const states = await found.rows<{ readonly id: number; readonly state: string }>(sql`SELECT id, state FROM orders ORDER BY id`);
    const [left] = await found.rows(
      sql`SELECT quantity, (SELECT CAST(sum(delta) AS BIGINT) FROM ledger WHERE pet_id = 1) AS moved FROM stock WHERE pet_id = 1`,
    );
    const [ledger] = await found.rows<{ readonly rows: number; readonly last: number }>(sql`SELECT count(*) AS rows, max(id) AS last FROM ledger`);
    return {
      broken: await brokenInvariants(found),
      left,
      complete: states.filter(({ state }) => state === 'complete').map(({ id }) => id),
      others: states.filter(({ state }) => state !== 'complete'),
      gaps: (ledger?.last ?? 0) - (ledger?.rows ?? 0),
    };
  });
}

/** Expects that every unit was sold once and acknowledged, and that all other attempts were refused. */
function checkSales(told: readonly SaleAttempt[], units: number, tries: number, complete: readonly number[]): void {
  const sold = told.flatMap((one) => one.sold ?? []);
  expect(told.flatMap(({ unexpected }) => unexpected)).toEqual([]);
  expect([sold.length, told.length]).toEqual([units, clients * tries]);
  expect(sold.toSorted((one, other) => one - other)).toEqual(complete);
  expect([...new Set(told.flatMap(({ refused }) => refused ?? []))].filter((code) => code !== 'insufficient_stock' && code !== 'out_of_stock')).toEqual([]);
}

/** The failed requests and other errors in the logs of servers. */
function serverErrors(ends: readonly ProcessResult[]): readonly unknown[] {
  return ends.flatMap((end) => logLinesOf(end).filter(({ msg, status }) => msg === 'failure' || Number(status ?? 0) >= 500));
}

/** Expects that a stream has an event for each placed and completed order, in ledger order. */
function checkEvents(events: readonly StreamedEvent[], orders: readonly number[]): void {
  const first = events[0]?.entryId ?? 0;
  expect(events.map(({ entryId }) => entryId)).toEqual(events.map((_, index) => first + index));
  for (const kind of ['order.placed', 'sale']) {
    const told = events.filter(({ event }) => event === kind).map(({ data }) => Number(data['orderId']));
    expect(told.toSorted((one, other) => one - other)).toEqual(orders);
  }
}

function report({ told }: Crowd, started: number, more: Readonly<Record<string, unknown>>): void {
  if (!isFull) return;
  const figures = {
    sold: told.filter(({ sold }) => sold !== undefined).length,
    refused: told.filter(({ refused }) => refused !== undefined).length,
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
    repeats: told.reduce((sum, { repeats }) => sum + repeats, 0),
    slowestMs: Math.round(Math.max(...told.map(({ slowestMs }) => slowestMs))),
    ...more,
  };
  process.stdout.write(`PostgreSQL: ${JSON.stringify(figures)}\n`);
}

describe.skipIf(!canStart())('a PostgreSQL of its own', () => {
  const [units, tries, rounds] = isFull ? [1000, 500, 4] : [40, 20, 1];

  test(
    `two servers and four clients, ${clients * tries} orders for ${units} units: every unit is sold once although a server is killed and the database restarts`,
    { timeout: 180_000 },
    async () => {
      const database = await startPostgres(true);
      onTestFinished(() => database.stop());
      const store = database.urlOf('postgres');
      await stocked(store, units);
      const servers = await Promise.all([startServer(store), startServer(store)]);
      const [first, second] = servers;
      const stream = await follow(second.address);
      const started = performance.now();
      const crowd = startClients(servers, tries);
      const reads = startReader(second);
      const killed: ProcessResult[] = [];
      let again = first;
      for (let round = 1; round <= rounds; round += 1) {
        await crowd.reached((units * round * 0.5) / (rounds + 1));
        again.child.kill('SIGKILL');
        killed.push(await again.ended);
        // First a regular restart, then a crash.
        await (round % 2 === 1 ? database.restart() : database.crash());
        // The restart happened during the work.
        expect(crowd.told.length).toBeLessThan(units);
        again = await startServer(store, '--port', String(first.port));
      }
      const ends = await crowd.ended;
      const statuses = await reads();
      report(crowd, started, { rounds, reads: statuses.length });
      expect(ends.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(ends.map(() => [0, '']));
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
      const { complete, ...sound } = await storedState(store);
      expect(sound).toEqual({ broken: [], left: { quantity: 0, moved: 0 }, others: [], gaps: 0 });
      checkSales(crowd.told, units, tries, complete);
      // The stream continued after the restart without missing an event.
      checkEvents(await stream.next(2 * units), complete);
      for (const one of [second, again]) {
        expect((await fetch(`${one.address}/readyz`)).status).toBe(200);
        one.child.kill('SIGTERM');
      }
      expect(serverErrors([...killed, ...(await Promise.all([second.ended, again.ended]))])).toEqual([]);
    },
  );
});
