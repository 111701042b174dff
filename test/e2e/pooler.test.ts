import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../support/seeded-random.js';
import { brokenInvariants } from '../support/invariants.js';
import { withStore } from '../support/inspect-store.js';
import { startPooler } from '../support/pooler.js';
import { addressOf, freshDatabase } from '../support/postgres.js';
import { ensureBuilt, runProgram, stockedShop } from '../support/program.js';
import { ask } from '../support/server.js';
import { startServer } from '../support/server-process.js';

beforeAll(ensureBuilt);

const pets = 20;

/** Requests whose answers can be matched to them. */
const requests: readonly (readonly [path: (id: number) => string, isRight: (body: never, id: number) => boolean])[] = [
  [(id) => `/pets/${id}`, (body: { id: number; name: string }, id) => body.id === id && body.name === `Guppy ${id}`],
  [() => '/categories/1', (body: { id: number; name: string }) => body.id === 1 && body.name === 'Fish'],
  [(id) => `/store/inventory/${id}`, (body: { petId: number }, id) => body.petId === id],
  [(id) => `/pets?limit=${id}`, (body: readonly object[], id) => body.length === id],
  [(id) => `/store/ledger?petId=${id}`, (body: readonly { petId: number; kind: string }[], id) => body.every(({ petId }) => petId === id)],
  [() => '/store/imports/1', (body: { id: number; kind: string }) => body.id === 1 && body.kind === 'pets'],
  [() => '/categories?q=fis', (body: readonly { name: string }[]) => body[0]?.name === 'Fish'],
];

describe.skipIf(addressOf('') === undefined)('a pooler in transaction mode before PostgreSQL', () => {
  for (const tellsServerId of [false, true]) {
    const kind = tellsServerId ? 'reports the process ids of its connections to clients' : 'reports its own process ids to clients';
    test(`servers and commands share two connections of a pooler that ${kind}, and every request gets its own answer`, async () => {
      const { address, drop } = await freshDatabase(true);
      await stockedShop(address, pets, 5);
      const pooler = await startPooler(address, 2, tellsServerId);
      const url = new URL(address);
      url.port = String(pooler.port);
      try {
        const servers = await Promise.all([startServer(url.href), startServer(url.href)]);
        const wrong: string[] = [];
        let orders = 0;
        const client = async (index: number): Promise<void> => {
          const random = seededRandom(index);
          const server = servers[index % servers.length]?.address ?? '';
          // Each starts at another request, so the programs prepare statements in different orders.
          for (let turn = 0; turn < 30; turn += 1) {
            const id = 1 + Math.floor(random() * pets);
            const [path, isRight] = requests[(index * 3 + turn) % requests.length] ?? [() => '', () => false];
            const answer = await ask(server, 'GET', path(id));
            if (answer.status !== 200 || !isRight(answer.json<never>(), id)) wrong.push(`${path(id)}: ${answer.status} ${answer.text}`);
            if (turn % 3 > 0) continue;
            const placed = await ask(server, 'POST', '/store/orders', { body: { petId: id, complete: true } });
            if (placed.status === 201 && placed.json<{ readonly petId: number }>().petId === id) orders += 1;
            else if (placed.code !== 'insufficient_stock') wrong.push(`an order: ${placed.status} ${placed.text}`);
          }
        };
        const clients = Promise.all([0, 1, 2, 3, 4, 5].map(client));
        const counted = await runProgram(url.href, ['inventory', 'import', '-', '--quiet', '--wait', '60'], 'petId,delta\n1,7\n2,7\n');
        const created = await runProgram(url.href, ['pet', 'import', '-', '--quiet', '--wait', '60'], 'name,category\nRex,Fish\n');
        const undone = await runProgram(url.href, ['inventory', 'undo', '2', '--yes', '--quiet', '--wait', '60']);
        await clients;
        for (const { child } of servers) child.kill('SIGTERM');
        const ends = await Promise.all(servers.map(({ ended }) => ended));
        expect(wrong).toEqual([]);
        expect([counted, created, undone, ...ends].map(({ exitCode, stderr }) => (exitCode === 0 ? 0 : stderr))).toEqual([0, 0, 0, 0, 0]);
        expect(pooler.switches()).toBeGreaterThan(10);
        expect(orders).toBeGreaterThan(0);
        await withStore(address, async (found) => expect(await brokenInvariants(found)).toEqual([]));
      } finally {
        await pooler.close();
        await drop();
      }
    });
  }
});
