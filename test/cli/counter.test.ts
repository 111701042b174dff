import { expect } from 'vitest';
import { done, lines, refused, runAll, testInShop } from '../support/cli.js';

testInShop('sell completes an order, or one for each of several pets in one transaction', async ({ petstore, expectUnchanged }) => {
  expect(JSON.parse((await petstore('sell 4 --json')).stdout)).toMatchObject({ id: 5, petId: 4, quantity: 1, complete: true });
  expect((await petstore('sell 1 "2 x2"')).stdout).toBe(lines('✓ Sold 1 × Rex: 1 → 0 available (order 6)', '✓ Sold 2 × Bella: 3 → 1 available (order 7)'));
  expect((JSON.parse((await petstore('sell 4x2 4 --json')).stdout) as unknown[]).length).toBe(2);
  const tooFew = await expectUnchanged(() => petstore('sell 4x2 2x9'));
  expect([tooFew.exitCode, tooFew.stderr]).toEqual([4, expect.stringContaining('error: Only 1 × Bella available')]);
});

testInShop('a code whose check digit is wrong is added, and said', async ({ petstore }) => {
  const doubt = (code: string, verb = 'is') => `The code ${code} has a wrong check digit (should end in 1); it ${verb} kept as it is.\n`;
  const planned = await petstore('code add 4 4006381333932 --dry-run');
  expect([planned.exitCode, planned.stderr.includes(doubt('4006381333932', 'would be'))]).toEqual([0, true]);
  expect(await petstore('code add 4 4006381333932 4006381333931 96385075')).toMatchObject({ exitCode: 0, stderr: doubt('4006381333932') });
  expect(await petstore('pet create Guppy Fish --code 4006381333933')).toMatchObject({ exitCode: 0, stderr: doubt('4006381333933') });
});

testInShop('sell refuses a line whose quantities are not certain', async ({ petstore, expectUnchanged }) => {
  expect(await expectUnchanged(() => petstore('sell 1 2 4'))).toEqual(
    refused(2, 'error: "1 2" can be two pets, or 2 units of one; give each quantity with its pet, such as 1x1.', 'hint: petstore sell --help'),
  );
  for (const line of ['sell', 'sell 4 0', 'sell 4x0', 'sell 4 -1', 'sell 4x99999999999', 'sell 99', 'sell 3', 'sell 5'])
    expect([line, (await expectUnchanged(() => petstore(line))).exitCode]).not.toEqual([line, 0]);
});

testInShop('sell says how to write a quantity', async ({ petstore, expectUnchanged }) => {
  const tooFew = refused(6, 'error: Sell at least 1.', 'hint: To take a sale back: petstore undo --list');
  for (const line of ['sell 4 -2', 'sell 4 0', 'sell 4x0', 'sell 1 4x0']) expect(await expectUnchanged(() => petstore(line))).toEqual(tooFew);
  for (const text of ['2,5', '1.5', '1e3'])
    expect(await expectUnchanged(() => petstore(`sell 4 ${text}`))).toEqual(refused(2, `error: "${text}" is not a whole number of units.`));
});

testInShop('sell --dry-run shows what would be sold, and --key sells once', async ({ petstore, expectUnchanged }) => {
  expect(await expectUnchanged(() => petstore('sell 4x2 4x3 --dry-run'))).toEqual(
    done(lines('Would sell 2 × Koi: 37 → 35 available (order 5).', 'Would sell 3 × Koi: 35 → 32 available (order 6).', 'Dry run: nothing was changed.')),
  );
  await petstore('sell 4 2 --key k --note "cash"');
  const again = await petstore('sell 4 2 --key k --note "cash"');
  expect([again.stdout, again.stderr]).toEqual(['✓ Sold 2 × Koi: 37 → 35 available (order 5)\n', 'Already done with the key "k"; nothing was changed.\n']);
  expect(await petstore('log --order 5 --fields kind,note')).toEqual(done(lines('order.placed\tcash', 'sale\tcash')));
});

testInShop('receive adds the units of a delivery', async ({ petstore, expectUnchanged }) => {
  expect(await petstore('receive 4 12 --note "delivery 4711"')).toEqual(done('✓ Received 12 × Koi: 37 → 49 on hand\n'));
  expect(await petstore('receive 4 +1')).toEqual(done('✓ Received 1 × Koi: 49 → 50 on hand\n'));
  expect(await petstore('log --pet 4 --kind adjust --fields delta,note')).toEqual(done(lines('12\tdelivery 4711', '1\t')));
  expect((await expectUnchanged(() => petstore('receive 4 5 --dry-run'))).stdout).toBe(
    'Would receive 5 × Koi: 50 → 55 on hand. Dry run: nothing was changed.\n',
  );
  const tooFew = refused(6, 'error: Receive at least 1.', 'hint: To take a delivery back: petstore undo --list');
  for (const units of ['0', '-2']) expect(await expectUnchanged(() => petstore(`receive 4 ${units}`))).toEqual(tooFew);
  expect(await expectUnchanged(() => petstore('receive 4 4006381333931'))).toEqual(
    refused(6, 'error: 4006381333931 is above 9999, and more likely a code.', 'hint: Give the code first, and the number of units after it.'),
  );
  expect(await expectUnchanged(() => petstore('receive 4 10000'))).toEqual(
    refused(
      2,
      'error: 10000 is above 9999, and more likely a code. Take it as units? Confirmation required.',
      'hint: Confirm with --yes, or preview with --dry-run.',
    ),
  );
  for (const line of ['inventory set 4 10000', 'inventory adjust 4 10000']) expect((await expectUnchanged(() => petstore(line))).exitCode).toBe(2);
  const tried = await expectUnchanged(() => petstore('receive 4 10000 --dry-run'));
  expect([tried.exitCode, tried.stderr]).toEqual([0, '10000 is above 9999, and more likely a code.\n']);
  expect((await petstore('receive 4 10000 --yes')).stdout).toBe('✓ Received 10000 × Koi: 50 → 10050 on hand\n');
  for (const units of ['1.5', 'x5']) {
    expect(await expectUnchanged(() => petstore(`receive 4 ${units}`))).toEqual(refused(2, `error: "${units}" is not a whole number of units.`));
  }
});

const carton = '10012345000017';
const unit = '4006381333931';

testInShop('a number counts the scans of a code, each for its units', async (cli) => {
  const { petstore, expectUnchanged } = cli;
  await runAll(cli, [`code add 4 ${carton} --units 20`, `code add 4 ${unit} Ring-4`, 'receive 4 63']);
  expect(await petstore(`sell ${carton}`)).toEqual(done('✓ Sold 1 × 20 = 20 × Koi: 100 → 80 available (order 5)\n'));
  expect(await petstore(`sell ${carton} 3`)).toEqual(done('✓ Sold 3 × 20 = 60 × Koi: 80 → 20 available (order 6)\n'));
  expect(await petstore(`sell ${unit} "ring-4 x3" ${carton}x1 --dry-run`)).toEqual(expect.objectContaining({ exitCode: 4 }));
  expect((await petstore(`sell ${unit} ${unit} "ring-4 x3" --dry-run`)).stdout).toBe(
    lines(
      'Would sell 1 × Koi: 20 → 19 available (order 7).',
      'Would sell 1 × Koi: 19 → 18 available (order 8).',
      'Would sell 3 × Koi: 18 → 15 available (order 9).',
      'Dry run: nothing was changed.',
    ),
  );
  expect(await petstore(`receive ${carton} 3`)).toEqual(done('✓ Received 3 × 20 = 60 × Koi: 20 → 80 on hand\n'));
  expect(await petstore(`inventory adjust ${carton} -1`)).toEqual(done('✓ Pet 4 (Koi) -1 × 20 = -20: 80 → 60 on hand.\n'));
  expect(await petstore(`inventory set ${carton} 2`)).toEqual(done('✓ Pet 4 (Koi) 2 × 20 = 40: 60 → 40 on hand.\n'));
  expect(await petstore(`order place --pet ${carton}`)).toEqual(done('✓ Reserved 1 × 20 = 20 × Koi: 40 → 20 available (order 7)\n'));
  expect(await petstore(`order place --pet ${carton} --quantity 1 --complete`)).toEqual(done('✓ Sold 1 × 20 = 20 × Koi: 20 → 0 available (order 8)\n'));
  expect(await petstore(`return ${carton}`)).toEqual(done('✓ Returned 1 × 20 = 20 × Koi of order 8: 0 → 20 available\n'));
  expect(await expectUnchanged(() => petstore(`receive ${carton} 200000000`))).toMatchObject({ exitCode: 6 });
});

testInShop('find and searches find the pet with a code too', async (cli) => {
  const { petstore } = cli;
  await runAll(cli, [`code add 4 ${unit} Ring-4`, `code add 2 ${carton} --units 20`]);
  for (const text of [unit, `0${unit}`, 'ring-4']) expect((await petstore(`find ${text} --fields name`)).stdout).toBe('Koi\n');
  expect(JSON.parse((await petstore(`find ${carton} --json name,codes`)).stdout)).toEqual([{ name: 'Bella', codes: [carton] }]);
  expect((await petstore('find koi --fields id,codes --format csv')).stdout).toContain(unit);
  expect((await petstore(`find ${unit.slice(0, 8)} --json`)).stdout).toBe('[]\n');
  expect((await petstore(`inventory list --search ${unit} --fields petId`)).stdout).toBe('4\n');
});

testInShop('a scanned text is a pet and never a quantity', async ({ petstore, expectUnchanged }) => {
  await petstore(`code add 4 ${unit}`);
  expect((await petstore(`sell 1 ${unit} --dry-run`)).stdout).toContain('Would sell 1 × Koi');
  expect(await expectUnchanged(() => petstore('sell 4 5901234123457'))).toEqual(
    refused(3, 'error: There is no pet with the id or the code 5901234123457.', 'hint: petstore pet list'),
  );
});

testInShop('pet create takes the name and the category as words, and codes', async ({ petstore, expectUnchanged }) => {
  expect(await petstore(`pet create Max Dogs --code ${unit} --code Ring-9`)).toEqual(done('✓ Created pet 6 (Max, Dogs): 1 on hand, available.\n'));
  expect((await petstore('code list --pet 6 --fields code')).stdout).toBe(lines(unit, 'Ring-9'));
  expect(await petstore('pet create Dogs --name Moritz')).toEqual(done('✓ Created pet 7 (Moritz, Dogs): 1 on hand, available.\n'));
  expect(await petstore('pet create Tom --category Dogs')).toEqual(done('✓ Created pet 8 (Tom, Dogs): 1 on hand, available.\n'));
  expect(await expectUnchanged(() => petstore('pet create Tom'))).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Which category?') });
  expect(await expectUnchanged(() => petstore('pet create Tim Dogs 3 --dry-run'))).toMatchObject({ stdout: expect.stringContaining('3 on hand') });
  expect(await expectUnchanged(() => petstore('pet create Tim Dogs --code "a b"'))).toMatchObject({ exitCode: 2 });
  expect(await expectUnchanged(() => petstore(`pet create Tim Dogs --code ${unit}`))).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining(`The code ${unit} belongs to Max (pet 6).`),
  });
});

testInShop('a second pet of the same name in a category is said', async ({ petstore }) => {
  expect(await petstore('pet create rex Dogs')).toEqual(done('✓ Created pet 6 (rex, Dogs): 1 on hand, available.\n', 'Dogs has Rex (pet 1) already.\n'));
  expect((await petstore('pet create Rex Dogs --yes --quiet')).stderr).toBe('');
  expect((await petstore('pet create Rex Fish')).stderr).toBe('');
});

testInShop('find lists the pets whose name contains the words, with their stock', async ({ petstore }) => {
  expect(await petstore('find el', { terminal: 80 })).toEqual(
    done(lines('ID  Name   Category  On hand  Reserved  Available  Status', ' 2  Bella  Dogs            5         2          3  available')),
  );
  expect(JSON.parse((await petstore('find koi --json')).stdout)).toEqual([
    { id: 4, name: 'Koi', categoryId: 3, status: 'available', category: 'Fish', quantity: 37, reserved: 0, available: 37, codes: [] },
  ]);
  expect(await petstore('find no such pet', { terminal: 80 })).toEqual({ exitCode: 0, stdout: '', stderr: 'Nothing found.\n' });
  expect(await petstore('find')).toEqual(refused(2, 'error: The text is missing.', 'hint: petstore find --help'));
});

for (const [word, meant] of [
  ['buy', 'sell'],
  ['sale', 'sell'],
  ['add', 'pet create'],
  ['new', 'pet create'],
  ['remove', 'pet delete'],
  ['update', 'pet edit'],
  ['get', 'pet view'],
  ['show', 'pet view'],
  ['stock', 'inventory list'],
  ['sales', 'report movements'],
] as const) {
  testInShop(`the unknown word ${word} names ${meant}`, async ({ petstore }) => {
    const refusal = refused(2, `error: "${word}" is not a command of petstore; did you mean "petstore ${meant}"?`, `hint: petstore ${meant} --help`);
    expect(await petstore(word)).toEqual(refusal);
    expect(await petstore(`${word} 7`)).toEqual(refusal);
    expect((await petstore(`${meant} --help`)).exitCode).toBe(0);
  });
}

testInShop('undo --json holds the ids of orders and entries as lists', async ({ petstore, clock }) => {
  clock.pass(60_000);
  await petstore('sell 4x2 2');
  clock.pass(60_000);
  await petstore('inventory adjust 4 1');
  const listed = JSON.parse((await petstore('undo --list --json')).stdout) as readonly Readonly<Record<string, unknown>>[];
  expect(listed.slice(0, 2).map(({ orderIds, entries }) => [orderIds, entries])).toEqual([
    [[], [22]],
    [
      [6, 5],
      [21, 20, 19, 18],
    ],
  ]);
  expect((await petstore('undo --list --fields orderIds,entries --format csv')).stdout).toMatch(/^orderIds,entries\n,22\n6 5,21 20 19 18\n/);
});

testInShop('undo shows the last change, asks, and undoes it', async ({ petstore, clock, expectUnchanged }) => {
  clock.pass(60_000);
  await petstore('sell 4x2 2');
  clock.pass(60_000);
  expect(await expectUnchanged(() => petstore('undo'))).toEqual(
    refused(
      2,
      'error: Undo the sale of 2 × Koi (order 5), the sale of 1 × Bella (order 6), made 1 minute ago? Confirmation required.',
      'hint: Confirm with --yes, or preview with --dry-run.',
    ),
  );
  expect(await expectUnchanged(() => petstore('undo --dry-run'))).toEqual(
    done('Would undo the sale of 2 × Koi (order 5), the sale of 1 × Bella (order 6). Dry run: nothing was changed.\n'),
  );
  expect(await petstore('undo --yes --note "wrong pet"')).toEqual(done('✓ Undid the sale of 2 × Koi (order 5), the sale of 1 × Bella (order 6).\n'));
  expect(await petstore('log --order 5 --fields kind,note')).toEqual(
    done(lines('order.placed\t', 'sale\t', 'return\twrong pet', 'order.cancelled\twrong pet')),
  );
  expect((await petstore('order view 5')).exitCode).toBe(3);
});

testInShop('undo --list names each change, also an import, and undo takes them in this order', async ({ petstore, clock, file }) => {
  const change = async (line: string): Promise<void> => {
    clock.pass(60_000);
    expect([line, (await petstore(line)).exitCode]).toEqual([line, 0]);
  };
  await change('receive 4 5');
  await change('inventory set 1 3');
  await change('pet hold 1');
  await change('pet release 5');
  await change('order complete 1');
  await change('order place --pet 4');
  await change(`inventory import ${file('delivery.csv', 'petId,delta\n1,2\n4,1\n')}`);
  const listed = await petstore('undo --list --fields change');
  const texts = [
    'import 1 (2 rows)',
    'order 5 for Koi',
    'the sale of 2 × Bella (order 1)',
    'the release of Luna',
    'the hold of Rex',
    'the count of Rex (1 → 3)',
    'the addition of 5 × Koi',
  ];
  expect(listed.stdout.split('\n').slice(0, texts.length)).toEqual(texts);
  for (const text of texts) expect(await petstore('undo --yes')).toEqual(done(`✓ Undid ${text}.\n`));
  expect(await petstore('inventory list --fields quantity')).toEqual(done(lines('1', '5', '0', '37', '1')));
});

testInShop('undo without a change of yours is refused', async ({ petstore }) => {
  expect(await petstore('undo --actor nobody')).toEqual(refused(4, 'error: nobody has no recent change to undo.'));
  expect(await petstore('undo --list --actor nobody', { terminal: 80 })).toEqual({ exitCode: 0, stdout: '', stderr: 'You have no recent change to undo.\n' });
});

testInShop('undo takes back edits, creations and deletions, and says what it brings back', async (cli) => {
  const { petstore, expectUnchanged } = cli;
  expect((await petstore('code add 1 a1 4006381333931')).exitCode).toBe(0);
  const changes: readonly (readonly [line: string, text: string])[] = [
    ['order edit 1 --quantity 3', 'the edit of order 1 (back to quantity 2)'],
    ['order edit 1 --ship-date 2027-01-05T09:00:00Z --pet 4', 'the edit of order 1 (back to pet 2, ship date 2026-12-24)'],
    ['order cancel 1', 'the cancellation of order 1 for Bella'],
    ['pet edit 1 --name Max --category Cats', 'the edit of Max (back to "Rex", category 1)'],
    ['inventory low-at 1 3', 'the edit of Rex (back to no low level)'],
    ['inventory low-at --default 2', 'the low level of the shop (back to no low level)'],
    ['category edit Cats --name Birds', 'the edit of category Birds (back to "Cats")'],
    ['category delete Cats --move-to Dogs --yes', 'the deletion of category Cats, which moved 2 pets'],
    ['category create --name Birds', 'the creation of category Birds'],
    ['pet create --name Max --category Dogs --status pending --code a2 --code a3', 'the creation of Max'],
    ['pet delete 1 --yes', 'the deletion of Rex (pet 1)'],
  ];
  const state = async () => (await petstore('pet list --format csv')).stdout + (await petstore('order list --format csv')).stdout;
  for (const [line, text] of changes) {
    const before = await state();
    expect([line, (await petstore(line)).exitCode]).toEqual([line, 0]);
    expect(await expectUnchanged(() => petstore('undo --dry-run'))).toEqual(done(`Would undo ${text}. Dry run: nothing was changed.\n`));
    expect(await petstore('undo --yes')).toEqual(done(`✓ Undid ${text}.\n`));
    expect([line, await state()]).toEqual([line, before]);
  }
});

testInShop('undo refuses a change of a record that somebody changed since, and undoes another one by its entry', async (cli) => {
  const { petstore, expectUnchanged } = cli;
  await runAll(cli, ['receive 4 5', 'pet edit 1 --name Max', 'pet edit 1 --name Moritz --actor ben']);
  const sentence = 'error: You cannot undo entry 19: ben changed pet 1 on 2026-11-20 at 09:00 UTC (entry 20).';
  for (const line of ['undo', 'undo --dry-run', 'undo --yes']) {
    expect(await expectUnchanged(() => petstore(line))).toEqual(refused(4, sentence, 'hint: petstore undo --list'));
  }
  const local = await petstore('undo', { environment: { TZ: 'America/Los_Angeles' } });
  expect(local.stderr).toContain('ben changed pet 1 on 2026-11-20 at 01:00 (entry 20).');
  expect((await petstore('undo --utc', { environment: { TZ: 'America/Los_Angeles' } })).stderr).toContain('at 09:00 UTC (entry 20).');
  expect((await petstore('undo --list --fields entryId,change')).stdout.split('\n')[0]).toBe('18\tthe addition of 5 × Koi');
  expect(await petstore('undo 18 --yes')).toEqual(done('✓ Undid the addition of 5 × Koi.\n'));
  expect(await petstore('undo 18 --yes')).toEqual(refused(4, 'error: You cannot undo entry 18: it was already undone by entry 21.'));
  expect(await petstore('undo 1 --yes --actor ben')).toEqual(
    refused(4, 'error: You cannot undo entry 1: ana made the change, and you are ben.', 'hint: petstore undo --list'),
  );
  expect(await petstore('undo 21 --yes')).toEqual(refused(4, 'error: You cannot undo entry 21: it is an undo itself, of entry 18; make the change again.'));
  expect(JSON.parse((await petstore('log --pet 1 --kind pet.updated --json --limit 1')).stdout)).toMatchObject([{ previous: { name: 'Max' } }]);
});

testInShop('undo of an entry says why it is not possible, and what is', async (cli) => {
  const { petstore, file } = cli;
  await runAll(cli, ['sell 4 2', 'receive 4 5']);
  const newest = async (flags: string): Promise<number> => Number((await petstore(`log ${flags} --limit 1 --format ids`)).stdout);
  await petstore(`inventory import ${file('count.csv', 'petId,quantity\n1,9\n2,9\n')}`);
  const [placedId, soldId, receivedId] = [await newest('--kind order.placed'), await newest('--kind sale'), await newest('--kind adjust')];
  const importedId = await newest('--batch 1 --kind count');
  const cannot = (id: number, why: string, hint: string) => refused(4, `error: You cannot undo entry ${id}: ${why}.`, `hint: petstore ${hint}`);
  expect(await petstore(`undo ${placedId} --yes`)).toEqual(cannot(placedId, `it is part of the change of entry ${soldId}`, `undo ${soldId}`));
  expect(await petstore(`undo ${importedId} --yes`)).toEqual(cannot(importedId, 'it is part of bulk import 1', 'inventory undo 1'));
  const byAna = cannot(receivedId, 'ana made the change, and you are ben', `inventory undo --entry ${receivedId}`);
  expect(await petstore(`undo ${receivedId} --yes --actor ben`)).toEqual(byAna);
});
