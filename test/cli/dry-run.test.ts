import { groups } from '../../src/cli/command-groups.js';
import { all, done, inShop, type Desk, type Ran } from '../support/cli.js';
import { copyFileSync } from 'node:fs';
import { expect, test } from 'vitest';

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
  'inventory undo': ['inventory undo --entry 18', 'inventory undo 1'],
  'token revoke': ['token revoke till --yes'],
};

/** Commands whose dry run is held elsewhere, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  'token create': 'the real run prints a secret, see tokens',
  copy: 'writes to another shop, see copy',
  restore: 'keeps the shop as it was beside it, see restore',
  doctor: 'changes only a shop that is not sound, see doctor',
};

/** What must have happened before. */
const earlier: Readonly<Record<string, (desk: Desk) => Promise<void>>> = {
  'token revoke': (desk) => all(desk, ['token create till --scope store:read']),
  'inventory undo': (desk) => all(desk, ['inventory adjust 4 +5', `inventory import ${desk.file('earlier.csv', 'petId,quantity\n1,7\n3,1\n')}`]),
};

const files: Readonly<Record<string, string>> = {
  'pet import': 'name,category,quantity\nMax,Dogs,2\nMia,Birds,1\n',
  'inventory import': 'petId,quantity\n1,7\n2,1\n4,37\n',
};

/** The line to type, once its past and its file are there. */
async function prepared(desk: Desk, name: string, words: string): Promise<string> {
  await earlier[name]?.(desk);
  return words.replace('FILE', () => desk.file('rows.csv', files[name] ?? ''));
}

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
      const { dry, real } = await twice(desk, await prepared(desk, name, words));
      // Only a real import is kept as a batch that can be undone.
      const [said, shown] = [real.stdout.replace(/ {3}batch \d+( {3}undo: .*)?/, ''), dry.stderr.replace('Dry run: nothing was written.\n', '')];
      expect([real.exitCode === 0 || real.exitCode === 5, real.stdout === '']).toEqual([true, false]);
      expect({ ...dry, stderr: shown }).toEqual({ ...real, stdout: said });
      expect(dry.stderr.endsWith('Dry run: nothing was written.\n')).toBe(true);
    });
    inShop(`${words} --dry-run --json answers what the real run answers`, async (desk) => {
      const { dry, real } = await twice(desk, `${await prepared(desk, name, words)} --json`);
      const answer = JSON.parse(real.stdout) as Readonly<Record<string, unknown>>;
      expect(JSON.parse(dry.stdout)).toEqual(name in files ? { ...answer, batch: null, dryRun: true } : answer);
    });
    inShop(`${words} does change the shop`, async (desk) => {
      const line = await prepared(desk, name, words);
      const before = desk.everything();
      await desk.petstore(line);
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
  const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();
  const spoken = commands.filter(({ mutates }) => mutates).map(({ path }) => path.join(' '));
  expect([...Object.keys(changes), ...Object.keys(elsewhere)].toSorted()).toEqual(spoken.toSorted());
});
