import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { follow } from '../support/event-stream.js';
import { password } from '../support/postgres-server.js';
import { addressOf, freshDatabase, shown } from '../support/postgres.js';
import { prepare, runHosted, runProgram, stockedShop } from '../support/program.js';
import { ask } from '../support/server.js';
import { startServer } from '../support/server-process.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function inDatabase(work: (address: string) => Promise<void>): Promise<void> {
  const { address, drop } = await freshDatabase(true);
  try {
    await work(address);
  } finally {
    await drop();
  }
}

describe.skipIf(addressOf('') === undefined)('a shop in PostgreSQL', () => {
  test('every command uses the database, and none prints the password', () =>
    inDatabase(async (store) => {
      const where = shown(store);
      const missing = await runHosted(store, ['status']);
      expect([missing.exitCode, missing.stderr]).toEqual([7, `error: There is no shop at ${where}.\nhint: petstore init\n`]);
      const made = await runHosted(store, ['init', '--sample']);
      expect([made.exitCode, made.stdout]).toEqual([0, `✓ Created a sample shop at ${where}.\n`]);
      const again = await runHosted(store, ['init', '--json']);
      expect(JSON.parse(again.stdout)).toEqual({ store: where, created: false, filled: false });
      const status = await runHosted(store, ['status']);
      expect(status.stdout).toContain(`store\t${where}\n`);
      const imported = await runProgram(store, ['inventory', 'import', join(root, 'data/delivery.csv')]);
      expect([imported.exitCode, imported.stdout]).toEqual([0, expect.stringMatching(/5 applied/)]);
      const wrong = await runHosted(store.replace(password, 'sesame-shut'), ['status', '--debug']);
      expect(wrong.exitCode).toBe(7);
      for (const { stdout, stderr } of [missing, made, again, status, wrong]) expect(stdout + stderr).not.toMatch(/sesame/);
    }));

  test('the password of the file of passwords is used, without a warning', () =>
    inDatabase(async (store) => {
      const folder = mkdtempSync(join(tmpdir(), 'petstore-pgpass-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'pgpass'), `*:*:*:petstore:${password}\n`, { mode: 0o600 });
      const made = await runHosted(store.replace(`:${password}`, ''), ['init'], { PGPASSFILE: join(folder, 'pgpass') });
      expect(made).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('Warning') });
    }));

  test('two servers on one database share changes, events and tokens', () =>
    inDatabase(async (store) => {
      await stockedShop(store, 1, 5);
      const servers = await Promise.all([startServer(store), startServer(store)]);
      const [one, other] = servers;
      const streams = await Promise.all(servers.map(({ address }) => follow(address)));
      for (const { address } of [one, other, one]) {
        const placed = await ask(address, 'POST', '/store/orders', { body: { petId: 1 } });
        for (const stream of streams) {
          const started = performance.now();
          const orderId = placed.json<{ readonly id: number }>().id;
          expect(await stream.next(1)).toMatchObject([{ event: 'order.placed', data: { orderId } }]);
          expect(performance.now() - started).toBeLessThan(60_000);
        }
      }
      const file = { headers: { 'content-type': 'text/csv' }, body: 'petId,delta\n1,4\n' };
      expect((await ask(one.address, 'POST', '/store/imports', file)).json()).toMatchObject({ applied: 1 });
      for (const stream of streams) expect(await stream.next(1)).toMatchObject([{ event: 'adjust', data: { delta: 4 } }]);
      // A client that lost the answer of one server may ask the other.
      const keyed = { headers: { 'idempotency-key': 'sale 1' }, body: { petId: 1 } };
      const sale = await ask(one.address, 'POST', '/store/orders', keyed);
      const again = await ask(other.address, 'POST', '/store/orders', keyed);
      expect([sale.status, again.status, again.text, again.headers['idempotency-replayed']]).toEqual([201, 201, sale.text, 'true']);
      const statuses = async (authorization?: string) => {
        const answers = servers.map(({ address }) => ask(address, 'GET', '/pets/1', { ...(authorization && { headers: { authorization } }) }));
        return (await Promise.all(answers)).map(({ status, code }) => `${status} ${code}`.trim());
      };
      expect(await statuses()).toEqual(['200', '200']);
      const { stdout, stderr } = await runHosted(store, ['token', 'create', 'till', '--scope', 'admin']);
      const bearer = `Bearer ${/pst_\d+_[\w-]{43}/.exec(stdout + stderr)?.[0]}`;
      // Tokens are not cached: the next request to either server uses the new state.
      expect([await statuses(), await statuses(bearer)]).toEqual([
        ['401 unauthenticated', '401 unauthenticated'],
        ['200', '200'],
      ]);
      await prepare(store, ['token', 'revoke', 'till', '--yes']);
      expect(await statuses(bearer)).toEqual(['401 invalid_token', '401 invalid_token']);
      for (const end of await Promise.all(servers.map(({ stop }) => stop()))) {
        expect([end.exitCode, end.stderr]).toEqual([0, expect.stringMatching(/"msg":"stopped"/)]);
        expect(end.stderr + end.stdout).not.toContain(password);
      }
    }));
});
