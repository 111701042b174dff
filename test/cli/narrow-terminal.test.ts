import { expect } from 'vitest';
import stringWidth from 'string-width';
import { done, testInShop, lines } from '../support/cli.js';

const narrow = 40;

/** Lists, their columns in a narrow terminal, and the omitted columns. */
const lists: readonly (readonly [line: string, shown: string, notShown: string])[] = [
  ['pet list', 'ID Name Status On hand', 'Category'],
  ['order list', 'ID Pet Quantity State', 'Ship date'],
  ['inventory list', 'ID Name On hand Available', 'Reserved, Status'],
  ['inventory list --low', 'ID Name On hand Low at Available', 'Reserved, Status'],
  ['log --pet 4', 'When By Kind Pet', 'ID, Order, Change, On hand'],
  ['report stock', 'Category Status On hand Available', 'Pets, Reserved, On hold'],
  ['report movements', 'Category Received Sold Closing', 'Opening, Returned, Written off, Counted'],
];

testInShop('lists omit columns in a narrow terminal and name them', async ({ petstore }) => {
  for (const [line, shown, notShown] of lists) {
    const { stdout, stderr } = await petstore(line, { terminal: narrow });
    const head = stdout.split('\n').find((row) => !/^(First entry to now|Stock by|Movements by)/.test(row));
    expect([line, head?.replaceAll(/ +/g, ' ').trim(), stderr.replaceAll('\n', ' ')]).toEqual([
      line,
      shown,
      `Not shown: ${notShown}; use a wider terminal or --fields. `,
    ]);
    for (const row of stdout.split('\n')) expect([row, stringWidth(row) <= narrow]).toEqual([row, true]);
    // A wide terminal shows all columns without a note.
    expect((await petstore(line, { terminal: 200 })).stderr).toBe('');
  }
});

testInShop('other formats omit no columns, and --quiet does not name omitted columns', async ({ petstore }) => {
  expect(await petstore('pet list -L 1 --quiet', { terminal: narrow })).toMatchObject({ stderr: '' });
  expect(await petstore('pet list -L 1 --format tsv', { terminal: narrow })).toEqual(done('1\tRex\tDogs\tavailable\t1\n'));
  expect(await petstore('pet list -L 1 --format csv', { terminal: narrow })).toEqual(done('id,name,category,status,quantity\n1,Rex,Dogs,available,1\n'));
});

testInShop('the columns of --fields are printed with headings, also when empty', async ({ petstore }) => {
  expect(await petstore('log --pet 1 -L 1 --fields id,order,note,quantityAfter', { terminal: narrow })).toEqual(
    done(lines('ID  Order  Note              On hand', '17      4  changed his mind')),
  );
  expect(await petstore('order list --open --fields note', { terminal: narrow })).toMatchObject({ exitCode: 2 });
});

testInShop('a single column is cut to the terminal', async ({ petstore, sql }) => {
  sql('UPDATE pets SET name = ? WHERE id = 1', 'Bartholomew the Third of the Upper Kennel');
  expect(await petstore('pet list -L 1 --fields name', { terminal: 16 })).toEqual(done(lines('Name', 'Bartholomew the…')));
});

testInShop('status wraps in a narrow terminal without cutting or omitting figures', async ({ petstore }) => {
  const wordsOf = (text: string): string => text.replaceAll(/\s/g, '');
  const { stdout } = await petstore('status', { terminal: 200 });
  for (const terminal of [narrow, 20]) {
    const seen = await petstore('status', { terminal });
    expect(seen).toMatchObject({ exitCode: 0, stderr: '' });
    // A figure name is cut below 30 columns, a value is never cut.
    if (terminal === narrow) expect(wordsOf(seen.stdout)).toBe(wordsOf(stdout));
    for (const row of seen.stdout.split('\n')) expect([row, stringWidth(row) <= terminal]).toEqual([row, true]);
  }
  expect((await petstore('status', { terminal: narrow })).stdout).toContain(lines('pets            3 available, 1 pending,', '                1 sold'));
});

testInShop('a name that is cut keeps its id, and a deleted pet its name', async ({ petstore, sql }) => {
  sql('UPDATE pets SET name = ? WHERE id = 4', 'Bartholomew the Third');
  const { stdout } = await petstore('log --pet 4 --kind sale --fields id,pet', { terminal: 22 });
  expect(stdout).toBe(lines('ID  Pet', '14  Bartholomew t… (4)'));
  await petstore('pet delete 5 --yes');
  expect((await petstore('log --pet 5 -L 1 --fields pet,kind', { terminal: 80 })).stdout).toBe(lines('Pet       Kind', 'Luna (5)  pet.archived'));
});

testInShop('log prints the names of categories', async ({ petstore }) => {
  await petstore('category create --name Birds');
  expect((await petstore('log --kind category.created -L 1 --fields category', { terminal: 80 })).stdout).toBe(lines('Category', 'Birds'));
  // Data formats keep the ids.
  expect((await petstore('log --kind category.created -L 1 --fields category,pet')).stdout).toBe('4\t\n');
});

/** Sentences of every kind, each longer than the terminal: a note, an error with advice, a change, a dry run, an import. */
const sentences: readonly (readonly [line: string, wrapped: readonly string[]])[] = [
  ['pet list --serach x', ['error: "--serach" is not a flag of', 'petstore pet list; did you mean', '"--search"?', 'hint: petstore pet list --help']],
  ['order cancel 1 --dry-run', ['Would cancel order 1: 2 × Bella (pet 2),', '3 → 5 available. Dry run: nothing was', 'changed.']],
  ['order cancel 1 --note "they found another dog"', ['✓ Cancelled order 1: 2 × Bella (pet 2),', '3 → 5 available.']],
];

testInShop('sentences are answered in lines that fit a narrow terminal', async ({ petstore }) => {
  for (const [line, wrapped] of sentences) {
    const { stdout, stderr } = await petstore(line, { terminal: narrow });
    expect([line, `${stdout}${stderr}`]).toEqual([line, lines(...wrapped)]);
  }
});
