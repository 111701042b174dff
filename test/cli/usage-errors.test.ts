import { expect } from 'vitest';
import { ledgerKind } from '../../src/domain/ledger/ledger-entry.js';
import { done, testInShop, refused } from '../support/cli.js';

const petFields = 'The fields are id, name, category, categoryId, status, quantity, reserved, available, hold, lowAt.';

/** Invalid command lines and their errors. */
const wrong: readonly (readonly [line: string, message: string, hint?: string])[] = [
  ['ptes', '"ptes" is not a command of petstore; did you mean "pets"?', 'petstore --help'],
  ['xylophone', '"xylophone" is not a command of petstore.', 'petstore --help'],
  ['pet lst', '"lst" is not a command of petstore pet; did you mean "list"?', 'petstore pet --help'],
  ['inventory count', '"count" is not a command of petstore inventory; did you mean "petstore count"?', 'petstore count --help'],
  ['report sales', '"sales" is not a command of petstore report; did you mean "petstore report movements"?', 'petstore report movements --help'],
  ['help inventory receive', '"receive" is not a command of petstore inventory; did you mean "petstore receive"?', 'petstore receive --help'],
  ['inventory batch vew', '"vew" is not a command of petstore inventory batch; did you mean "view"?', 'petstore inventory batch --help'],
  ['pet list --stauts sold', '"--stauts" is not a flag of petstore pet list; did you mean "--status"?', 'petstore pet list --help'],
  ['pet list --xylophone', '"--xylophone" is not a flag of petstore pet list.', 'petstore pet list --help'],
  ['--formt json', '"--formt" is not a flag of petstore; did you mean "--format"?', 'petstore --help'],
  ['pet list -n', '"-n" is not a flag of petstore pet list.', 'petstore pet list --help'],
  ['pet list --status', 'The value of --status <status> is missing.', 'petstore pet list --help'],
  ['pet list 7', 'petstore pet list takes no argument; "7" is one too many.', 'petstore pet list --help'],
  ['inventory set 1 2 3', 'petstore inventory set takes only 2 arguments; "3" is one too many.', 'petstore inventory set --help'],
  ['pet list --fields nmae', '"nmae" is not a field of this command; did you mean "name"?', petFields],
  ['pet list --fields id,xylophone', '"xylophone" is not a field of this command.', petFields],
  ['pet list --fields ""', '"" is not a field of this command.', petFields],
  ['pet list --fields id,id', 'The field "id" is given twice.'],
  ['pet view 9223372036854775808', '9223372036854775808 is above the largest id, 9223372036854775807.'],
  ['pet list --status Sold', '--status takes one of available, pending, sold, not "Sold"; did you mean "sold"?'],
  ['log --kind xylophone', `--kind takes one of ${ledgerKind.options.join(', ')}, not "xylophone".`],
  ['pet create Rex Dogs 3 4', 'petstore pet create takes only 3 arguments; "4" is one too many.', 'petstore pet create --help'],
  ['order place --quantity 2,5', '"2,5" is not a whole number of units.'],
  ['report --from today', '"--from" is not a flag of petstore report.', 'petstore report --help'],
  ['pet list --color alwys', '--color takes auto, always or never, not "alwys"; did you mean "always"?'],
  [
    'token create t --scope pets:raed',
    '--scope takes one or more of pets:read, pets:write, store:read, store:write, admin, not "pets:raed"; did you mean "pets:read"?',
  ],
  ['pet view 1.5', '"1.5" is not the id of a pet; ids are whole numbers from 1.'],
  ['order list --pet 007', '--pet: "007" is not the id of a pet; ids are whole numbers from 1.'],
  ['order view $(rm)', '"$(rm)" is not the id of an order; ids are whole numbers from 1.'],
  ['pet list --sort price', '--sort takes one of id, -id, name, -name, not "price".'],
  ['pet list -L 0', '--limit takes a number of at least 1, not "0".'],
  ['pet list --color maybe', '--color takes auto, always or never, not "maybe".'],
  ['pet list --wait soon', '--wait takes a number of seconds from 0 to 3600, not "soon".'],
  [
    'pet list --store ftp://shop',
    'ftp:// is not an address of a shop; give the path of a file, the http(s):// address of a server, or the postgres:// address of a database.',
    'petstore help stores',
  ],
  [
    'order list --from soon',
    '--from takes a day such as today, yesterday, 7d or 2026-11-20, or a time such as 2026-11-20T09:30, "2026-11-20 09:30:15", 2026-11-20T09:30Z or 2026-11-20T09:30+01:00, not "soon".',
  ],
  [
    'log --since 2026-02-30',
    '--since takes a day such as today, yesterday, 7d or 2026-11-20, or a time such as 2026-11-20T09:30, "2026-11-20 09:30:15", 2026-11-20T09:30Z or 2026-11-20T09:30+01:00, not "2026-02-30": February 2026 has 28 days.',
  ],
  ['help xylophone', '"xylophone" is neither a command nor a help topic.', 'petstore help topics'],
  ['help exitcode', '"exitcode" is neither a command nor a help topic; did you mean "exit-codes"?', 'petstore help exit-codes'],
  ['help pet vew', '"vew" is not a command of petstore pet; did you mean "view"?', 'petstore pet --help'],
];

testInShop('a wrong command line is refused with what is wrong and what to do', async ({ petstore, expectUnchanged }) => {
  for (const [line, message, hint] of wrong) {
    const errors = [`error: ${message}`, ...(hint === undefined ? [] : [`hint: ${hint}`])];
    expect([line, await expectUnchanged(() => petstore(line))]).toEqual([line, refused(2, ...errors)]);
  }
});

/** Lines in which --json takes the next word as its value, and the intended line. */
const swallowed: readonly (readonly [line: string, value: string, repaired: string])[] = [
  ['pet view --json 7', '7', 'petstore pet view 7 --json'],
  ['pet view --json 7 8', '7', 'petstore pet view 7 8 --json'],
  ['pet view 7 --json 8', '8', 'petstore pet view 7 8 --json'],
  ['category view --json Dogs', 'Dogs', 'petstore category view Dogs --json'],
  ['inventory set --json 7 12', '7', 'petstore inventory set 7 12 --json'],
  ['inventory set --json 7 -- -1', '7', 'petstore inventory set 7 --json -- -1'],
  ['inventory import --json recount.csv', 'recount.csv', 'petstore inventory import recount.csv --json'],
  ['pet --json list', 'list', 'petstore pet list --json'],
  ['pet --json view 7', 'view', 'petstore pet view 7 --json'],
  ['--utc inventory batch --json ls', 'ls', 'petstore --utc inventory batch ls --json'],
];

testInShop('a word that --json takes as its fields is refused with the corrected line', async ({ petstore, expectUnchanged }) => {
  for (const [line, value, repaired] of swallowed) {
    const { exitCode, stdout, stderr } = await expectUnchanged(() => petstore(line, { stdin: '' }));
    const error = { code: 'usage', message: `--json takes a list of fields, not "${value}".`, status: 400, exitCode: 2, hint: repaired };
    expect([line, exitCode, stdout, JSON.parse(stderr)]).toEqual([line, 2, '', { error }]);
  }
});

testInShop('an argument behind "--" is not taken for --json', async ({ petstore }) => {
  expect(await petstore('find -- --json 7')).toEqual(done(''));
});

testInShop('--json accepts fields separated by commas and names an unknown one', async ({ petstore }) => {
  const unknown = async (line: string) => JSON.parse((await petstore(line)).stderr) as unknown;
  const error = { code: 'unknown_field', message: '"nmae" is not a field of this command; did you mean "name"?', status: 400, exitCode: 2, hint: petFields };
  expect(await unknown('pet list --json id,nmae')).toEqual({ error });
  expect(await unknown('pet list --json=nmae')).toEqual({ error });
  expect(await unknown('pet list --json nmae,id')).toEqual({ error });
  // The same for a command without further arguments.
  expect(await unknown('pet list --json nmae')).toEqual({ error });
  expect(await unknown('pet view 1 --json nmae')).toMatchObject({ error: { code: error.code, message: error.message } });
  const figure = { message: '"pets" is not a field of this command.', hint: 'The fields are figure, value.' };
  expect(await unknown('status --json pets')).toMatchObject({ error: { code: 'unknown_field', ...figure } });
});

testInShop('a command without fields refuses fields', async ({ petstore }) => {
  for (const fields of ['--json petId', '--json=petId', '--json --fields petId']) {
    const { exitCode, stderr } = await petstore(`inventory diff count.csv ${fields}`);
    expect([fields, exitCode, JSON.parse(stderr)]).toMatchObject([fields, 2, { error: { message: '"inventory diff" has no fields to choose from.' } }]);
  }
});

testInShop('each JSON format prints an error as one object on standard error', async ({ petstore }) => {
  const error = { code: 'pet_not_found', message: 'Pet 99 was not found.', status: 404, exitCode: 3, hint: 'petstore pet list' };
  for (const line of ['pet view 99 --json', 'pet view 99 --format=ndjson', 'pet view --json=id 99'])
    expect([line, await petstore(line, { terminal: 80 })]).toEqual([line, { exitCode: 3, stdout: '', stderr: `${JSON.stringify({ error })}\n` }]);
});

testInShop('prints errors as JSON when PETSTORE_FORMAT is json, also usage errors', async ({ petstore }) => {
  const environment = { PETSTORE_FORMAT: 'json' };
  expect(JSON.parse((await petstore('pet view 99', { environment })).stderr)).toMatchObject({ error: { code: 'pet_not_found' } });
  expect(JSON.parse((await petstore('pet lst', { environment })).stderr)).toMatchObject({ error: { code: 'unknown_command', exitCode: 2 } });
  expect(JSON.parse((await petstore('pet view 99 --format csv --json')).stderr)).toMatchObject({
    error: { code: 'usage', message: '--format csv and --json exclude each other.' },
  });
  expect(JSON.parse((await petstore('pet view 99 --format json --json')).stderr)).toMatchObject({ error: { code: 'pet_not_found' } });
  // The last --format is used.
  expect(JSON.parse((await petstore('pet view 99 --format csv --format=json')).stderr)).toMatchObject({ error: { code: 'pet_not_found' } });
  expect((await petstore('pet view 99 --format tsv', { environment })).stderr).toBe('error: Pet 99 was not found.\nhint: petstore pet list\n');
});

/** Arguments: a wrong type is a usage error (2), a value out of range a validation error (6), an unassigned id not found (3). */
const numbers: readonly (readonly [line: string, exitCode: number])[] = [
  ['pet view 01', 2],
  ['pet view 0', 2],
  ['pet view -1', 2],
  ['order place --pet abc', 6],
  ['inventory set 1 2147483648', 6],
  ['inventory set 1 abc', 2],
  ['inventory set 1 １', 2],
  ['inventory set 1 5 --expect -1', 6],
  ['pet create --name A --category Dogs --quantity -1', 6],
  ['pet create --name "" --category Dogs', 6],
  ['pet list --category Nope', 6],
  ['pet hold 1 --key ""', 2],
];

testInShop('a wrong type, a value out of range and an unassigned id end with their exit codes', async ({ petstore, expectUnchanged }) => {
  for (const [line, exitCode] of numbers) {
    const ran = await expectUnchanged(() => petstore(line));
    expect([line, ran.exitCode, ran.stdout, ran.stderr.split('\n')[0]]).toEqual([line, exitCode, '', expect.stringMatching(/^error: .*[.?]$/)]);
  }
});

testInShop('words behind the arguments are the values of the flags that take words', async ({ petstore }) => {
  for (const [line, sentence] of [
    ['category create "Small dogs"', 'Would create category 4 (Small dogs).'],
    ['pet create Max Dogs 3', 'Would create pet 6 (Max, Dogs): 3 on hand, available.'],
    ['order place Koi 2', 'Would reserve 2 × Koi: 37 → 35 available (order 5).'],
    ['token create till store:read', 'Would create token 1 (till).'],
  ] as const)
    expect([line, (await petstore(`${line} --dry-run`)).stdout]).toEqual([line, `${sentence} Dry run: nothing was changed.\n`]);
});

testInShop('accepts the largest quantity', async ({ petstore }) => {
  expect(await petstore('inventory set 1 2147483647 --yes')).toEqual(done('✓ Pet 1 (Rex): 1 → 2147483647 on hand.\n'));
  expect(await petstore('inventory set 1 0012')).toEqual(done('✓ Pet 1 (Rex): 2147483647 → 12 on hand.\n'));
});
