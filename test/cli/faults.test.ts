import { expect } from 'vitest';
import { runAll, testInShop } from '../support/cli.js';

/** Refused lines with the error for their wrong part. */
const faults: readonly (readonly [line: string, exitCode: number, message: RegExp])[] = [
  ['log --since 2026-02-30', 2, /"2026-02-30": February 2026 has 28 days\.$/],
  ['log --since 2028-02-30', 2, /February 2028 has 29 days\.$/],
  ['log --until 2026-13-01', 2, /there is no month 13\.$/],
  ['log --until 0000-01-01', 2, /there is no year 0000\.$/],
  ['order list --from 2026-04-00', 2, /there is no day 00\.$/],
  ['order place --pet 2 --ship-date 2026-04-31T10:00:00Z', 2, /April 2026 has 30 days\.$/],
  ['order place --pet 2 --ship-date 2026-04-30T24:00:00Z', 2, /there is no hour 24\.$/],
  ['order place --pet 2 --ship-date 2026-04-30T10:60:00Z', 2, /there is no minute 60\.$/],
  ['order place --pet 2 --ship-date 2026-04-30T10:00:61Z', 2, /there is no second 61\.$/],
  ['order place --pet 2 --ship-date 2026-04-30T10:00:60Z', 2, /only 23:59:60 UTC is a leap second\.$/],
  ['order place --pet 2 --ship-date soon', 2, /not "soon"\.$/],
  ['pet view 9223372036854775808', 2, /^9223372036854775808 is above the largest id, 9223372036854775807\.$/],
  [`pet view ${'9'.repeat(1000)}`, 2, /^9{40}… is above the largest id/],
  ['log --pet 99999999999999999999', 2, /^--pet: 99999999999999999999 is above the largest id/],
  ['pet list --fields id,id', 2, /^The field "id" is given twice\.$/],
  ['pet list --json=id,name,id', 2, /^The field "id" is given twice\.$/],
  ['pet list --format csv --json', 2, /^--format csv and --json exclude each other\.$/],
];

for (const [line, exitCode, message] of faults) {
  testInShop(`${line.slice(0, 70)}: names the error`, async ({ petstore }) => {
    const told = await petstore(line);
    const said = told.stderr.startsWith('{')
      ? (JSON.parse(told.stderr) as { error: { message: string } }).error.message
      : told.stderr.split('\n')[0]?.replace('error: ', '');
    expect([told.exitCode, told.stdout, said]).toEqual([exitCode, '', expect.stringMatching(message)]);
  });
}

testInShop('reports a row above 1 MiB as too long, also when its quote is closed later', async ({ petstore, file }) => {
  const long = file('long.csv', `petId,quantity,note\n1,2,"${'x'.repeat(1_200_000)}"\n`);
  expect((await petstore(['inventory', 'import', long])).stderr).toMatch(/^error: Line 2 of .*long\.csv starts a row longer than 1 MiB\.\n/);
  const short = file('short.csv', 'petId,quantity,note\n1,2,"x\n');
  expect((await petstore(['inventory', 'import', short])).stderr).toMatch(/^error: Line 2 of .*short\.csv opens a quote that is never closed\.\n/);
});

testInShop('reports missing columns with the line', async ({ petstore, file }) => {
  const said = async (name: string, text: string) => (await petstore(['inventory', 'import', file(name, text)])).stderr.split('\n')[0];
  expect(await said('a.csv', '\n\npetId\n1\n')).toMatch(/a\.csv has neither a quantity nor a delta column; its header is on line 3\.$/);
  expect(await said('b.csv', '\nquantity\n1\n')).toMatch(/b\.csv has no column "petId" or "code"; its header \(line 2\) has "quantity"\.$/);
  expect(await said('c.ndjson', '\n{"petId":1}\n')).toMatch(/c\.ndjson has records with neither a quantity nor a delta, first on line 2\.$/);
});

testInShop('rows refused because of reserved units name the orders', async (cli) => {
  const { petstore, file } = cli;
  await runAll(cli, ['order place --pet 2', ...Array.from({ length: 12 }, () => 'order place --pet 4')]);
  const path = file('count.csv', 'petId,quantity\n2,1\n4,3\n1,1\n');
  const { exitCode, stdout } = await petstore(['inventory', 'import', path, '--json']);
  const { errors } = JSON.parse(stdout) as { readonly errors: readonly { readonly message: string }[] };
  expect([exitCode, errors.map(({ message }) => message.replace(/^.*\. They are reserved/, 'reserved'))]).toEqual([
    4,
    ['reserved for orders 1 and 5.', 'reserved for orders 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 2 more.'],
  ]);
  const kept = JSON.parse((await petstore('inventory batch view 1 --json')).stdout) as { readonly errors: readonly unknown[] };
  expect(kept.errors).toEqual(errors);
  expect(JSON.parse((await petstore(['inventory', 'diff', path, '--json'])).stdout)).toMatchObject({ errors });
});
