import { expect } from 'vitest';
import { runAll, done, testInShop, testWithoutShop, lines, refused } from '../support/cli.js';

testInShop('an unknown category name suggests the nearest one', async (cli) => {
  const { petstore, expectUnchanged } = cli;
  const answers = (line: string) => expectUnchanged(() => petstore(line));
  expect(await answers('category view Dgos')).toEqual(
    refused(3, 'error: There is no category named "Dgos"; did you mean "Dogs"?', 'hint: petstore category list'),
  );
  expect(await answers('pet list --category fihs')).toEqual(
    refused(6, 'error: There is no category named "fihs"; did you mean "Fish"?', 'hint: petstore category list'),
  );
  expect(await answers('category view Xylophones')).toEqual(refused(3, 'error: There is no category named "Xylophones".', 'hint: petstore category list'));
});

testInShop('category list prints a table in a terminal and TSV in a pipe', async ({ petstore }) => {
  const table = lines('ID  Name  Pets  Description', ' 1  Dogs     2  All breeds', ' 2  Cats     2', ' 3  Fish     1');
  expect(await petstore('category list', { terminal: 80 })).toEqual(done(table));
  expect(await petstore('category list')).toEqual(done(lines('1\tDogs\t2\tAll breeds', '2\tCats\t2\t', '3\tFish\t1\t')));
  expect(await petstore('category list --search S --sort -name --format ids')).toEqual(done('3\n1\n2\n'));
});

testInShop('category view finds a category by id or by name in any case', async ({ petstore }) => {
  const record = lines('ID           1', 'Name         Dogs', 'Pets         2', 'Description  All breeds');
  expect(await petstore('category view Dogs', { terminal: 80 })).toEqual(done(record));
  expect(await petstore('category view 1', { terminal: 120 })).toEqual(done(record));
  expect(await petstore('category view dogs')).toEqual(done('1\tDogs\t2\tAll breeds\n'));
  expect(await petstore('category view Fish 2')).toEqual(done(lines('3\tFish\t1\t', '2\tCats\t2\t')));
  expect(await petstore('category view Dogs --json')).toEqual(done('{\n  "id": 1,\n  "name": "Dogs",\n  "description": "All breeds"\n}\n'));
});

testInShop('category create and edit print the stored values', async ({ petstore, expectUnchanged }) => {
  expect(await petstore('category create --name Birds --description "With wings"', { terminal: 80 })).toEqual(done('✓ Created category 4 (Birds).\n'));
  expect(await petstore('category create --name Newts --json')).toEqual(done('{\n  "id": 5,\n  "name": "Newts"\n}\n'));
  expect(await petstore('category create')).toEqual(refused(2, 'error: Which name?', 'hint: Add --name Dogs.'));
  expect(await petstore('category edit Birds --name Parrots')).toEqual(done('✓ Changed category 4 (Parrots).\n'));
  await expectUnchanged(async () => expect(await petstore('category edit 4 --name Parrots')).toEqual(done('✓ Unchanged: category 4 (Parrots).\n')));
  expect(await petstore('category view 4 --fields description')).toEqual(done('With wings\n'));
  await petstore('category edit 4 --description ""');
  expect(await petstore('category view 4 --json')).toEqual(done('{\n  "id": 4,\n  "name": "Parrots"\n}\n'));
});

testInShop('refuses to delete a category in use before any question', async ({ petstore, expectUnchanged }) => {
  const inUse = refused(4, 'error: Fish still has 1 pet.', 'hint: petstore pet list --category Fish');
  expect(await expectUnchanged(() => petstore('category delete Fish'))).toEqual(inUse);
  expect(await expectUnchanged(() => petstore('category delete 3 --dry-run'))).toEqual(inUse);
  await petstore('category create --name Birds');
  expect(await expectUnchanged(() => petstore('category delete Birds'))).toMatchObject({
    exitCode: 2,
    stderr: /Delete the category Birds\? Confirmation required/,
  });
});

testWithoutShop('the first pet of a shop without categories needs one, which the hint creates', async (cli) => {
  await runAll(cli, ['init']);
  expect(await cli.petstore('pet create --name Rex --category Dogs')).toEqual(
    refused(6, 'error: There is no category named "Dogs".', 'hint: petstore category create --name Dogs'),
  );
  await runAll(cli, ['category create --name Dogs', 'pet create --name Rex --category Dogs']);
  expect(await cli.petstore('pet create --name Max --category Cats')).toEqual(
    refused(6, 'error: There is no category named "Cats".', 'hint: petstore category list'),
  );
});

testInShop('deletes a category in use only with --move-to', async ({ petstore, expectUnchanged }) => {
  await expectUnchanged(async () => {
    expect(await petstore('category delete Fish -y')).toEqual(refused(4, 'error: Fish still has 1 pet.', 'hint: petstore pet list --category Fish'));
    expect(await petstore('category delete Fish -y --move-to Nope')).toEqual(
      refused(6, 'error: There is no category named "Nope".', 'hint: petstore category list'),
    );
    expect(await petstore('category delete Fish -y --move-to Fish')).toEqual(
      refused(6, 'error: --move-to: Fish is the category to delete.', 'hint: Give another category, or leave out --move-to.'),
    );
  });
  expect(await petstore('category delete Fish -y --move-to Dogs', { terminal: 80 })).toEqual(done('✓ Deleted category 3 (Fish).\n'));
  expect(await petstore('pet view 4')).toEqual(done('4\tKoi\tDogs\tavailable\t37\n'));
  await petstore('category create --name Birds');
  expect(await petstore('category delete Birds --yes --json')).toEqual(done('{\n  "id": 4,\n  "name": "Birds"\n}\n'));
  expect(await petstore('category list --format ids')).toEqual(done('1\n2\n'));
});
