import { expect } from 'vitest';
import { done, lines, refused, runAll, testInShop, type CliFixture, type CommandResult } from '../support/cli.js';

const carton = '10012345000017';
const unit = '4006381333931';

/** Sells lines at a till whose shop has 63 units of Koi (pet 4) more, with two codes. */
async function stocked({ petstore }: CliFixture): Promise<(stdin: string, flags?: string) => Promise<CommandResult>> {
  await runAll({ petstore } as CliFixture, [`code add 4 ${carton} --units 20`, `code add 4 ${unit}`, 'receive 4 63']);
  return (stdin, flags = '') => petstore(`sell - ${flags}`, { stdin });
}

testInShop('the till sells one code a line, in one transaction, and shows each line with the sum', async (cli) => {
  const sell = await stocked(cli);
  expect(await sell(lines(unit, carton, 'Bella', 'id:1', unit))).toEqual(
    done(
      lines(
        '✓ Sold 2 × Koi: 100 → 98 available (order 5)',
        '✓ Sold 1 × 20 = 20 × Koi: 98 → 78 available (order 6)',
        '✓ Sold 1 × Bella: 3 → 2 available (order 7)',
        '✓ Sold 1 × Rex: 1 → 0 available (order 8)',
      ),
      lines(
        '1 × Koi; 1 unit to sell',
        '1 × 20 = 20 × Koi; 21 units to sell',
        '1 × Bella; 22 units to sell',
        '1 × Rex; 23 units to sell',
        '1 × Koi; 24 units to sell',
      ),
    ),
  );
  expect((await cli.petstore('undo --yes')).stdout).toContain('Undid the sale of 2 × Koi (order 5), the sale of 20 × Koi (order 6)');
});

testInShop('a number stands beside its code or on the next line, and a line is taken back', async (cli) => {
  const sell = await stocked(cli);
  const sale = await sell(`${unit}\t3\r\n${carton}\r\nx2\r\n2\r\n-\r\n4x5\r\n*7\r\n\r\n`);
  expect(sale.stderr).toBe(
    lines(
      '3 × Koi; 3 units to sell',
      '1 × 20 = 20 × Koi; 23 units to sell',
      '2 × 20 = 40 × Koi; 43 units to sell',
      '1 × Bella; 44 units to sell',
      'Taken back: 1 × Bella; 43 units to sell',
      '5 × Koi; 48 units to sell',
      '7 × Koi; 50 units to sell',
    ),
  );
  expect(sale.stdout).toBe(lines('✓ Sold 10 × Koi: 100 → 90 available (order 5)', '✓ Sold 2 × 20 = 40 × Koi: 90 → 50 available (order 6)'));
});

testInShop('a line that names no pet refuses the whole sale and is named', async (cli) => {
  const sell = await stocked(cli);
  expect(await cli.expectUnchanged(() => sell(lines(unit, '5901234123457', 'x3', '-', '-', 'nobody')))).toEqual(
    refused(
      6,
      '1 × Koi; 1 unit to sell',
      'Taken back: 1 × Koi; 0 units to sell',
      'standard input:2: There is no pet with the id or the code 5901234123457.',
      'standard input:3: "x3" is about the last scan; it was refused and added nothing.',
      'standard input:4: "-" is about the last scan; it was refused and added nothing.',
      'standard input:6: There is no pet named "nobody".',
      'error: 4 lines cannot be sold; nothing was sold.',
      'hint: Correct these lines and sell again.',
    ),
  );
  const json = await cli.expectUnchanged(() => sell(lines(unit, 'nobody'), '--json'));
  expect(JSON.parse(json.stderr.split('\n').at(-2) ?? '')).toMatchObject({
    error: { code: 'import_refused', message: expect.stringContaining('standard input:2: There is no pet named "nobody".') },
  });
});

testInShop('a scanned text is never a quantity, and a number that no sale has is refused', async (cli) => {
  const sell = await stocked(cli);
  for (const [input, message] of [
    [`4\nx${unit}`, `standard input:2: ${unit} is no number of scans; at least 1 and at most 9,999 are taken.`],
    ['4\t10000', 'standard input:1: 10000 is no number of scans; at least 1 and at most 9,999 are taken.'],
    ['4\nx0', 'standard input:2: 0 is no number of scans; at least 1 and at most 9,999 are taken.'],
    ['x3', 'standard input:1: "x3" is about the last scan; there is none.'],
    ['-', 'standard input:1: "-" is about the last scan; there is none.'],
    ['4x2\t3', 'standard input:1: "4x2\t3" has two numbers.'],
    ['2\n2x3', 'standard input:2: Only 3 × Bella available, and 1 in this sale already.'],
    ['2\nx4', 'standard input:2: Only 3 × Bella available.'],
    ['99', 'standard input:1: Pet 99 was not found.'],
  ] as const)
    expect([input, (await cli.expectUnchanged(() => sell(input))).stderr.split('\n')]).toEqual([input, expect.arrayContaining([message.replace('\t', ' ')])]);
  // A second code is a second pet, not the number of the first.
  expect((await sell(lines(unit, unit))).stdout).toBe('✓ Sold 2 × Koi: 100 → 98 available (order 5)\n');
});

testInShop('--json, --dry-run, --key and --note work at the till as for other sales', async (cli) => {
  const sell = await stocked(cli);
  expect((await cli.expectUnchanged(() => sell(`${carton}\n`, '--dry-run --quiet'))).stdout).toBe(
    'Would sell 1 × 20 = 20 × Koi: 100 → 80 available (order 5). Dry run: nothing was changed.\n',
  );
  const sold = await sell(`${carton}\n`, '--json --key k --note cash --quiet');
  expect(JSON.parse(sold.stdout)).toMatchObject([{ petId: 4, quantity: 20, complete: true }]);
  expect((await sell(`${carton}\n`, '--key k --note cash')).stderr).toContain('Already done with the key "k"');
  expect((await cli.petstore('inventory view 4 --fields quantity')).stdout).toBe('80\n');
  expect((await cli.petstore('log --order 5 --kind sale --fields note')).stdout).toBe('cash\n');
});

testInShop('the till takes at most 1,000 lines, and refuses input that is empty, too long or no text', async (cli) => {
  const sell = await stocked(cli);
  expect(await cli.expectUnchanged(() => sell(''))).toEqual(refused(6, 'error: There are no codes on standard input.', 'hint: petstore sell --help'));
  expect(await cli.expectUnchanged(() => sell('4\n\n4\n', '--quiet'))).toEqual(
    refused(6, 'error: An empty line ends a sale, and more lines follow it; nothing was sold.'),
  );
  const many = await cli.expectUnchanged(() => sell(`4\n-\n`.repeat(600) + '4\n'.repeat(1001), '--quiet'));
  expect(many.stderr).toContain('Only 100 × Koi available');
  await cli.petstore('receive 4 2000');
  expect((await cli.expectUnchanged(() => sell('4\n'.repeat(1001), '--quiet'))).stderr).toContain(
    'standard input:1001: A sale has at most 1,000 lines; complete it first.',
  );
  expect(await cli.expectUnchanged(() => cli.petstore('sell - --quiet', { stdin: Buffer.from([0x34, 0xff, 0x0a]) }))).toMatchObject({ exitCode: 6 });
  expect(await cli.expectUnchanged(() => sell('4'.repeat(1_100_000)))).toMatchObject({ exitCode: 6 });
  expect(await cli.expectUnchanged(() => cli.petstore('sell - 3', { stdin: '4\n' }))).toMatchObject({ exitCode: 2 });
  expect(await cli.expectUnchanged(() => cli.petstore('sell -'))).toEqual(
    refused(2, 'error: The till needs a terminal, or lines on standard input.', 'hint: petstore sell --help'),
  );
});
