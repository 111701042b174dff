import { expect } from 'vitest';
import { done, testInShop, lines, wordsOf } from '../support/cli.js';

testInShop('pet import creates pets with their stock', async ({ petstore, file }) => {
  const pets = file('pets.csv', lines('name,category,status,quantity', 'Max,Dogs,,', 'Mia,2,sold,', 'Guppy,fish,available,20', 'Tim,name:Cats,pending,1'));
  expect(await petstore(`pet import ${pets}`)).toEqual(
    done('✓ 4 applied, 0 unchanged, 0 rejected   batch 1\n', 'Line 4: The category "fish" was read as "Fish".\n'),
  );
  expect(await petstore('pet view 6 7 8 9')).toEqual(
    done(lines('6\tMax\tDogs\tavailable\t1', '7\tMia\tCats\tsold\t0', '8\tGuppy\tFish\tavailable\t20', '9\tTim\tCats\tpending\t1')),
  );
  expect(await petstore('log --batch 1 --pet 8 --fields source,kind,delta,line')).toEqual(done('import\topening\t20\t4\n'));
});

testInShop('reports every invalid row and creates nothing', async ({ petstore, file }) => {
  const rows = ['Max,Dogs,,', ',Dogs,,', 'Mia,Nope,,', 'Tom,Cats,Sold,', 'Tim,Cats,sold,4', 'Pip,Cats,,1e3', 'Lu,Cats', 'Bob,,,', 'Ann,99,,', 'Lea,Nope,,'];
  const bad = file('bad.csv', lines('name,category,status,quantity', ...rows));
  const { exitCode, stdout, stderr } = await petstore(`pet import ${bad}`);
  expect([exitCode, stdout]).toEqual([6, '✗ Nothing was imported: 9 rows are wrong.\n']);
  expect(stderr).toBe(
    lines(
      `${bad}:3: validation_failed name "" must not be blank.`,
      `${bad}:4: unknown_category "Nope" is not a category; create it first, or use --create-categories. 2 rows name it.`,
      `${bad}:5: validation_failed status "Sold" must be available, pending or sold.`,
      `${bad}:6: validation_failed quantity: a pet created as sold has none on hand, not 4.`,
      `${bad}:7: invalid_quantity "1e3" is not a whole number.`,
      `${bad}:8: malformed_row The row has 2 cells, the header has 4.`,
      `${bad}:9: validation_failed category "" must not be blank.`,
      `${bad}:10: unknown_category "99" is not the id of a category.`,
      '1 row is valid; use --keep-going to import it.',
    ),
  );
  expect((await petstore('pet list --format count')).stdout).toBe('5\n');
});

testInShop('--create-categories creates each missing category once', async ({ petstore }) => {
  const stdin = lines('name,category', 'Max,Birds', 'Mia,birds', 'Rex,dogs', 'Tom,Newts');
  expect((await petstore('pet import -', { stdin })).exitCode).toBe(6);
  expect(await petstore('pet import - --create-categories', { stdin })).toEqual(
    done(
      '✓ 4 applied, 0 unchanged, 0 rejected   batch 2\n',
      'Line 3: The category "birds" was read as "Birds".\nLine 4: The category "dogs" was read as "Dogs".\n',
    ),
  );
  expect(await petstore('category list --fields name,pets')).toEqual(done(lines('Dogs\t3', 'Cats\t2', 'Fish\t1', 'Birds\t2', 'Newts\t1')));
});

testInShop('--map maps column names, and unknown columns are reported once', async ({ petstore, file }) => {
  const theirs = file('shelter.csv', lines("Animal's Name,Primary Breed,Colour,Chip", 'Max,Dogs,red,1', 'Mia,Cats,blue,2'));
  const line = [...wordsOf(`pet import ${theirs}`), '--map', "Animal's Name=name", '--map', 'Primary Breed=category'];
  expect(await petstore(line)).toEqual(done('✓ 2 applied, 0 unchanged, 0 rejected   batch 1\n', 'Ignored: Colour, Chip.\n'));
  expect(await petstore([...line, '--quiet', '--key', 'k'])).toEqual(done('✓ 2 applied, 0 unchanged, 0 rejected   batch 2\n'));
  const coded = file('coded.csv', lines('name,category,Colour,code', 'Rex,Dogs,red,4006381333931'));
  const ignored = 'Ignored: Colour, code. To read code, add --map "code=codes".\n';
  expect((await petstore(`pet import ${coded} --dry-run`)).stderr).toBe(`${ignored}Dry run: nothing was changed.\n`);
  const wrong = await petstore(`pet import ${theirs}`);
  expect([wrong.exitCode, wrong.stdout]).toEqual([6, '']);
  expect(wrong.stderr).toBe(
    lines(
      `error: ${theirs} has no column "name"; its header (line 1) has "Animal's Name", "Primary Breed", "Colour" and "Chip".`,
      `hint: To read another column, add --map "Animal's Name=name".`,
    ),
  );
});

const mixed = lines('name,category,quantity', 'Max,Dogs,2', ',Dogs,1', 'Guppy,Fish,20');
const badRow = '3,,,rejected,validation_failed,"name """" must not be blank."';

testInShop('--format ndjson prints the result of each row, then the report', async ({ petstore }) => {
  const { exitCode, stdout } = await petstore('pet import - --keep-going --format ndjson', { stdin: mixed });
  expect(exitCode).toBe(5);
  const records = stdout.trimEnd().split('\n');
  expect(records.map((line) => JSON.parse(line) as unknown)).toEqual([
    { type: 'row', line: 2, petId: 6, name: 'Max', outcome: 'applied' },
    { type: 'row', line: 3, outcome: 'rejected', code: 'validation_failed', message: 'name "" must not be blank.' },
    { type: 'row', line: 4, petId: 7, name: 'Guppy', outcome: 'applied' },
    expect.objectContaining({ type: 'summary', batch: 1, applied: 2, rejected: 1 }),
  ]);
  expect((await petstore('pet view 6 7')).stdout).toBe(lines('6\tMax\tDogs\tavailable\t2', '7\tGuppy\tFish\tavailable\t20'));
});

testInShop('--format csv, tsv, ids and count print rows to standard output and the summary to standard error', async ({ petstore }) => {
  const refusal = 'standard input:3: validation_failed name "" must not be blank.';
  const inDryRun = lines(refusal, '✓ 2 applied, 0 unchanged, 1 rejected', 'Dry run: nothing was changed.');
  const tried = (format: string): Promise<unknown> => petstore(`pet import - --keep-going --dry-run --format ${format}`, { stdin: mixed });
  const csv = lines('line,petId,name,outcome,code,message', '2,6,Max,applied,,', badRow, '4,7,Guppy,applied,,');
  expect(await tried('csv')).toEqual({ exitCode: 5, stdout: csv, stderr: inDryRun });
  const tsv = lines('2\t6\tMax\tapplied\t\t', '3\t\t\trejected\tvalidation_failed\tname "" must not be blank.', '4\t7\tGuppy\tapplied\t\t');
  expect(await tried('tsv')).toEqual({ exitCode: 5, stdout: tsv, stderr: inDryRun });
  expect(await tried('count')).toEqual({ exitCode: 5, stdout: '2\n', stderr: inDryRun });
  const applied = lines(refusal, '✓ 2 applied, 0 unchanged, 1 rejected   batch 1');
  expect(await petstore('pet import - --keep-going --format ids', { stdin: mixed })).toEqual({ exitCode: 5, stdout: '6\n7\n', stderr: applied });
});

testInShop('repeating a partly imported file reports the rows that were imported before', async ({ petstore, file }) => {
  const pets = file('pets.csv', lines('name,category', 'Max,Dogs', 'Mia,Birds', 'Tom,Cats'));
  await petstore(`pet import ${pets} --keep-going`);
  await petstore('category create --name Birds');
  expect((await petstore(`pet import ${pets} --keep-going --format tsv`)).stdout).toBe(
    lines('2\t\tMax\talready_applied\t\t', '3\t8\tMia\tapplied\t\t', '4\t\tTom\talready_applied\t\t'),
  );
  expect((await petstore('pet view 8 --fields name')).stdout).toBe('Mia\n');
  expect((await petstore(`pet import ${pets} --keep-going --format ids`)).stdout).toBe('');
});

testInShop('a refused import prints only the refused rows', async ({ petstore }) => {
  const { exitCode, stdout } = await petstore('pet import - --format csv', { stdin: mixed });
  expect([exitCode, stdout]).toEqual([6, lines('line,petId,name,outcome,code,message', badRow)]);
});

testInShop('reports a missing field as missing, and a field of another type not as blank', async ({ petstore }) => {
  const records = [{ name: 'Max', category: '' }, { name: 'Mia' }, { category: 'Cats' }, { name: 7, category: 'Cats' }, { name: 'Tom', category: true }];
  const told = [
    'standard input:1: validation_failed category "" must not be blank.',
    'standard input:2: validation_failed category is missing.',
    'standard input:3: validation_failed name is missing.',
    'standard input:4: validation_failed name "7" must be a text.',
    'standard input:5: validation_failed category "true" must be an id or a name.',
  ];
  const ndjson = lines(...records.map((record) => JSON.stringify(record)));
  expect((await petstore('pet import -', { stdin: ndjson })).stderr).toBe(lines(...told));
  const array = `[${records.map((record) => JSON.stringify(record)).join(',\n')}]`;
  expect((await petstore('pet import -', { stdin: array })).stderr).toBe(lines(...told));
  const { errors } = JSON.parse((await petstore('pet import - --json', { stdin: ndjson })).stdout) as { readonly errors: readonly unknown[] };
  expect(errors[1]).toEqual({ line: 2, column: 'category', code: 'validation_failed', message: 'category is missing.' });
  const { errors: kept } = JSON.parse((await petstore('inventory batch view 1 --json')).stdout) as { readonly errors: readonly unknown[] };
  expect(kept).toEqual(errors);
});
