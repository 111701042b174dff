import { expect } from 'vitest';
import type { Setup } from '../../src/cli/program-setup.js';
import { done, refused, runCommandLine, setupOf, testInShop, testWithoutShop } from '../support/cli.js';

/** A command line with an expression, and what it prints. */
interface Case {
  readonly name: string;
  readonly line: readonly string[];
  readonly stdout: string;
}

const words = (line: string, expression: string): readonly string[] => [...line.split(' '), '--jq', expression];

const cases: readonly Case[] = [
  { name: 'a string is written without quotes', line: words('pet view 1', '.name'), stdout: 'Rex\n' },
  { name: 'a line break in a string stays', line: words('pet view 1', '"\\(.name)\\n\\(.id)", ""'), stdout: 'Rex\n1\n\n' },
  { name: 'other values are compact JSON, one on each line', line: words('pet view 1', '.id, null, [1, {a: true}]'), stdout: '1\nnull\n[1,{"a":true}]\n' },
  { name: 'an expression without results writes nothing', line: words('pet list', 'empty'), stdout: '' },
  { name: 'a list is one array', line: words('pet list', 'length'), stdout: '5\n' },
  { name: 'an empty list is an empty array', line: words('pet list --search nobody', '.'), stdout: '[]\n' },
  { name: '--json chooses the fields', line: words('pet view 1 2 --json name,quantity', '.[1]'), stdout: '{"name":"Bella","quantity":5}\n' },
  { name: '--format ndjson filters record by record', line: words('pet list --format ndjson', '.name'), stdout: 'Rex\nBella\nWhiskers\nKoi\nLuna\n' },
  { name: 'an expression may begin with a dash', line: ['pet', 'view', '4', '--jq=-.id'], stdout: '-4\n' },
  { name: 'numbers stay as they are', line: words('pet view 1', '100000000000000000000, 1.10'), stdout: '100000000000000000000\n1.10\n' },
  { name: 'an export', line: words('pet export', '.[0].category'), stdout: 'Dogs\n' },
  { name: 'a report', line: words('report stock', 'map(.pets) | add'), stdout: '5\n' },
  { name: 'the log', line: words('log', '.[-1].kind'), stdout: 'order.cancelled\n' },
  { name: 'the commands', line: words('commands', 'map(.command) | index("sell") != null'), stdout: 'true\n' },
  { name: 'the OpenAPI document', line: words('openapi', '.openapi'), stdout: '3.0.3\n' },
  { name: 'a change', line: words('inventory adjust 4 +3', '.quantity'), stdout: '40\n' },
  { name: 'several changes', line: words('pet hold 1 2', '.[].id'), stdout: '1\n2\n' },
  { name: 'a sale', line: words('sell 4', '.. | .quantity? // empty'), stdout: '1\n' },
];

for (const { name, line, stdout } of cases) {
  testInShop(`--jq: ${name}`, async ({ petstore }) => {
    expect(await petstore(line)).toEqual(done(stdout));
  });
}

function record(code: string, message: string, exitCode: number, hint?: string): string {
  const status = { usage: 400, unknown_field: 400, output_failed: 500, pet_not_found: 404 }[code];
  return JSON.stringify({ error: { code, message, status, exitCode, ...(hint !== undefined && { hint }) } });
}

/** A command line with an invalid expression, and the end of the refusal. */
const invalid: readonly (readonly [expression: string, complaint: string])[] = [
  ['.[', 'syntax error, unexpected end of file (line 1, column 2)'],
  ['.a b', 'syntax error, unexpected IDENT, expecting end of file (line 1, column 4)'],
  ['.a\n| foo', 'foo/0 is not defined (line 2, column 3)'],
  ['$x', '$x is not defined (line 1, column 1)'],
  ['', 'Top-level program not given (try ".")'],
  ['import "x" as x; .', 'module not found: x'],
];

for (const [expression, complaint] of invalid) {
  testInShop(`--jq refuses the expression ${JSON.stringify(expression)} before the command does anything`, async ({ petstore, expectUnchanged }) => {
    const refusal = refused(2, record('usage', `The expression of --jq is not valid: ${complaint}.`, 2));
    for (const line of ['pet view 99', 'sell 4']) expect(await expectUnchanged(() => petstore(words(line, expression)))).toEqual(refusal);
  });
}

/** Expressions that fail with the data of `pet list`, and why. */
const failing: readonly (readonly [expression: string, complaint: string])[] = [
  ['.name', 'Cannot index array with string ("name")'],
  ['.[] | if .id == 3 then error("no cats") else .id end', 'no cats'],
  ['.[0] | error', '{"id":1,"name":"Rex","categoryId":1,"status":"available","category":"Dogs","quantity":1,"reserved":0,"available":1}'],
  ['"bye\n" | halt_error', 'bye'],
  ['input', 'break'],
  ['"[" | fromjson', "Unfinished JSON term at EOF at line 1, column 1 (while parsing '[')"],
];

for (const [expression, complaint] of failing) {
  testInShop(`--jq prints nothing when ${JSON.stringify(expression)} fails`, async ({ petstore }) => {
    expect(await petstore(words('pet list', expression))).toEqual(refused(2, record('usage', `--jq failed: ${complaint}.`, 2)));
  });
}

testInShop('--jq says that an expression has run too long', async ({ store }) => {
  const slow: Setup['jq'] = async () => ({ filter: async () => ({ limit: 'time' }), close: async () => {} });
  const ran = await runCommandLine(
    words('pet view 1', 'def f: f; f'),
    { environment: { PETSTORE_STORE: store } },
    { ...setupOf(Date.now), jq: slow },
    Date.now,
  );
  expect(ran).toEqual(refused(2, record('usage', '--jq failed: the expression runs for more than 10 seconds.', 2)));
});

testInShop('--jq that fails after a change says that the change was made', async ({ petstore }) => {
  const message = 'The change was made, but its result could not be filtered: --jq failed: Cannot iterate over number (38).';
  const { exitCode, stdout, stderr } = await petstore(words('inventory adjust 4 +1', '.quantity[]'));
  expect([exitCode, stdout, JSON.parse(stderr)]).toEqual([1, '', { error: expect.objectContaining({ code: 'output_failed', message }) as unknown }]);
  expect((await petstore(words('inventory view 4', '.quantity'))).stdout).toBe('38\n');
  expect((await petstore(words('inventory adjust 4 +1 --dry-run', '.quantity[]'))).exitCode).toBe(2);
  // A token whose text is lost stays valid until it is revoked, and the ledger does not show it.
  const lost = await petstore(words('token create till --scope admin', '.token[]'));
  expect([lost.exitCode, lost.stderr]).toEqual([1, expect.stringContaining('"hint":"petstore token list"')]);
});

testInShop('--jq that fails does not end an import in the middle', async ({ petstore, file }) => {
  for (const [index, format] of ['json', 'ndjson'].entries()) {
    const path = file(`${format}.csv`, `petId,quantity\n1,${index + 3}\n4,${index + 9}\n`);
    const { exitCode, stdout, stderr } = await petstore(['inventory', 'import', path, '--format', format, '--jq', 'error']);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/"message":"The change was made, but its result could not be filtered: --jq failed: /);
    expect((await petstore(words('inventory list', 'map(.quantity)'))).stdout).toBe(`[${index + 3},5,0,${index + 9},1]\n`);
  }
});

testInShop('--jq excludes other formats and --fields', async ({ petstore }) => {
  for (const format of ['table', 'tsv', 'csv', 'ids', 'count']) {
    const refusal = record('usage', `--jq and --format ${format} exclude each other.`, 2, 'Leave out --format: --jq filters JSON.');
    expect(await petstore(`pet list --format ${format} --jq .`)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(refusal) as unknown,
    });
  }
  const advice = 'Give the fields to --json, or choose them in the expression.';
  expect(await petstore('pet list --fields id --jq .')).toEqual(refused(2, record('usage', '--jq and --fields exclude each other.', 2, advice)));
  const { exitCode, stderr } = await petstore('pet list --json nothing,id --jq .');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('"unknown_field"')]);
  expect((await petstore('pet list --jq .[0].name', { environment: { PETSTORE_FORMAT: 'csv' } })).stdout).toBe('Rex\n');
});

testInShop('an error of the command is the same record as with --json', async ({ petstore }) => {
  expect(await petstore(words('pet view 99', '.name'))).toEqual(await petstore('pet view 99 --json'));
});

testInShop('--jq refuses the commands that write plain text', async ({ petstore }) => {
  for (const line of ['completion bash', 'serve --port 0']) {
    const message = `"${line.split(' ')[0]}" writes no JSON that --jq could filter.`;
    expect(await petstore(words(line, '.'))).toEqual(refused(2, record('usage', message, 2, 'Leave out --jq.')));
  }
});

testInShop('at a terminal control characters in strings are replaced', async ({ petstore }) => {
  const expression = '"\\u001b[31m\\u202e" + .name';
  expect((await petstore(words('pet view 1', expression), { terminal: 80 })).stdout).toBe('\uFFFD[31m\uFFFDRex\n');
  expect((await petstore(words('pet view 1', expression))).stdout).toBe('\u001B[31m\u202ERex\n');
});

testInShop('what an expression writes with debug goes to standard error', async ({ petstore }) => {
  expect(await petstore(words('pet view 1', '.name | debug'))).toEqual(done('Rex\n', '["DEBUG:","Rex"]\n'));
});

testInShop('the result keeps the exit code of the command', async ({ petstore, file }) => {
  const path = file('bad.csv', 'petId,quantity\n1,3\n99,1\n');
  expect(await petstore(['inventory', 'import', path, '--jq', '.rejected'])).toMatchObject({ exitCode: 6, stdout: '1\n' });
  expect(await petstore(words('inventory list --low --exit-status', 'length'))).toMatchObject({ stdout: '1\n', exitCode: 8 });
});

testWithoutShop('--jq filters the results of commands without a shop', async ({ petstore }) => {
  expect((await petstore(words('init', '.created'))).stdout).toBe('true\n');
  expect((await petstore(words('profile add till --store till.db', '.name'))).stdout).toContain('till');
});
