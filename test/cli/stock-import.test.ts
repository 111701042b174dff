import { expect } from 'vitest';
import { done, testInShop, lines, type CliFixture } from '../support/cli.js';

const header = 'petId,quantity';

/** The counts of a JSON report. */
function report(counts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const none = { applied: 0, unchanged: 0, rejected: 0, alreadyApplied: 0, errors: [], errorsOmitted: 0 };
  return { batch: 1, dryRun: false, mode: 'atomic', total: 0, ...none, ...counts };
}

async function json({ petstore }: CliFixture, line: string, stdin?: string): Promise<readonly [number, unknown]> {
  const { exitCode, stdout, stderr } = await petstore(`${line} --json`, stdin === undefined ? {} : { stdin });
  expect(stderr).toBe('');
  return [exitCode, JSON.parse(stdout)];
}

testInShop('applies a file of counts and prints a report of one line', async (cli) => {
  const { petstore, file } = cli;
  const counts = file('count.csv', lines(header, '1,4', '2,5', '4,12'));
  expect(await petstore(`inventory import ${counts}`)).toEqual(done('✓ 2 applied, 1 unchanged, 0 rejected   batch 1   undo: petstore inventory undo 1\n'));
  expect(await petstore('inventory list --fields petId,quantity')).toEqual(done(lines('1\t4', '2\t5', '3\t0', '4\t12', '5\t1')));
  // A file of counts can be applied again.
  expect(await petstore(`inventory import ${counts}`, { terminal: 80 })).toEqual(done('✓ 0 applied, 3 unchanged, 0 rejected   batch 2\n'));
  expect(await json(cli, `inventory import ${counts}`)).toEqual([0, report({ batch: 3, total: 3, unchanged: 3, notInFile: 2 })]);
});

testInShop('one invalid row refuses all, and every invalid row is reported with its line', async (cli) => {
  const { petstore, file, allRows } = cli;
  const bad = file('bad.csv', lines(header, '1,4', '2,x', '', '99,1', 'abc,1', '4,-1', '4,2147483648', '3', '5,2', '5,3'));
  const before = allRows();
  const { exitCode, stdout, stderr } = await petstore(`inventory import ${bad}`);
  expect([exitCode, stdout]).toEqual([6, '✗ Nothing was imported: 8 rows are wrong.\n']);
  const named = stderr.split('\n').slice(0, -1);
  expect(named.pop()).toBe('1 row is valid; use --keep-going to import it.');
  expect(named.map((line) => line.slice(0, bad.length + 4).replace(/:[^:]*$/, ''))).toEqual([3, 5, 6, 7, 8, 9, 10, 11].map((line) => `${bad}:${line}`));
  expect(named.slice(0, 2)).toEqual([`${bad}:3: invalid_quantity "x" is not a whole number.`, `${bad}:5: unknown_pet There is no pet 99.`]);
  expect({ ...allRows(), batches: [], batch_errors: [], batch_rows: [] }).toEqual({ ...before, batches: [], batch_errors: [], batch_rows: [] });
  const [code, told] = await json(cli, `inventory import ${bad}`);
  expect([code, (told as { readonly errors: readonly { readonly code: string }[] }).errors.map(({ code: one }) => one)]).toEqual([
    6,
    ['invalid_quantity', 'unknown_pet', 'invalid_pet_id', 'invalid_quantity', 'invalid_quantity', 'malformed_row', 'duplicate_row', 'duplicate_row'],
  ]);
});

testInShop('of many invalid rows a terminal shows twenty and JSON a thousand', async (cli) => {
  const rows = Array.from({ length: 1203 }, (_, index) => `${index + 100},1`);
  const stdin = lines(header, ...rows);
  const { exitCode, stdout, stderr } = await cli.petstore('inventory import -', { stdin });
  expect([exitCode, stdout]).toEqual([6, '✗ Nothing was imported: 1,203 rows are wrong.\n']);
  expect(stderr.split('\n').slice(18)).toEqual([
    'standard input:20: unknown_pet There is no pet 118.',
    'standard input:21: unknown_pet There is no pet 119.',
    '… and 1,183 more',
    '',
  ]);
  const [, told] = await json(cli, 'inventory import -', stdin);
  expect(told).toMatchObject({ rejected: 1203, errorsOmitted: 203 });
  expect((told as { readonly errors: readonly unknown[] }).errors).toHaveLength(1000);
});

testInShop('the exit code distinguishes conflicts, invalid data and a partial import', async (cli) => {
  const code = async (stdin: string, flags = '') => (await json(cli, `inventory import - ${flags}`, lines(...stdin.split(' '))))[0];
  expect(await code('petId,quantity 2,1')).toBe(4);
  expect(await code('petId,delta 4,-99')).toBe(4);
  expect(await code('petId,expected,quantity 4,1,2')).toBe(4);
  expect(await code('petId,quantity 2,1 99,1')).toBe(6);
  expect(await code('petId,quantity 99,1', '--keep-going')).toBe(6);
  expect(await code('petId,quantity 2,1', '--keep-going')).toBe(4);
  expect(await code('petId,quantity 2,1 4,12', '--keep-going')).toBe(5);
  expect(await code('petId,quantity 2,1', '--allow-shortage')).toBe(0);
  expect((await cli.petstore('inventory import -', { stdin: 'petId\n1\n' })).exitCode).toBe(6);
});

testInShop('--keep-going applies the valid rows, up to --max-errors invalid ones', async ({ petstore, file }) => {
  const mixed = file('mixed.csv', lines(header, '1,4', '91,1', '92,1', '4,12'));
  const errors = lines(`${mixed}:3: unknown_pet There is no pet 91.`, `${mixed}:4: unknown_pet There is no pet 92.`);
  const others = '2 rows are valid; use a higher --max-errors to import them.\n';
  const nothing = '✗ Nothing was imported: 2 rows are wrong.\n';
  expect(await petstore(`inventory import ${mixed} --keep-going --max-errors 1`)).toEqual({ exitCode: 6, stdout: nothing, stderr: errors + others });
  expect(await petstore('inventory list --fields quantity --category Dogs')).toEqual(done('1\n5\n'));
  const some = '✓ 2 applied, 0 unchanged, 2 rejected   batch 2   undo: petstore inventory undo 2\n';
  expect(await petstore(`inventory import ${mixed} --keep-going --max-errors 2`)).toEqual({ exitCode: 5, stdout: some, stderr: errors });
  expect(await petstore('inventory list --fields quantity --category Dogs')).toEqual(done('4\n5\n'));
});

testInShop('applies a file of deltas once', async (cli) => {
  const { petstore, file, expectUnchanged, clock } = cli;
  const delivery = file('delivery.csv', lines('petId,delta,note', '4,+5,crate 7', '1,-1,'));
  expect(await petstore(`inventory import ${delivery} --actor bob`)).toEqual(
    done('✓ 2 applied, 0 unchanged, 0 rejected   batch 1   undo: petstore inventory undo 1\n'),
  );
  clock.pass(60_000);
  await expectUnchanged(async () => {
    expect(await petstore(`inventory import ${delivery}`)).toEqual(done(`✓ Already applied on 2026-11-20 09:00 UTC by bob as batch 1; nothing was changed.\n`));
    expect(await json(cli, `inventory import ${delivery}`)).toEqual([0, report({ total: 2, alreadyApplied: 2 })]);
    expect((await petstore(`inventory import ${file('copy.csv', cli.read('delivery.csv'))}`)).stdout).toMatch(/^✓ Already applied/);
  });
  expect(await petstore(`inventory import ${delivery} --key second`)).toEqual({
    exitCode: 4,
    stdout: '✗ Nothing was imported: 1 row conflicts with the shop.\n',
    stderr: lines(`${delivery}:3: out_of_stock Pet 1 has 0 on hand; cannot remove 1.`, '1 row is valid; use --keep-going to import it.'),
  });
});

testInShop('repeating a partly imported file retries only the refused rows', async ({ petstore, file }) => {
  const changes = file('changes.csv', lines('petId,delta', '4,+3', '3,-1'));
  expect((await petstore(`inventory import ${changes} --keep-going`)).stdout).toBe(
    '✓ 1 applied, 0 unchanged, 1 rejected   batch 1   undo: petstore inventory undo 1\n',
  );
  await petstore('inventory set 3 1');
  expect((await petstore(`inventory import ${changes} --keep-going`)).stdout).toBe(
    '✓ 1 applied, 0 unchanged, 0 rejected, 1 already applied   batch 2   undo: petstore inventory undo 2\n',
  );
  expect(await petstore('inventory view 3 4 --fields quantity')).toEqual(done('0\n40\n'));
});

testInShop('a refused row names the column expected, and a batch the lines of its refused rows', async ({ petstore }) => {
  const stdin = lines('{"petId":4,"quantity":3,"expected":null}', '{"petId":1,"quantity":"two"}');
  const { stderr } = await petstore('inventory import -', { stdin });
  expect(stderr).toContain('standard input:1: invalid_quantity expected "null" is not a whole number.\n');
  expect(stderr).toContain('standard input:2: invalid_quantity "two" is not a whole number.\n');
  const errors = 'Line 1: expected "null" is not a whole number. Line 2: quantity "two" is not a whole number.';
  expect((await petstore('inventory batch view 1', { terminal: 120 })).stdout).toContain(errors);
});

testInShop('a misspelt column is refused with the nearest name', async ({ petstore, file }) => {
  const typo = file('typo.csv', lines('petId,quantitiy', '4,12'));
  const { exitCode, stdout, stderr } = await petstore(`inventory import ${typo}`);
  expect([exitCode, stdout]).toEqual([6, '']);
  expect(stderr).toBe(
    lines(
      `error: Line 1 of ${typo} has an unknown column "quantitiy"; did you mean "quantity"?`,
      `hint: petstore inventory import ${typo} --map quantitiy=quantity`,
    ),
  );
});

testInShop('the exit code depends on every refused row, also beyond the thousand that are kept', async ({ petstore }) => {
  // Two thousand conflicts, and one invalid row that the report leaves out.
  const stale = Array.from({ length: 2000 }, () => '4,-1,1');
  const stdin = (last: string) => lines('petId,delta,expected', ...stale, last);
  expect((await petstore('inventory import -', { stdin: stdin('4,-1,2') })).exitCode).toBe(4);
  expect((await petstore('inventory import -', { stdin: stdin('4,x,') })).exitCode).toBe(6);
});

testInShop('a file that will be refused is neither previewed nor confirmed', async ({ petstore, file, expectUnchanged }) => {
  const mixed = file('mixed.csv', lines('petId,delta', '4,-5', '99,1'));
  const refusal = (did: 'was' | 'would be', ...more: readonly string[]) => ({
    exitCode: 6,
    stdout: `✗ Nothing ${did} imported: 1 row is wrong.\n`,
    stderr: lines(`${mixed}:3: unknown_pet There is no pet 99.`, '1 row is valid; use --keep-going to import it.', ...more),
  });
  expect(await petstore(`inventory import ${mixed}`, { terminal: 80 })).toEqual(refusal('was'));
  expect(await petstore(`inventory import ${mixed} --no-input`)).toEqual(refusal('was'));
  await expectUnchanged(async () => {
    expect(await petstore(`inventory diff ${mixed}`, { terminal: 80 })).toEqual(refusal('would be', 'Dry run: nothing was changed.'));
    // Nobody answers a confirmation here.
    expect(await petstore(`inventory import ${mixed} --keep-going`, { terminal: 80 })).toEqual({
      exitCode: 130,
      stdout: lines('ID  Name  Before  After  Change', ' 4  Koi       37     32      -5'),
      stderr: expect.stringMatching(/:3: unknown_pet There is no pet 99\.\nShop: .*\nCancelled\.\n$/),
    });
  });
});

testInShop('reports a missing quantity as missing', async ({ petstore }) => {
  const records = [{ petId: 4, quantity: 1 }, { quantity: 1 }, { petId: 1 }, { petId: 2, quantity: '' }];
  expect((await petstore('inventory import -', { stdin: lines(...records.map((record) => JSON.stringify(record))) })).stderr).toBe(
    lines(
      'standard input:2: invalid_pet_id petId is missing.',
      'standard input:3: invalid_quantity quantity is missing.',
      'standard input:4: invalid_quantity "" is not a whole number.',
      '1 row is valid; use --keep-going to import it.',
    ),
  );
  // A blank cell is named by the column that the file has.
  expect((await petstore('inventory import -', { stdin: lines('code,quantity', ',1') })).stderr).toMatch(/^standard input:2: unknown_code "" is not/);
});
