import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openEmptyShop } from '../support/empty-shop-file.js';
import { memoryFolder } from '../support/memory-folder.js';
import { closeOutcome, countOrClose, countOutcome, prepareCount } from '../support/count-program.js';
import { inspectStore, killRepeatedly, type KillTarget, type Workspace } from '../support/kill-points.js';
import { addressOf, asAdmin, freshDatabase } from '../support/postgres.js';
import { bundle } from '../support/processes.js';
import { isFullSize, seed, seededRandom } from '../support/seeded-random.js';

const folder = mkdtempSync(join(memoryFolder, 'petstore-counts-'));
let killed = '';

beforeAll(async () => {
  const source = `import { ${countOrClose.name} } from './count-program.js'; void ${countOrClose.name}(process.argv.slice(2));`;
  killed = await bundle(folder, source, undefined, 'killed');
});
afterAll(() => rmSync(folder, { recursive: true }));

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
