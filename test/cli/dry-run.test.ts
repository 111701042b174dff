import { copyFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { groups } from '../../src/cli/program.js';
import { done, inShop, type Desk, type Ran } from '../support/cli.js';

/** Every command that changes the shop, in words that do change it. */
const changes: Readonly<Record<string, readonly string[]>> = {
  'pet create': ['pet create --name Max --category Dogs --quantity 3'],
  'pet edit': ['pet edit 1 2 --name Max --category Cats --status pending'],
  'pet delete': ['pet delete 1 3 --yes'],
  'pet hold': ['pet hold 1 4'],
  'pet release': ['pet release 5'],
  'pet import': ['pet import FILE --create-categories'],
  'category create': ['category create --name Birds --description "With wings"'],
  'category edit': ['category edit Dogs --name Hounds --description ""'],
  'category delete': ['category delete Dogs --yes --move-to Cats'],
  'order place': ['order place --pet 4 --quantity 2', 'order place --pet 4 --complete', 'order place'],
  'order edit': ['order edit 1 3 --pet 4 --quantity 2 --ship-date 2027-01-01T00:00:00Z'],
  'order complete': ['order complete 1'],
  'order reopen': ['order reopen 2'],
  'order cancel': ['order cancel 1 3'],
  'inventory set': ['inventory set 4 12 --expect 37', 'inventory set 2 0 --allow-shortage'],
  'inventory adjust': ['inventory adjust 4 -7'],
  'inventory low-at': ['inventory low-at 4 50', 'inventory low-at --default 9'],
  'inventory import': ['inventory import FILE --allow-shortage', 'inventory import FILE --keep-going'],
};

const files: Readonly<Record<string, string>> = {
  'pet import': 'name,category,quantity\nMax,Dogs,2\nMia,Birds,1\n',
  'inventory import': 'petId,quantity\n1,7\n2,1\n4,37\n',
};

/** Both runs, each from the same start. */
async function twice({ petstore, store, path, unchanged }: Desk, line: string): Promise<{ readonly dry: Ran; readonly real: Ran }> {
  const dry = await unchanged(() => petstore(`${line} --dry-run`));
  copyFileSync(store, path('before.db'));
  const real = await petstore(line);
  copyFileSync(path('before.db'), store);
  return { dry, real };
}

for (const [name, lines] of Object.entries(changes)) {
  for (const words of lines) {
    inShop(`${words} --dry-run prints what the real run prints and writes nothing`, async (desk) => {
      const content = files[name];
      const line = content === undefined ? words : words.replace('FILE', desk.file('rows.csv', content));
      const { dry, real } = await twice(desk, line);
      // Only a real import is kept as a batch.
      const [said, shown] = [real.stdout.replace(/ {3}batch \d+( {3}undo: .*)?/, ''), dry.stderr.replace('Dry run: nothing was written.\n', '')];
      expect([real.exitCode === 0 || real.exitCode === 5, real.stdout === '']).toEqual([true, false]);
      expect({ ...dry, stderr: shown }).toEqual({ ...real, stdout: said });
      expect(dry.stderr.endsWith('Dry run: nothing was written.\n')).toBe(true);
    });
    inShop(`${words} --dry-run --json answers what the real run answers`, async (desk) => {
      const content = files[name];
      const line = content === undefined ? words : words.replace('FILE', desk.file('rows.csv', content));
      const { dry, real } = await twice(desk, `${line} --json`);
      const answer = JSON.parse(real.stdout) as Readonly<Record<string, unknown>>;
      expect(JSON.parse(dry.stdout)).toEqual(content === undefined ? answer : { ...answer, batch: null, dryRun: true });
    });
    inShop(`${words} does change the shop`, async (desk) => {
      const content = files[name];
      const before = desk.everything();
      await desk.petstore(content === undefined ? words : words.replace('FILE', desk.file('rows.csv', content)));
      expect(desk.everything()).not.toEqual(before);
    });
  }
}

inShop('-n is --dry-run, and a dry run needs no confirmation', async ({ petstore, unchanged }) => {
  await unchanged(async () => {
    expect(await petstore('pet delete 1 -n')).toEqual(done('✓ Pet 1 (Rex) is deleted.\n', 'Dry run: nothing was written.\n'));
    expect(await petstore('category delete Fish --move-to Dogs -n -q')).toEqual(done('✓ Category 3 (Fish) is deleted.\n'));
  });
});

inShop('a dry run is refused as the real run is', async (desk) => {
  for (const line of [
    'pet delete 4 --yes',
    'order place --pet 2 --quantity 9',
    'inventory set 2 1',
    'pet create --name A --category Nope',
    'order complete 3',
  ]) {
    const { dry, real } = await twice(desk, line);
    expect([line, dry]).toEqual([line, real]);
    expect(real.exitCode).not.toBe(0);
  }
});

inShop('a dry run does not use up its key', async (desk) => {
  await desk.petstore('inventory adjust 4 +1 --key k --dry-run');
  expect(await desk.petstore('inventory adjust 4 +1 --key k')).toEqual(done('✓ Pet 4 (Koi) has 38 on hand.\n'));
});

test('every command that changes the shop stands above', async () => {
  const setup = { version: '', open: () => Promise.reject(new Error('closed')), init: () => Promise.reject(new Error('closed')) };
  const all = (await Promise.all(groups.map(({ load }) => load(setup)))).flat();
  // An undo needs a batch or an entry to take back; test/operations/undo.test.ts holds its dry run.
  const spoken = all
    .filter(({ mutates }) => mutates)
    .map(({ words }) => words.split(/ [[<]/)[0])
    .filter((words) => words !== 'inventory undo');
  expect(Object.keys(changes).toSorted()).toEqual(spoken.toSorted());
});
