import { expect } from 'vitest';
import { runAll, done, testInShop, lines, refused } from '../support/cli.js';

testInShop('the entries of an undo have its note, and its file of counts can be applied again', async (cli) => {
  const { petstore } = cli;
  await runAll(cli, [`inventory import ${cli.file('count.csv', 'petId,quantity\n1,7\n3,4\n4,37\n')}`, 'inventory undo 1 --note "wrong file"']);
  expect(await petstore('log --kind undo --fields petId,delta,note --format tsv')).toEqual(done(lines('1\t-6\twrong file', '3\t-4\twrong file')));
  expect(await petstore('inventory batch list --fields id,state')).toEqual(done('1\tundone\n'));
  expect((await petstore(`inventory import ${cli.path('count.csv')} --dry-run`)).stdout).toBe('✓ 2 applied, 1 unchanged, 0 rejected\n');
});

testInShop('undo --entry reverses a ledger entry once', async (cli) => {
  const { petstore, expectUnchanged } = cli;
  await runAll(cli, ['inventory adjust 4 +5', 'inventory undo --entry 18']);
  expect(await petstore('log --pet 4 --kind undo --fields id,delta,quantityAfter,reverses')).toEqual(done('19\t-5\t37\t18\n'));
  await expectUnchanged(async () => {
    expect(await petstore('inventory undo --entry 18')).toEqual(refused(4, 'error: You cannot undo entry 18: it was already undone by entry 19.'));
    expect(await petstore('inventory undo --entry 4')).toEqual(
      refused(4, 'error: You cannot undo entry 4: it is opening; only count and adjust can be undone.'),
    );
    expect(await petstore('inventory undo --entry 999')).toEqual(refused(3, 'error: Ledger entry 999 was not found.'));
    expect(await petstore('inventory undo 999')).toEqual(refused(3, 'error: Batch 999 was not found.'));
  });
});

testInShop('undo needs a batch or --entry, but not both', async (cli) => {
  const asked = refused(2, 'error: Give the id of a batch, or a ledger entry with --entry.', 'hint: petstore inventory batch list');
  await cli.expectUnchanged(async () => {
    expect(await cli.petstore('inventory undo')).toEqual(asked);
    expect(await cli.petstore('inventory undo 1 --entry 4')).toEqual(asked);
    expect((await cli.petstore('inventory undo x')).exitCode).toBe(2);
    expect((await cli.petstore('inventory undo --entry 1e3')).exitCode).toBe(2);
  });
});

testInShop('undo refuses pet imports and refused imports', async (cli) => {
  await cli.petstore('pet import -', { stdin: 'name,category\nMax,Dogs\n' });
  await cli.petstore('inventory import -', { stdin: 'petId,quantity\n99,1\n' });
  const pets = await cli.petstore('inventory undo 1');
  const line = 'petstore log --batch 1 --kind opening --fields pet | petstore pet delete - --yes';
  expect(pets).toEqual(refused(4, 'error: Batch 1 created pets; delete them instead.', `hint: ${line}`));
  await cli.petstore('pet import -', { stdin: 'name,category\n,Dogs\n' });
  const noPets = await cli.petstore('inventory undo 3');
  expect(noPets).toEqual(refused(4, 'error: Batch 3 was refused and changed nothing.', 'hint: petstore inventory batch view 3'));
  const nothing = await cli.petstore('inventory undo 2');
  expect(nothing).toEqual(refused(4, 'error: Batch 2 was refused and changed nothing.', 'hint: petstore inventory batch view 2'));
});

testInShop('the pets of an import can be deleted by the command that undo suggests', async ({ petstore }) => {
  const names = Array.from({ length: 101 }, (_, index) => `Guppy ${index},Fish\n`);
  await petstore('pet import -', { stdin: `name,category\n${names.join('')}` });
  const { exitCode, stderr } = await petstore('inventory undo 1', { terminal: 200 });
  const [find = '', remove = ''] =
    /^error: .*\nhint: (.*)\n$/
      .exec(stderr)?.[1]
      ?.split(' | ')
      .map((line) => line.replace('petstore ', '')) ?? [];
  expect([exitCode, stderr]).toEqual([4, expect.not.stringContaining('Take back')]);
  const { stdout } = await petstore(find);
  expect((await petstore(remove, { stdin: stdout })).exitCode).toBe(0);
  expect((await petstore('pet list --format ids')).stdout).toBe(lines('1', '2', '3', '4', '5'));
});

testInShop('undo of more than a hundred rows needs a confirmation', async (cli) => {
  const { petstore } = cli;
  const pets = Array.from({ length: 101 }, (_, index) => `Guppy ${index},Fish,1\n`);
  await petstore('pet import -', { stdin: `name,category,quantity\n${pets.join('')}` });
  const counts = Array.from({ length: 101 }, (_, index) => `${index + 6},2\n`);
  await petstore('inventory import -', { stdin: `petId,quantity\n${counts.join('')}` });
  const hint = 'hint: Confirm with --yes, or preview with --dry-run.';
  expect(await petstore('inventory undo 2')).toEqual(refused(2, 'error: Undo 101 rows of batch 2? Confirmation required.', hint));
  expect((await petstore('inventory undo 2 --dry-run')).exitCode).toBe(0);
  expect(await petstore('inventory undo 2 --yes --key k')).toEqual(done('✓ Undid batch 2 (101 rows).\n'));
  // A repeated undo asks nothing, whether it is replayed or refused.
  expect((await petstore('inventory undo 2 --key k')).exitCode).toBe(0);
  expect((await petstore('inventory undo 2 --key other')).stderr).toMatch(/^error: Batch 2 was already undone\./);
  expect((await petstore('inventory undo 2')).stderr).toMatch(/^error: Batch 2 was already undone\./);
});

const exported = lines(
  'petId,name,category,status,reserved,expected,quantity',
  '1,Rex,Dogs,available,0,1,1',
  '2,Bella,Dogs,available,2,5,5',
  '3,Whiskers,Cats,sold,0,0,0',
  '4,Koi,Fish,available,0,37,37',
  '5,Luna,Cats,pending,0,1,1',
);

testInShop('importing an export that was not edited changes nothing', async ({ petstore }) => {
  expect(await petstore('inventory export')).toEqual(done(exported));
  expect(await petstore('inventory export --category Fish --format ndjson')).toEqual(
    done('{"petId":4,"name":"Koi","category":"Fish","status":"available","reserved":0,"expected":37,"quantity":37}\n'),
  );
  expect(await petstore('inventory import -', { stdin: exported })).toEqual(done('✓ 0 applied, 5 unchanged, 0 rejected   batch 1\n'));
});

testInShop('diff exits with 8, or with 0 without changes', async ({ petstore, file, expectUnchanged }) => {
  const edited = file('edited.csv', exported.replace('37,37', '37,12').replace('0,0,0', '0,0,4'));
  await expectUnchanged(async () => {
    expect((await petstore(`inventory diff ${edited}`)).exitCode).toBe(8);
    expect(JSON.parse((await petstore(`inventory diff ${edited} --json`)).stdout)).toMatchObject({ batch: null, dryRun: true, applied: 2, unchanged: 3 });
    expect((await petstore('inventory diff -', { stdin: exported })).exitCode).toBe(0);
    expect((await petstore('inventory diff -', { stdin: 'petId,quantity\n99,1\n' })).exitCode).toBe(6);
    expect((await petstore('inventory diff -', { stdin: 'petId,quantity\n2,1\n' })).exitCode).toBe(4);
    expect((await petstore('inventory diff')).exitCode).toBe(2);
  });
});

testInShop('diff prints the changes in every format, in the order of the file', async ({ petstore, sql, expectUnchanged }) => {
  sql('UPDATE pets SET name = ? WHERE id = 4', 'Koi, "old"');
  const stdin = lines('petId,delta', '4,-5', '1,+2', '4,-1');
  const said = lines('✓ 3 applied, 0 unchanged, 0 rejected', 'Dry run: nothing was changed.');
  const csv = lines('petId,name,before,after,change', '4,"Koi, ""old""",37,32,-5', '1,Rex,1,3,+2', '4,"Koi, ""old""",32,31,-1');
  const tsv = lines('4\tKoi, "old"\t37\t32\t-5', '1\tRex\t1\t3\t+2', '4\tKoi, "old"\t32\t31\t-1');
  const table = lines(
    'ID  Name        Before  After  Change',
    ' 1  Rex              1      3      +2',
    ' 4  Koi, "old"      37     32      -5',
    ' 4  Koi, "old"      32     31      -1',
    '✓ 3 applied, 0 unchanged, 0 rejected',
  );
  await expectUnchanged(async () => {
    for (const line of ['inventory diff -', 'inventory import - --dry-run']) {
      const exitCode = line.includes('diff') ? 8 : 0;
      for (const [format, stdout] of Object.entries({ tsv, csv, ids: lines('4', '1', '4'), count: '3\n' })) {
        expect([format, await petstore(`${line} --format ${format}`, { stdin })]).toEqual([format, { exitCode, stdout, stderr: said }]);
        expect((await petstore(`${line} --format ${format} --quiet`, { stdin })).stderr).toBe('');
      }
      expect(await petstore(`${line} --format table`, { stdin })).toEqual({ exitCode, stdout: table, stderr: 'Dry run: nothing was changed.\n' });
      expect((await petstore(line, { stdin })).stdout).toBe('✓ 3 applied, 0 unchanged, 0 rejected\n');
    }
  });
  // An import lists its changes; rows imported before change nothing.
  expect((await petstore('inventory import - --format csv', { stdin })).stdout).toBe(csv);
  const again = await petstore('inventory import - --format csv', { stdin });
  expect(again).toEqual(done('petId,name,before,after,change\n', expect.stringMatching(/^✓ Already applied/)));
});

testInShop('a list of changes contains what would be applied, and nothing when all is refused', async ({ petstore }) => {
  const stdin = lines('petId,quantity', '1,7', '99,1', '4,37', '3,x', '2,6');
  const none = await petstore('inventory diff - --format tsv', { stdin });
  expect([none.exitCode, none.stdout, none.stderr]).toEqual([6, '', expect.stringContaining(':3: unknown_pet There is no pet 99.\n')]);
  const kept = await petstore('inventory diff - --format tsv --keep-going', { stdin });
  expect([kept.exitCode, kept.stdout, kept.stderr]).toEqual([5, lines('1\tRex\t1\t7\t+6', '2\tBella\t5\t6\t+1'), expect.stringContaining('2 rejected')]);
  expect((await petstore('inventory diff - --format count', { stdin })).stdout).toBe('0\n');
  const same = await petstore('inventory diff - --format csv', { stdin: 'petId,quantity\n4,37\n' });
  expect([same.exitCode, same.stdout]).toEqual([0, 'petId,name,before,after,change\n']);
});

testInShop('sanitises names in a list of changes', async ({ petstore, file, sql }) => {
  sql('UPDATE pets SET name = ? WHERE id = 4', 'K\u001b[31moi');
  const count = file('count.csv', 'petId,quantity\n4,1\n');
  expect((await petstore(`inventory diff ${count} --format tsv`, { terminal: 80 })).stdout).not.toContain('\u001b');
  expect((await petstore(`inventory diff ${count} --format tsv`)).stdout).toContain('\u001b');
});

testInShop('--format ndjson prints every row, then the totals', async ({ petstore }) => {
  const { exitCode, stdout } = await petstore('inventory import - --keep-going --format ndjson', { stdin: 'petId,quantity\n1,7\n2,5\n99,1\n' });
  const told = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect([exitCode, told.slice(0, 3)]).toEqual([
    5,
    [
      { type: 'row', line: 2, petId: 1, outcome: 'applied', before: 1, after: 7 },
      { type: 'row', line: 3, petId: 2, outcome: 'unchanged', before: 5, after: 5 },
      { type: 'row', line: 4, petId: 99, outcome: 'rejected', code: 'unknown_pet', message: 'There is no pet 99.' },
    ],
  ]);
  expect(told.slice(3)).toMatchObject([{ type: 'summary', batch: 1, total: 3, applied: 1, unchanged: 1, rejected: 1 }]);
});
