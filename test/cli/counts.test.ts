import { expect } from 'vitest';
import { done, lines, refused, runAll, testInShop } from '../support/cli.js';

testInShop('count start counts a filter or some pets, and says what to do next', async (cli) => {
  const { petstore } = cli;
  expect(await petstore('count start --category Dogs --note shelf')).toEqual(done('✓ Started count 1 of 2 pets\n', 'Next: petstore count scan 1\n'));
  expect(await petstore('count start koi 5 5 --blind -q')).toEqual(done('✓ Started count 2 of 2 pets\n'));
  expect(await petstore('count list --fields id,state,startedBy,pets,counted,note,blind')).toEqual(
    done(lines('1\topen\tana\t2\t0\tshelf\tfalse', '2\topen\tana\t2\t0\t\ttrue')),
  );
  expect(await petstore('count start')).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('already') });
  expect(await petstore('count list --state closed')).toEqual(done(''));
});

testInShop('the count can be left out where one is open, and must be given where several are', async (cli) => {
  const { petstore } = cli;
  expect(await petstore('count add Rex 1')).toEqual(refused(3, 'error: No count is open.', 'hint: petstore count start'));
  await runAll(cli, ['count start 1 2']);
  expect(await petstore('count add Rex 1')).toEqual(done('✓ Counted 1 × Rex (pet 1), 1 expected\n'));
  expect(await petstore('count add 1 Rex +2')).toEqual(done('✓ Counted +2 × Rex (pet 1), 3 so far, 1 expected\n'));
  await runAll(cli, ['count start 4']);
  expect(await petstore('count add Rex 1')).toEqual(refused(2, 'error: Counts 1 and 2 are open; say which one.', 'hint: petstore count add 1 Rex 1'));
});

testInShop('a sale between two lines that add up is told with what to do', async (cli) => {
  const { petstore } = cli;
  await runAll(cli, ['count start 2', 'count add Bella 1', 'sell Bella']);
  expect(await petstore('count add 1 Bella +1')).toEqual(
    done(
      '✓ Counted +1 × Bella (pet 2), 2 so far, 4 expected\n',
      'The stock of Bella (pet 2) changed by -1 since the line before; if that was on a shelf counted before, count this pet again.\n',
    ),
  );
  expect(await petstore('count add 1 Bella 1')).toEqual(done('✓ Counted 1 × Bella (pet 2), 4 expected\n'));
});

testInShop('two numbers that can be a pet or a count are refused with the line to type', async (cli) => {
  const { petstore } = cli;
  await runAll(cli, ['count start 1 2']);
  expect(await petstore('count add 1 2')).toEqual(
    refused(2, 'error: "1 2" can be pet 1, or pet 2 of count 1; give the count too.', 'hint: petstore count add 1 1 2'),
  );
  expect(await petstore('count add 1 1 2')).toEqual(done('✓ Counted 2 × Rex (pet 1), 1 expected\n'));
});

testInShop('a number, a pet and a count are told apart from files, and refused with the reason', async (cli) => {
  const { petstore } = cli;
  await runAll(cli, ['count start 1 2']);
  for (const [line, exitCode, reason] of [
    ['count add', 2, 'Give a pet and how many, or a file.'],
    ['count add nothing.txt', 2, 'There is no file "nothing.txt".'],
    ['count add Rex many', 2, '"many" is not a whole number, such as 12 or +2.'],
    ['count add 9 -3', 2, '"-3" is not a whole number, such as 12 or +2.'],
    ['count add 9 2.5', 2, '"2.5" is not a whole number, such as 12 or +2.'],
    ['count add 9 99999999999', 2, '"99999999999" is above 9999, and more likely a code.'],
    ['count add 1 Rex -3', 2, '"-3" is not a whole number, such as 12 or +2.'],
    ['count add 1 Rex 99999999999', 2, '"99999999999" is above 9999, and more likely a code.'],
    ['count add 1 Rex 10000', 2, '10000 is above 9999, and more likely a code. Take it as units? Confirmation required.'],
    ['count add Rexx 3', 3, 'There is no pet named "Rexx"; did you mean "Rex"?'],
    ['count add Koi 3', 4, 'Koi (pet 4) is not in count 1.'],
    ['count add 99 3', 3, 'There is no pet 99.'],
    ['count add 9 Rex 3', 3, 'Count 9 was not found.'],
  ] as const) {
    const result = await petstore(line);
    expect([line, result.exitCode, result.stderr]).toEqual([line, exitCode, expect.stringContaining(reason)]);
  }
  expect((await petstore('count add 1 Rex 10000 --dry-run')).stderr).toContain('10000 is above 9999, and more likely a code.\n');
  expect((await petstore('count add 1 Rex 10000 --yes')).exitCode).toBe(0);
  expect(await petstore('count add Koi 3 --also')).toEqual(done('✓ Counted 3 × Koi (pet 4), 37 expected\n'));
});

testInShop('while a blind count is open, tables and sentences do not show what is expected, and afterwards they do', async (cli) => {
  const { petstore } = cli;
  await runAll(cli, ['count start --category Fish --category Dogs --blind']);
  expect(await petstore('count add Koi 30')).toEqual(done('✓ Counted 30 × Koi (pet 4)\n'));
  expect((await petstore('count view --state counted', { terminal: 80 })).stdout).toBe(
    lines('ID  Name  Category  Counted  By   When', ' 4  Koi   Fish           30  ana  today 09:00'),
  );
  expect((await petstore('count status', { terminal: 80 })).stdout).toBe(
    lines(
      'Count 1, blind: started on 2026-11-20 09:00 UTC by ana.',
      '1 of 3 pets counted.',
      '',
      'Category  Pets  Counted  Left',
      'Dogs         2        0     2',
      'Fish         1        1     0',
    ),
  );
  expect((await petstore('count list', { terminal: 80 })).stdout).toBe(
    lines('ID  State  Started      By   Pets  Counted  Agree  Differ', ' 1  open   today 09:00  ana     3        1'),
  );
  expect((await petstore('count cancel --no-input')).stderr).toContain('Cancel count 1 (1 of 3 pets counted)?');
  // Programs get every field, and --fields names what a person wants to see all the same.
  expect((await petstore('count view --state counted --format csv')).stdout).toContain('\n4,Koi,Fish,30,37,-7,');
  expect((await petstore('count view --state counted --fields name,expected', { terminal: 80 })).stdout).toBe(lines('Name  Expected', 'Koi         37'));
  await runAll(cli, ['count close']);
  expect((await petstore('count view 1 --state counted', { terminal: 80 })).stdout).toContain('Expected');
  expect((await petstore('count status 1', { terminal: 80 })).stdout).toContain('1 of 3 pets counted, 1 differs.');
});

testInShop('count status, view and list show figures at a terminal and in a pipe', async (cli) => {
  const { petstore } = cli;
  await runAll(cli, ['count start --note shelf', 'count add Koi 30', 'count add Bella 5 --actor ben']);
  expect(await petstore('count status --fields counted,category')).toEqual(done(lines('0\tCats', '1\tDogs', '1\tFish')));
  expect(JSON.parse((await petstore('count status --json')).stdout)).toMatchObject({ id: 1, state: 'open', counted: 2, categories: [{}, {}, {}] });
  expect(await petstore('count view --state counted', { terminal: 80 })).toEqual(
    done(
      lines(
        'ID  Name   Category  Counted  Expected  Difference  By   When',
        ' 2  Bella  Dogs            5         5           0  ben  today 09:00',
        ' 4  Koi    Fish           30        37          -7  ana  today 09:00',
      ),
    ),
  );
  expect((await petstore('count view --state not-counted --format ids')).stdout).toBe('1\n3\n5\n');
  expect((await petstore('count view --pet koi --fields counted,expected,difference')).stdout).toBe('30\t37\t-7\n');
});

testInShop('count undo undoes the last own line, or the one that is given', async (cli) => {
  const { petstore } = cli;
  await runAll(cli, ['count start', 'count add Koi 30', 'count add Koi +2', 'count add Rex 1 --actor ben']);
  expect(await petstore('count undo')).toEqual(done('✓ Undid line 2 by ana: +2 × Koi (pet 4), now 30 counted\n'));
  expect(await petstore('count undo 1 3')).toEqual(done('✓ Undid line 3 by ben: 1 × Rex (pet 1), now not counted\n'));
  expect(await petstore('count undo')).toEqual(done('✓ Undid line 1 by ana: 30 × Koi (pet 4), now not counted\n'));
  expect(await petstore('count undo')).toEqual(refused(3, 'error: Count 1 has no line of yours to undo.', 'hint: petstore count view 1'));
});

testInShop('count diff shows what closing would change in every format, and ends with 8', async (cli) => {
  const { petstore } = cli;
  await runAll(cli, ['count start', 'count add Koi 30', 'count add Bella 1', 'count add Rex 1', 'sell Koi 2']);
  const table = await petstore('count diff', { terminal: 100 });
  expect([table.exitCode, table.stdout.split('\n')]).toEqual([
    8,
    [
      'ID  Name   Counted  Expected  Before  After  Change  Problem',
      ' 2  Bella        1         5       5                 Bella (pet 2) has 2 units reserved for open',
      '                                                     orders; 1 on hand would not be enough.',
      ' 4  Koi         30        37      35     28      -7',
      '',
    ],
  ]);
  expect(await petstore('count diff --format ids')).toEqual({ exitCode: 8, stdout: '2\n4\n', stderr: '' });
  expect((await petstore('count diff --format count')).stdout).toBe('2\n');
  expect(JSON.parse((await petstore('count diff --json')).stdout)).toMatchObject([
    { petId: 2, code: 'stock_reserved', before: 5 },
    { petId: 4, before: 35, after: 28, change: -7 },
  ]);
  expect((await petstore('count diff --missing zero --allow-shortage --format ids')).stdout).toBe('2\n4\n5\n');
  await runAll(cli, ['count undo 1 1', 'count undo 1 2']);
  expect(await petstore('count diff')).toEqual(done(''));
  expect(await petstore('count diff', { terminal: 80 })).toEqual(done('', 'No pet would change.\n'));
});

testInShop('count close changes the stock in one batch that can be undone', async (cli) => {
  const { petstore } = cli;
  await runAll(cli, ['count start', 'count add Koi 30', 'count add Rex 1', 'sell Koi 2']);
  expect(await petstore('count close --note november')).toEqual(done('✓ Closed count 1: 1 pet changed, 1 as expected\n', 'Undo: petstore inventory undo 1\n'));
  expect((await petstore('inventory view Koi --fields quantity')).stdout).toBe('28\n');
  expect((await petstore('inventory batch list', { terminal: 100 })).stdout).toBe(
    lines(
      'ID  When         By   State    Rows  Applied  Unchanged  Rejected  Count  File',
      ' 1  today 09:00  ana  applied     2        1          1         0      1',
    ),
  );
  const changes = (await petstore('undo --list --fields change')).stdout.split('\n');
  expect(changes.slice(0, 2)).toEqual(['the close of count 1 (1 pet)', 'the sale of 2 × Koi (order 5)']);
  expect(await petstore('undo --dry-run')).toEqual(done('Would undo the close of count 1 (1 pet). Dry run: nothing was changed.\n'));
  expect((await petstore('inventory undo 1')).stdout).toBe('✓ Undid batch 1 (1 row).\n');
  expect((await petstore('inventory view Koi --fields quantity')).stdout).toBe('35\n');
  expect(await petstore('count close 1')).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('Count 1 is closed') });
});

testInShop('a pet that cannot be changed refuses the close with its reason; --keep-going changes the others', async (cli) => {
  const { petstore, expectUnchanged } = cli;
  await runAll(cli, ['count start', 'count add Koi 30', 'count add Bella 1']);
  await expectUnchanged(async () => {
    expect(await petstore('count close')).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: lines(
        'error: Count 1 was not closed: 1 pet cannot be changed. Bella (pet 2) has 2 units reserved for open orders; 1 on hand would not be enough.',
        'hint: Use --keep-going to change the other pets, or --allow-shortage to accept fewer units than are reserved.',
      ),
    });
    expect(JSON.parse((await petstore('count close --json')).stderr)).toMatchObject({ error: { code: 'count_refused', exitCode: 4 } });
  });
  expect(await petstore('count close --keep-going')).toEqual({
    exitCode: 5,
    stdout: '✓ Closed count 1: 1 pet changed, 0 as expected, 1 not changed\n',
    stderr: lines('Bella (pet 2) has 2 units reserved for open orders; 1 on hand would not be enough.', 'Undo: petstore inventory undo 1'),
  });
});

testInShop('--missing zero and count cancel need a yes', async (cli) => {
  const { petstore, expectUnchanged } = cli;
  await runAll(cli, ['count start 1 4', 'count add Koi 37']);
  await expectUnchanged(async () => {
    expect(await petstore('count close --missing zero')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('1 pet not counted will have none') });
    expect(await petstore('count cancel')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('1 of 2 pets counted, none differ') });
  });
  expect((await petstore('count close --missing zero --yes -q')).stdout).toBe('✓ Closed count 1: 1 pet changed, 1 as expected\n');
  expect((await petstore('pet list --status sold --format ids')).stdout).toBe('1\n3\n');
  await runAll(cli, ['count start']);
  expect(await petstore('count cancel -y')).toEqual(done('✓ Cancelled count 2\n'));
  expect(await petstore('count cancel 2 -y')).toMatchObject({ exitCode: 4 });
});

testInShop('each run with standard input is recorded, and a file once for each person', async (cli) => {
  const { petstore, file } = cli;
  await runAll(cli, ['count start 1 2']);
  const oneLine = { stdin: '2\t+1\n' };
  const counted = async () => (await petstore('count view --fields petId,counted')).stdout;
  const recorded = done('✓ Recorded 1 line in count 1 (1 pet)\n');
  for (const words of ['count add - --actor ana', 'count add - --actor ana', 'count add - --actor ben', 'count scan --actor cem'])
    expect(await petstore(words, oneLine)).toEqual(recorded);
  expect(await counted()).toBe('1\t\n2\t4\n');
  const path = file('shelf.tsv', oneLine.stdin);
  for (const actor of ['ana', 'ben']) expect(await petstore(`count add ${path} --actor ${actor}`)).toEqual(recorded);
  expect(await petstore(`count add ${path} --actor ben`)).toEqual({
    exitCode: 0,
    stdout: '✓ Recorded 0 lines in count 1 (1 pet), 1 recorded before\n',
    stderr: 'ben added this file to the count before, so its lines are not added again. To add them again, give a --key.\n',
  });
  expect(await counted()).toBe('1\t\n2\t6\n');
  const keyed = ['count add - --key shelf-4', 'count add - --key shelf-4', 'count add - --key shelf-4 --actor ben'];
  for (const words of keyed) await petstore(words, oneLine);
  expect(await counted()).toBe('1\t\n2\t8\n');
});

testInShop('a refused file is one JSON object with --json', async ({ petstore }) => {
  await petstore('count start 1 2');
  const { exitCode, stdout, stderr } = await petstore('count add - --json', { stdin: '2\tx\nRexx\t1\n' });
  expect([exitCode, stdout]).toEqual([6, '']);
  expect(JSON.parse(stderr)).toMatchObject({
    error: {
      code: 'import_refused',
      message:
        '2 lines cannot be recorded; nothing was recorded. standard input:1: "x" is not a whole number, such as 12 or +2. standard input:2: There is no pet named "Rexx"; did you mean "Rex"?',
    },
  });
});

testInShop('a file or standard input is recorded as a whole, and a repeat adds nothing', async (cli) => {
  const { petstore, file, expectUnchanged } = cli;
  await runAll(cli, ['count start 1 2 4']);
  const path = file('shelf.csv', '\ufeffpet,count\r\nKoi,20\r\n\r\n4\t+10\r\n"Bella",5\r\n1 1\r\n2;+0\r\n');
  expect(await petstore(`count add ${path}`)).toEqual(done('✓ Recorded 5 lines in count 1 (3 pets)\n'));
  const again = await petstore(`count add 1 ${path}`);
  expect([again.exitCode, again.stdout]).toEqual([0, '✓ Recorded 0 lines in count 1 (3 pets), 5 recorded before\n']);
  expect(again.stderr).toContain('added this file to the count before, so its lines are not added again.');
  expect((await petstore('count view --fields petId,counted,lines')).stdout).toBe('1\t1\t1\n2\t5\t2\n4\t30\t2\n');
  await expectUnchanged(async () => {
    const { exitCode, stdout, stderr } = await petstore('count add -', { stdin: '4\t1\nnothing\nRexx,2\n5,3\n99,1\n2,x\n' });
    expect([exitCode, stdout]).toEqual([6, '']);
    expect(stderr).toBe(
      lines(
        'standard input:2: There is no pet named "nothing".',
        'standard input:3: There is no pet named "Rexx"; did you mean "Rex"?',
        'standard input:4: Luna (pet 5) is not in count 1.',
        'standard input:6: "x" is not a whole number, such as 12 or +2.',
        'error: 4 lines cannot be recorded; nothing was recorded.',
        'hint: Correct the file, or add pets that are not in the count with --also.',
      ),
    );
    expect((await petstore('count add -', { stdin: '4\t1\nnothing\n' })).stderr).toContain('hint: Correct the file and add it again.');
    expect(await petstore('count add -', { stdin: Buffer.from('4,1\n\xff', 'latin1') })).toMatchObject({ exitCode: 6 });
    expect(await petstore('count add - --dry-run', { stdin: '4,1\n' })).toEqual(done('✓ Would record 1 line in count 1 (1 pet)\n'));
  });
  for (const stdin of ['4,+1\n', '4;+1\n'])
    expect((await petstore('count scan --key shelf-4 --format csv --fields petId,number,key', { stdin })).stdout).toBe('petId,number,key\n4,1,shelf-4:1\n');
  expect(await petstore('count scan --key shelf-4', { stdin: '4,+7\n4,+1\n' })).toEqual(
    refused(
      6,
      'standard input:1: Count 1 has another line under the key "shelf-4:1": +1 × Koi (pet 4).',
      'error: 1 line cannot be recorded; nothing was recorded.',
      'hint: Give these lines another --key.',
    ),
  );
});

testInShop('thousands of lines are recorded in requests of 1,000, in their order', async (cli) => {
  const { petstore } = cli;
  await runAll(cli, ['count start']);
  const stdin = Array.from({ length: 2500 }, (_, index) => `4\t${index % 2 === 0 ? '+1' : '+2'}\n`).join('');
  expect((await petstore('count add -', { stdin })).stdout).toBe('✓ Recorded 2500 lines in count 1 (1 pet)\n');
  expect((await petstore('count view --pet 4 --fields counted,lines')).stdout).toBe('3750\t2500\n');
});

testInShop('a pet alone on a line is a scan; beside a number a code counts its units', async (cli) => {
  const { petstore } = cli;
  await runAll(cli, ['count start', 'code add 4 4006381333931', 'code add 4 10012345000017 --units 20']);
  expect((await petstore('count add -', { stdin: '4\n4\n4\n' })).stdout).toBe('✓ Recorded 3 lines in count 1 (1 pet)\n');
  const counted = async () => (await petstore('count view --pet 4 --fields counted')).stdout;
  expect(await counted()).toBe('3\n');
  await petstore('count scan', { stdin: '4006381333931\n10012345000017\nKoi\n' });
  expect(await counted()).toBe('25\n');
  await petstore('count add -', { stdin: '10012345000017,+2\n4006381333931\t+1\n' });
  expect(await counted()).toBe('66\n');
  await petstore('count scan --pairs', { stdin: '10012345000017\n\n3\n5\n2\n' });
  expect((await petstore('count view --pet 5 --fields counted')).stdout).toBe('2\n');
  expect((await petstore('count scan --pairs', { stdin: 'Koi\n1,000\n' })).stderr).toContain(
    'standard input:1: "1,000" is not a whole number, such as 12 or +2.\n',
  );
  expect((await petstore('count scan --pairs', { stdin: '4\n7\n5\n' })).stderr).toContain(
    'standard input:3: The number of this pet is missing in the line below it.\n',
  );
  expect(await counted()).toBe('60\n');
  expect((await petstore('count add 10012345000017 2')).stdout).toBe('✓ Counted 40 × Koi (pet 4), 37 expected\n');
  await petstore('count add 10012345000017 +1');
  const { exitCode, stderr } = await petstore('count add -', { stdin: '4\n4006381333948\n10012345000017,2000000000\n' });
  expect([exitCode, stderr]).toEqual([6, expect.stringMatching(/:2: There is no pet [^]*:3: 2000000000 × 20 units are above 2147483647\./)]);
  expect(await counted()).toBe('60\n');
});
