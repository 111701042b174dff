import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canStart, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { ensureBuilt, prepare, runProgram } from '../support/program.js';
import { ask } from '../support/server.js';
import { startServer } from '../support/server-process.js';
import { startStandby, type Standby } from '../support/standby.js';

let [primary, standby]: [PostgresServer | undefined, Standby | undefined] = [undefined, undefined];

async function on(server: PostgresServer | undefined, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(server?.urlOf('postgres'));
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const pause = () => on(standby, 'SELECT pg_wal_replay_pause()');
const resume = () => on(standby, 'SELECT pg_wal_replay_resume() WHERE pg_is_in_recovery()');

/** The addresses of the shop and of its standby. */
function addresses(): { readonly store: string; readonly readStore: string } {
  if (!primary || !standby) throw new Error('There is no standby.');
  return { store: primary.urlOf('postgres'), readStore: standby.urlOf('postgres') };
}

/** Runs a command with the standby. */
function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { store, readStore } = addresses();
  return runProgram(store, words, '', { PETSTORE_READ_STORE: readStore, ...environment });
}

describe.skipIf(!canStart())('a shop with a read store', () => {
  beforeAll(async () => {
    await ensureBuilt();
    primary = await startPostgres(false, ['synchronous_commit=local']);
    await prepare(primary.urlOf('postgres'), ['init', '--sample']);
    standby = await startStandby(primary);
    await standby.caughtUp();
  });
  afterAll(async () => {
    await standby?.stop();
    await primary?.stop();
  });

  test('a command reads the standby when it has everything that was committed before, else the primary', async () => {
    const { store, readStore } = addresses();
    const where = readStore.replace(/:[^:@]*@/, '@');
    const status = await run(['status']);
    expect(status.stdout).toContain(`store\t${store.replace(/:[^:@]*@/, '@')}\nread store\t${where}, up to date\n`);
    expect(JSON.parse((await run(['status', '--json'])).stdout)).toMatchObject({ readStore: { where, state: 'used', lagEntries: 0, lagMs: 0 } });
    const before = await on(standby, "SELECT CAST(sum(xact_commit) AS INT) AS count FROM pg_stat_database WHERE datname = 'postgres'");
    for (let turn = 0; turn < 3; turn += 1) expect((await run(['pet', 'list', '--format', 'count'])).stdout).toBe('36\n');
    // Figures of a session are reported after a second at the latest, and when it ends.
    await expect
      .poll(async () => on(standby, "SELECT CAST(sum(xact_commit) AS INT) AS count FROM pg_stat_database WHERE datname = 'postgres'"))
      .toEqual([{ count: expect.toSatisfy((count: number) => count >= Number(before[0]?.['count']) + 6) }]);
    await pause();
    try {
      await prepare(store, ['category', 'create', '--name', 'Newts']);
      expect((await run(['category', 'list', '--search', 'Newts', '--fields', 'name', '--format', 'tsv'])).stdout).toBe('Newts\n');
      expect((await run(['status'])).stdout).toMatch(/read store\t.*, 1 entry behind \(\d[\d,]* ms\)/);
      // A change reads the primary.
      expect(await run(['category', 'edit', 'Newts', '--description', 'wet'])).toMatchObject({ exitCode: 0 });
    } finally {
      await resume();
    }
  });

  test('without the standby commands go on, and say so in the status', async () => {
    const { store } = addresses();
    const away = 'postgres://petstore@127.0.0.1:1/postgres';
    const status = await runProgram(store, ['status', '--read-store', away]);
    expect(status).toMatchObject({ exitCode: 0, stderr: '' });
    expect(status.stdout).toContain(`read store\t${away}, unreachable (ECONNREFUSED): the primary is read\n`);
    const stranger = await runProgram(store, ['status', '--read-store', store]);
    expect(stranger.stdout).toMatch(/, not used \(127\.0\.0\.1:\d+ is not a standby\): the primary is read\n/);
    expect(stranger.stdout).not.toMatch(/sesame/);
  });

  test('a server reads the standby, a client sees its own changes, and a token that was revoked is refused at once', async () => {
    const { store, readStore } = addresses();
    const till = (await runProgram(store, ['token', 'create', 'till', '--scope', 'admin', '--format', 'json'])).stdout;
    const board = (await runProgram(store, ['token', 'create', 'board', '--scope', 'admin', '--format', 'json'])).stdout;
    const headersOf = (made: string) => ({ headers: { authorization: `Bearer ${(JSON.parse(made) as { readonly token: string }).token}` } });
    const [first, second] = [headersOf(till), headersOf(board)];
    const { address, child, ended } = await startServer(store, '--read-store', readStore, '--auth', 'required');
    const scrape = async (name: string): Promise<number> => {
      const { text } = await ask(address, 'GET', '/metrics', second);
      return Number(
        text
          .split('\n')
          .find((one) => one.startsWith(`${name} `))
          ?.slice(name.length + 1),
      );
    };
    const fromStandby = () => scrape('petstore_reads_total{from="standby"}');
    expect((await ask(address, 'GET', '/pets/1/details', first)).status).toBe(200);
    expect((await ask(address, 'GET', '/store/summary', first)).status).toBe(200);
    expect([await fromStandby(), await scrape('petstore_read_store_used'), await scrape('petstore_read_store_lag_seconds')]).toEqual([2, 1, 0]);
    const summary = async (sent: typeof first) => (await ask(address, 'GET', '/store/summary', sent)).json<{ readonly categories: number }>().categories;
    const before = await summary(second);
    await pause();
    try {
      const made = await ask(address, 'POST', '/categories', { ...first, body: { name: 'Snails' } });
      const path = `/categories/${made.json<{ readonly id: number }>().id}`;
      expect((await ask(address, 'GET', path, first)).status).toBe(200);
      // On a thread as well.
      expect([await summary(first), await summary(second)]).toEqual([before + 1, before]);
      const { headers } = await ask(address, 'GET', path, first);
      const edited = await ask(address, 'PATCH', path, { headers: { ...first.headers, 'if-match': String(headers['etag']) }, body: { description: 'slow' } });
      expect(edited.status).toBe(200);
      expect((await ask(address, 'GET', path, first)).headers['etag']).toBe(edited.headers['etag']);
      // Another client finds it on the primary, because the standby has no such category.
      expect((await ask(address, 'GET', path, second)).status).toBe(200);
      await prepare(store, ['token', 'revoke', 'till', '--yes']);
      expect((await ask(address, 'GET', '/pets', first)).status).toBe(401);
    } finally {
      await resume();
    }
    await standby?.halt();
    expect((await ask(address, 'GET', '/pets', second)).status).toBe(200);
    expect((await ask(address, 'GET', '/readyz')).status).toBe(200);
    expect([await scrape('petstore_read_store_used'), await scrape('petstore_read_store_lag_seconds')]).toEqual([0, Number.NaN]);
    await standby?.start();
    await expect.poll(() => scrape('petstore_read_store_used'), { timeout: 20_000 }).toBe(1);
    child.kill('SIGTERM');
    const { stderr } = await ended;
    const states = stderr
      .split('\n')
      .filter((line) => line.includes('"read store"'))
      .map((line) => (JSON.parse(line) as { readonly state: string }).state);
    expect([states[0], states.includes('unreachable'), states.at(-1)]).toEqual(['used', true, 'used']);
    expect(stderr).not.toMatch(/sesame/);
  });
});
