import fc from 'fast-check';
import { expect } from 'vitest';
import { runAll, testWithoutShop, done, testInShop, lines, type CliFixture } from '../support/cli.js';
import { runsAllStores, seed } from '../support/seeded-random.js';

/** The formats that exports write and imports read. */
const files = ['csv', 'tsv', 'json', 'ndjson'] as const;
const exportsOf = ['pet export', 'inventory export', 'order export'];

/** The pets of a shop without their ids. */
async function pets({ petstore }: CliFixture, environment: Readonly<Record<string, string>> = {}): Promise<unknown> {
  return JSON.parse((await petstore('pet export --json name,category,status,quantity,codes', { environment })).stdout);
}

let shops = 0;

/** Exports the pets of a shop in a format, imports the file into a new shop and returns its pets. */
async function exportedAndImported({ petstore, path, file }: CliFixture, format: string): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await petstore(`pet export --format ${format}`);
  const environment = { PETSTORE_STORE: path(`moved-${(shops += 1)}.db`) };
  await petstore('init', { environment });
  const name = file(`pets.${format}`, stdout);
  const { exitCode, stderr } = await petstore(`pet import ${name} --create-categories`, { environment });
  expect([format, exitCode, stderr]).toEqual([format, 0, '']);
  return environment;
}

testInShop('a pet export can be imported with the same figures', async (cli) => {
  const { petstore } = cli;
  // All units of pet 1 are reserved and some of pet 2; pet 6 is out of stock and on hold, and pet 7 has a shortage.
  await runAll(cli, ['order place --pet 1', 'pet create --name Tim --category Dogs --status pending --quantity 0', 'pet create --name Pip --category Cats']);
  await runAll(cli, ['order place --pet 7', 'inventory set 7 0 --allow-shortage']);
  const before = await pets(cli);
  expect(before).toEqual([
    { name: 'Rex', category: 'Dogs', status: 'pending', quantity: 1 },
    { name: 'Bella', category: 'Dogs', status: 'available', quantity: 5 },
    { name: 'Whiskers', category: 'Cats', status: 'sold', quantity: 0 },
    { name: 'Koi', category: 'Fish', status: 'available', quantity: 37 },
    { name: 'Luna', category: 'Cats', status: 'pending', quantity: 1 },
    { name: 'Tim', category: 'Dogs', status: 'pending', quantity: 0 },
    { name: 'Pip', category: 'Cats', status: 'pending', quantity: 0 },
  ]);
  const environment = await exportedAndImported(cli, 'csv');
  expect(await pets(cli, environment)).toEqual(before);
  // Orders are not exported; pets with reserved units are imported on hold.
  expect(await petstore('pet release 1', { environment })).toEqual(done('✓ Released pet 1 (Rex): available.\n'));
});

for (const format of files) {
  testInShop(`importing a stock export as ${format} changes nothing`, async ({ petstore, file }) => {
    const { stdout } = await petstore(`inventory export --format ${format}`);
    const day = file(`day.${format}`, stdout);
    expect((await petstore(`inventory diff ${day}`)).exitCode).toBe(0);
    expect(await petstore(`inventory import ${day}`)).toEqual(done('✓ 0 applied, 5 unchanged, 0 rejected   batch 1\n'));
  });
}

const tricky = fc.constantFrom('"', ',', ';', '\\', '\\t', "'", '=', '+', '-', '@', ' ', '#', '0', '7', 'é', '😀', 'a', 'A', 'name:', '\uFEFF', '\u00A0');
const name = fc
  .string({ unit: tricky, minLength: 1, maxLength: 8 })
  .map((text) => text.trim().normalize('NFC'))
  .filter((text) => text !== '');
const stock = fc.constantFrom({ status: 'sold' }, { status: 'pending', quantity: 0 }, { status: 'pending', quantity: 3 }, { quantity: 4 });
const shopContent = fc.array(fc.tuple(name, name, stock, fc.constantFrom(undefined, 'ring-N', '=N*20 N+N', 'Ä-N*5*1')), { minLength: 1, maxLength: 30 });

testWithoutShop('a pet export with any names can be imported from every format', async (cli) => {
  await fc.assert(
    fc.asyncProperty(shopContent, async (records) => {
      const environment = { PETSTORE_STORE: cli.path(`from-${(shops += 1)}.db`) };
      const here: CliFixture = {
        ...cli,
        petstore: (line, around) => cli.petstore(line, { ...around, environment: { ...environment, ...around?.environment } }),
      };
      await here.petstore('init');
      const stdin = lines(
        ...records.map(([pet, category, more, codes], index) =>
          JSON.stringify({ name: pet, category: `name:${category}`, ...more, codes: codes?.replaceAll('N', String(index)) }),
        ),
      );
      expect((await here.petstore('pet import - --create-categories --input-format ndjson', { stdin })).exitCode).toBe(0);
      const before = await pets(here);
      for (const format of files) expect([format, await pets(here, await exportedAndImported(here, format))]).toEqual([format, before]);
    }),
    { numRuns: runsAllStores ? 20 : 4, seed },
  );
});

testInShop('pet export prints the record of the contract with category and stock', async ({ petstore }) => {
  await petstore('category create --name 2026');
  await petstore(['pet', 'create', '--name', 'Tab\\t', '--category', 'name:2026']);
  expect(await petstore('pet export --category name:2026')).toEqual(done(lines('id,name,category,status,quantity,codes', '6,Tab\\t,name:2026,available,1,')));
  expect(await petstore('pet export --category name:2026 --format tsv')).toEqual(
    done(lines('id\tname\tcategory\tstatus\tquantity\tcodes', '6\tTab\\\\t\tname:2026\tavailable\t1\t')),
  );
  const record = '{"id":6,"name":"Tab\\\\t","categoryId":4,"status":"available","category":"name:2026","quantity":1}';
  expect(await petstore('pet export --category name:2026 --format ndjson')).toEqual(done(lines(record)));
  expect(await petstore('pet export --category name:2026 --json')).toEqual(done(lines('[', record, ']')));
});

testInShop('an export as TSV has a header; a list in a pipe has none', async ({ petstore }) => {
  expect(await petstore('pet export --format tsv --fields name,id -L 1')).toEqual(done('name\tid\nRex\t1\n'));
  expect(await petstore('order export --format tsv -L 1')).toMatchObject({ stdout: expect.stringMatching(/^id\tpetId\tpet\tquantity\tshipDate\tstate\n1\t/) });
  expect(await petstore('pet export --format tsv --status sold --category Fish')).toEqual(done('id\tname\tcategory\tstatus\tquantity\tcodes\n'));
  for (const line of ['pet list --format tsv', 'pet export --format tsv --no-header'])
    expect([line, await petstore(`${line} --fields name,id -L 1`)]).toEqual([line, done('Rex\t1\n')]);
});

for (const line of exportsOf) {
  testInShop(`${line} uses the format of the command line, not the configured one`, async (cli) => {
    const { petstore } = cli;
    const csv = await petstore(line);
    const ids = await petstore(`${line} --format ids`);
    for (const format of ['table', 'tsv', 'json', 'ids', 'count']) {
      expect([format, await petstore(line, { environment: { PETSTORE_FORMAT: format } })]).toEqual([format, csv]);
    }
    await petstore('config set format tsv');
    expect(await petstore(line, { terminal: 80 })).toEqual(csv);
    await runAll(cli, [`profile add north --store ${cli.store}`, 'config set format json']);
    expect(await petstore(`${line} -P north`)).toEqual(csv);
    expect(await petstore(`${line} --format ids`)).toEqual(ids);
    expect((await petstore(`${line} --json`)).stdout).toMatch(/^\[\n\{/);
  });
}

testInShop('--spreadsheet escapes formulas in every export, and pet import removes the escape', async (cli) => {
  const { petstore, path, file } = cli;
  const risky = 'x;=1+1;@y';
  await runAll(cli, [`category create --name "'=c"`, `pet create --name ${risky} --category "'=c"`, `order place --pet 6`]);
  const lineOf = async (line: string, environment = {}) => (await petstore(line, { environment })).stdout.split('\n').at(-2);
  expect(await lineOf('pet export --spreadsheet')).toBe(`6,x;'=1+1;'@y,''=c,pending,1,,yes`);
  expect(await lineOf('pet export')).toBe(`6,${risky},'=c,pending,1,`);
  expect(await lineOf('inventory export --spreadsheet')).toBe(`6,x;'=1+1;'@y,''=c,pending,1,1,1`);
  expect(await lineOf('order export --spreadsheet')).toMatch(/^5,6,x;'=1\+1;'@y,1,/);
  expect(await lineOf('pet export --spreadsheet --format tsv')).toBe(`6\t${risky}\t'=c\tpending\t1\t`);
  const exports = { guarded: (await petstore('pet export --spreadsheet')).stdout, exact: (await petstore('pet export')).stdout };
  for (const [kind, content] of Object.entries(exports)) {
    const environment = { PETSTORE_STORE: path(`${kind}.db`) };
    await petstore('init', { environment });
    const ran = await petstore(`pet import ${file(`${kind}.csv`, content)} --create-categories --no-input`, { environment });
    expect([kind, ran.exitCode, ran.stderr.includes('guarded')]).toEqual([kind, 0, false]);
    expect(await lineOf('pet export', environment)).toBe(`6,${risky},'=c,pending,1,`);
  }
});

testInShop('removes the formula escape only in rows that are marked', async ({ petstore, file }) => {
  const content = "name,category,guarded\n'=1,Dogs,yes\n'=2,Dogs,\n";
  expect((await petstore(`pet import ${file('some.csv', content)}`)).exitCode).toBe(0);
  expect((await petstore(`pet import ${file('none.csv', "name,category\n'=3,Dogs\n")}`)).exitCode).toBe(0);
  expect((await petstore('pet list --search = --fields name')).stdout).toBe("=1\n'=2\n'=3\n");
});

testInShop('--header and --no-header apply to records, reports and the log as well', async ({ petstore }) => {
  const rows = async (line: string): Promise<number> => (await petstore(line)).stdout.split('\n').length;
  for (const line of ['report stock', 'pet view 1 2', 'log --kind opening', 'status', 'category list']) {
    expect([line, await rows(`${line} --format tsv --header`)]).toEqual([line, (await rows(`${line} --format tsv`)) + 1]);
    expect([line, await rows(`${line} --format csv --no-header`)]).toEqual([line, (await rows(`${line} --format csv`)) - 1]);
    expect((await petstore(`${line} --format json --no-header`)).stdout).toBe((await petstore(`${line} --format json`)).stdout);
  }
});

testInShop('--spreadsheet escapes formulas in every list and report too', async ({ petstore, sql }) => {
  sql("UPDATE pets SET name = '=1+1' WHERE id = 4");
  sql("UPDATE categories SET name = '@c' WHERE id = 1");
  for (const [line, guarded] of [
    ['pet list', "'=1+1"],
    ['inventory list', "'=1+1"],
    ['category list', "'@c"],
    ['order list', "'=1+1"],
    ['report movements --by pet', "'=1+1"],
    ['report stock', "'@c"],
  ] as const) {
    const plain = (await petstore(`${line} --format csv`)).stdout;
    const { stdout } = await petstore(`${line} --format csv --spreadsheet`);
    expect([line, stdout.includes(guarded), plain.includes(guarded), stdout.replaceAll(/'(?=[=@])/g, '')]).toEqual([line, true, false, plain]);
  }
  expect((await petstore('log --format csv --spreadsheet')).exitCode).toBe(0);
});

testInShop('refused rows are guarded for a spreadsheet, and imported as they were', async ({ petstore, read, file, path }) => {
  file('in.csv', 'petId,delta,note\n99,+1,=1+1\n98,-1,plain\n');
  expect((await petstore(`inventory import ${path('in.csv')} --keep-going --rejects ${path('bad.csv')}`)).exitCode).toBe(6);
  expect(read('bad.csv')).toBe(
    "petId,delta,note,guarded,_line,_code,_message\n99,+1,'=1+1,yes,2,unknown_pet,There is no pet 99.\n98,-1,plain,,3,unknown_pet,There is no pet 98.\n",
  );
  file('mended.csv', read('bad.csv').replaceAll(/^9[89],/gm, '4,'));
  expect((await petstore(`inventory import ${path('mended.csv')}`)).exitCode).toBe(0);
  expect((await petstore('log --kind adjust --fields delta,note --format csv')).stdout).toBe('delta,note\n1,=1+1\n-1,plain\n');
  file('marked.csv', "petId,delta,note,guarded\n99,+1,=1+1,\n98,+1,=2+2,yes\n97,-1,'=3+3,yes\n96,-1,plain,yes\n");
  await petstore(`inventory import ${path('marked.csv')} --keep-going --rejects ${path('bad.csv')}`);
  expect(read('bad.csv').replaceAll(/,\d,unknown_pet.*/g, '')).toBe(
    "petId,delta,note,guarded,_line,_code,_message\n99,+1,'=1+1,yes\n98,+1,'=2+2,yes\n97,-1,'=3+3,yes\n96,-1,plain,\n",
  );
});
