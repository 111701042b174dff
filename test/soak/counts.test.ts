import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openEmptyShop } from '../support/empty-shop-file.js';
import { memoryFolder } from '../support/memory-folder.js';
import { closeOutcome, countOrClose, countOutcome, prepareCount } from '../support/count-program.js';
import { storeProblems } from '../support/inspect-store.js';
import { inspectStore, killRepeatedly, type KillTarget, type Workspace } from '../support/kill-points.js';
import { addressOf, asAdmin, freshDatabase } from '../support/postgres.js';
import { bundle } from '../support/processes.js';
import { isFullSize, seed, seededRandom } from '../support/seeded-random.js';
import { startServer } from '../support/server-process.js';
import type { Events } from '../support/simulated-shelf/people.js';
import { shopProcessSource, startShopProcess } from '../support/simulated-shelf/shop-process.js';
import { takeStock, type Amounts, type Staff } from '../support/simulated-shelf/stocktaking.js';

const seeds = isFullSize ? 100 : 1;
/** Shops at the same time, because their processes wait for each other most of the time. */
const together = 3;
const amounts: Amounts = isFullSize ? { pets: 200, sales: 500, files: 3, kills: 2 } : { pets: 20, sales: 50, files: 1, kills: 1 };

const folder = mkdtempSync(join(memoryFolder, 'petstore-counts-'));
let [script, killed] = ['', ''];

beforeAll(async () => {
  script = await bundle(folder, shopProcessSource, undefined, 'shop-process');
  const source = `import { ${countOrClose.name} } from './count-program.js'; void ${countOrClose.name}(process.argv.slice(2));`;
  killed = await bundle(folder, source, undefined, 'killed');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A new shop: its file or database, and the address at which people use it. */
interface Home {
  readonly store: string;
  readonly address: string;
  /** Kills the server that people use, and starts another one at its address. */
  readonly killServer?: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

async function file(name: string): Promise<Home> {
  const store = join(folder, `${name}.db`);
  await (await openEmptyShop(store, 5)).close();
  return { store, address: store, remove: async () => ['', '-wal', '-shm'].forEach((ending) => rmSync(`${store}${ending}`, { force: true })) };
}

const homes: Readonly<Record<string, (name: string) => Promise<Home>>> = {
  SQLite: file,
  PostgreSQL: async () => {
    const { address, drop } = await freshDatabase();
    return { store: address, address, remove: drop };
  },
  'a server': async (name) => {
    const { store, remove } = await file(name);
    let server = await startServer(store);
    const { address, port } = server;
    return {
      store,
      address,
      killServer: async () => {
        server.child.kill('SIGKILL');
        await server.ended;
        server = await startServer(store, '--port', String(port));
      },
      remove: async () => {
        server.child.kill('SIGTERM');
        expect((await server.ended).exitCode).toBe(0);
        await remove();
      },
    };
  },
};

const names = ['ana', 'ben', 'till', 'office'] as const;

/** Runs one stocktaking in a new shop; returns what is wrong. */
async function stocktaking(home: (name: string) => Promise<Home>, from: number, events: Events): Promise<readonly string[]> {
  const { store, address, killServer, remove } = await home(`seed-${from}`);
  const people = names.map((name) => [name, startShopProcess(script, async () => address, name)] as const);
  const wrong = await takeStock({ ...(Object.fromEntries(people) as unknown as Staff), killServer }, amounts, seededRandom(from), events);
  for (const [, person] of people) await person.stop();
  const problems = await storeProblems(store);
  await remove();
  return [...wrong, ...problems];
}

for (const [name, home] of Object.entries(homes)) {
  test.skipIf(name === 'PostgreSQL' && addressOf('') === undefined)(
    `two people count, a till sells and files are imported: after the close the records have what is on the shelf (${name})`,
    { timeout: 3_600_000 },
    async () => {
      const events: Events = new Map();
      const wrong: string[] = [];
      const began = performance.now();
      let next = seed;
      const run = async (): Promise<void> => {
        for (let from = next++; from < seed + seeds; from = next++) wrong.push(...(await stocktaking(home, from, events)).map((one) => `seed ${from}: ${one}`));
      };
      await Promise.all(Array.from({ length: Math.min(seeds, together) }, run));
      const seconds = (performance.now() - began) / 1000;
      const figures = [...events].toSorted().map(([what, times]) => `${times} ${what}`);
      console.log(`${name}: ${seeds} seeds in ${seconds.toFixed(0)} s from seed ${seed}: ${figures.join(', ')}`);
      expect(wrong).toEqual([]);
    },
  );
}

const kills = isFullSize ? 60 : 2;
const countedPets = isFullSize ? 2000 : 100;

/** Creates workspaces with copies of a shop whose count is open. */
type Workspaces = (isCounted: boolean) => Promise<() => Promise<Workspace>>;

let workspaces = 0;

const filesOf: Workspaces = async (isCounted) => {
  const template = join(folder, `template-${isCounted}.db`);
  await (await openEmptyShop(template, 5)).close();
  await prepareCount(template, countedPets, isCounted);
  return async () => {
    const directory = mkdtempSync(join(folder, 'workspace-'));
    const store = join(directory, 'shop.db');
    copyFileSync(template, store);
    return { folder: directory, store, remove: async () => rmSync(directory, { recursive: true }) };
  };
};

const databasesOf: Workspaces = async (isCounted) => {
  const template = await freshDatabase();
  onTestFinished(template.drop);
  await prepareCount(template.address, countedPets, isCounted);
  const isBusy = async (name: string) => (await asAdmin(`SELECT 1 FROM pg_stat_activity WHERE datname = '${name}'`)).length > 0;
  const waitUntilIdle = async (name: string): Promise<void> => {
    while (await isBusy(name)) await sleep(5);
  };
  return async () => {
    const directory = mkdtempSync(join(folder, 'workspace-'));
    const name = `${template.name}_${(workspaces += 1)}`;
    await waitUntilIdle(template.name);
    await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template.name}`);
    const remove = async (): Promise<void> => {
      await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
      rmSync(directory, { recursive: true });
    };
    return { folder: directory, store: addressOf(name) ?? '', waitUntilIdle: () => waitUntilIdle(name), remove };
  };
};

const engines: Readonly<Record<string, Workspaces>> = { SQLite: filesOf, PostgreSQL: databasesOf };

for (const [name, create] of Object.entries(engines)) {
  for (const what of ['count', 'close'] as const) {
    const title = what === 'count' ? 'a person who counts' : 'the close of a count';
    test.skipIf(name === 'PostgreSQL' && addressOf('') === undefined)(`${title}, killed at any moment (${name})`, { timeout: 1_800_000 }, async () => {
      const target: KillTarget = {
        prepare: await create(what === 'close'),
        args: ({ store }) => [killed, what, store, String(countedPets)],
        inspect: ({ store }, said) =>
          inspectStore(store, (shop) => (what === 'count' ? countOutcome(shop, countedPets, said) : closeOutcome(shop, countedPets))),
        repeatExitCode: 0,
      };
      const { problems, ...figures } = await killRepeatedly(target, kills, seededRandom(seed));
      console.log(`${title}, ${name}: ${JSON.stringify(figures)} (seed ${seed})`);
      expect(problems).toEqual([]);
      expect(figures.nothing).toBeGreaterThan(0);
      expect(figures.reruns).toBeGreaterThan(0);
    });
  }
}
