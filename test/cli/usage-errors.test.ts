import { expect } from 'vitest';
import { ledgerKind } from '../../src/domain/ledger/ledger-entry.js';
import { done, testInShop, refused, wordsOf } from '../support/cli.js';

const petFields = 'The fields are id, name, category, categoryId, status, quantity, reserved, available, hold, lowAt.';

/** Invalid command lines and their errors. */
const wrong: readonly (readonly [line: string, message: string, hint?: string])[] = [
  ['ptes', '"ptes" is not a command of petstore; did you mean "pets"?', 'petstore --help'],
  ['xylophone', '"xylophone" is not a command of petstore.', 'petstore --help'],
  ['pet lst', '"lst" is not a command of petstore pet; did you mean "list"?', 'petstore pet --help'],
  ['pet deelte 1', '"deelte" is not a command of petstore pet; did you mean "delete"?', 'petstore pet --help'],
  ['orders plase', '"plase" is not a command of petstore order; did you mean "place"?', 'petstore order --help'],
  ['inventory batch vew', '"vew" is not a command of petstore inventory batch; did you mean "view"?', 'petstore inventory batch --help'],
  ['inventory bach', '"bach" is not a command of petstore inventory; did you mean "batch"?', 'petstore inventory --help'],
  ['pet list --stauts sold', '"--stauts" is not a flag of petstore pet list; did you mean "--status"?', 'petstore pet list --help'],
  ['pet ls --categry Dogs', '"--categry" is not a flag of petstore pet list; did you mean "--category"?', 'petstore pet list --help'],
  ['pet list --stauts=sold', '"--stauts" is not a flag of petstore pet list; did you mean "--status"?', 'petstore pet list --help'],
  ['pet list --acto ana', '"--acto" is not a flag of petstore pet list; did you mean "--actor"?', 'petstore pet list --help'],
  [
    'inventory batch list --feilds id',
    '"--feilds" is not a flag of petstore inventory batch list; did you mean "--fields"?',
    'petstore inventory batch list --help',
  ],
  ['--format tsv pet list --stauts sold', '"--stauts" is not a flag of petstore pet list; did you mean "--status"?', 'petstore pet list --help'],
  ['log --from today', '"--from" is not a flag of petstore log; did you mean "--since"?', 'petstore log --help'],
  ['log --to=today', '"--to" is not a flag of petstore log; did you mean "--until"?', 'petstore log --help'],
  ['report movements --since today', '"--since" is not a flag of petstore report movements; did you mean "--from"?', 'petstore report movements --help'],
  ['order list --until today', '"--until" is not a flag of petstore order list; did you mean "--to"?', 'petstore order list --help'],
  ['order list --status complete', '"--status" is not a flag of petstore order list; did you mean "--complete"?', 'petstore order list --help'],
  ['order list --state=open', '"--state" is not a flag of petstore order list; did you mean "--open"?', 'petstore order list --help'],
  ['log --folow', '"--folow" is not a flag of petstore log; did you mean "--follow"?', 'petstore log --help'],
  ['pet list --xylophone', '"--xylophone" is not a flag of petstore pet list.', 'petstore pet list --help'],
  ['--formt json', '"--formt" is not a flag of petstore; did you mean "--format"?', 'petstore --help'],
  ['pet list -n', '"-n" is not a flag of petstore pet list.', 'petstore pet list --help'],
  ['pet list --key k', '"--key" is not a flag of petstore pet list.', 'petstore pet list --help'],
  ['pet list --status', 'The value of --status <status> is missing.', 'petstore pet list --help'],
  ['pet list --format', 'The value of --format <format> is missing.', 'petstore pet list --help'],
  ['pet view', 'Which pet?', 'See petstore pet list. For example: petstore pet view 7'],
  ['inventory set --expect 2', 'The pet and quantity are missing.', 'See petstore pet list. For example: petstore inventory set 7 12'],
  ['inventory set 1', 'The quantity is missing.', 'petstore inventory set --help'],
  ['category delete --move-to Cats', 'Which category?', 'See petstore category list. For example: petstore category delete Birds --move-to Others --dry-run'],
  ['pet list 7', 'petstore pet list takes no argument; "7" is one too many.', 'petstore pet list --help'],
  ['inventory set 1 2 3', 'petstore inventory set takes only 2 arguments; "3" is one too many.', 'petstore inventory set --help'],
  ['pet list --fields nmae', '"nmae" is not a field of this command; did you mean "name"?', petFields],
  ['pet list --fields id,xylophone', '"xylophone" is not a field of this command.', petFields],
  ['pet list --fields ""', '"" is not a field of this command.', petFields],
  ['pet list --fields ID', '"ID" is not a field of this command; did you mean "id"?', petFields],
  ['pet list --status Sold', '--status takes one of available, pending, sold, not "Sold"; did you mean "sold"?'],
  ['pet list --status availble', '--status takes one of available, pending, sold, not "availble"; did you mean "available"?'],
  ['log --kind sales', 'There is no kind "sales"; did you mean "sale"?'],
  ['log --kind xylophone', `--kind takes one of ${ledgerKind.options.join(', ')}, not "xylophone".`],
  ['pet create Rex', 'Which category?', 'Add --category Dogs; petstore category list shows all.'],
  ['pet create Rex Dogs 3', 'Give the quantity with --quantity.', 'petstore pet create Rex Dogs --quantity 3'],
  ['pet create --note 3 Rex 3 --category Cats', 'Give the quantity with --quantity.', 'petstore pet create --note 3 Rex --category Cats --quantity 3'],
  ['pet create Rex Dogs 3 4', 'petstore pet create takes only 2 arguments; "3" is one too many.', 'petstore pet create --help'],
  ['pet list dogs', 'Give the category with --category.', 'petstore pet list --category dogs'],
  ['pet list --category Cats dogs', 'petstore pet list takes no argument; "dogs" is one too many.', 'petstore pet list --help'],
  ['order place 3 2', 'Give the pet with --pet and the quantity with --quantity.', 'petstore order place --pet 3 --quantity 2'],
  ['order list Rex', 'Give the pet with --pet.', 'petstore order list --pet Rex'],
  ['log 3', 'Give the pet with --pet.', 'petstore log --pet 3'],
  ['category edit Dogs Hounds', 'Give the name with --name.', 'petstore category edit Dogs --name Hounds'],
  ['receive 3 x5', '"x5" is not a whole number of units.'],
  ['inventory set 3 2,5', '"2,5" is not a whole number of units.'],
  ['inventory adjust 3 +x5', '"+x5" is not a whole number of units.'],
  ['order place --quantity 2,5', '"2,5" is not a whole number of units.'],
  ['category create "Small dogs"', 'Give the name with --name.', 'petstore category create --name "Small dogs"'],
  ['token create till store:read', 'Give the scopes with --scope.', 'petstore token create till --scope store:read'],
  ['copy old.db new.db', 'Give the shop with --from and the shop with --to.', 'petstore copy --from old.db --to new.db'],
  ['report sales', 'There is no report "sales"; there are stock, movements, sell-through and dead-stock.', 'petstore report --help'],
  ['report sales --from x', 'There is no report "sales"; there are stock, movements, sell-through and dead-stock.', 'petstore report --help'],
  ['report movement --days 7', 'There is no report "movement"; did you mean "movements"?', 'petstore report --help'],
  ['report --from today', '"--from" is not a flag of petstore report.', 'petstore report --help'],
  ['pet lst --status sold', '"lst" is not a command of petstore pet; did you mean "list"?', 'petstore pet --help'],
  ['ptes --status sold', '"ptes" is not a command of petstore; did you mean "pets"?', 'petstore --help'],
  ['pet list --format jsno', '"jsno" is not a format; did you mean "json"?', 'The formats are table, tsv, csv, json, ndjson, ids, count.'],
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
  ['pet list -L 1.5', '--limit takes a whole number, not "1.5".'],
  ['pet list --color maybe', '--color takes auto, always or never, not "maybe".'],
  ['pet list --wait soon', '--wait takes a number of seconds from 0 to 3600, not "soon".'],
  ['pet list --wait -1', '--wait takes a number of seconds from 0 to 3600, not "-1".'],
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
  ['help ordr', '"ordr" is neither a command nor a help topic; did you mean "order"?', 'petstore help order'],
  ['help pet vew', '"vew" is not a command of petstore pet; did you mean "view"?', 'petstore pet --help'],
];

for (const [line, message, hint] of wrong) {
  testInShop(`${line}: ${message}`, async ({ petstore, expectUnchanged }) => {
    const errors = [`error: ${message}`, ...(hint === undefined ? [] : [`hint: ${hint}`])];
    expect(await expectUnchanged(() => petstore(line))).toEqual(refused(2, ...errors));
    expect(await petstore(line, { terminal: 1000, environment: { PETSTORE_NO_INPUT: '1' } })).toEqual(refused(2, ...errors));
  });
}

/** Lines in which --json takes the next word as its value, and the intended line. */
const swallowed: readonly (readonly [line: string, value: string, repaired: string])[] = [
  ['pet view --json 7', '7', 'petstore pet view 7 --json'],
  ['pet view --json 7 8', '7', 'petstore pet view 7 8 --json'],
  ['pet view 7 --json 8', '8', 'petstore pet view 7 8 --json'],
  ['category view --json Dogs', 'Dogs', 'petstore category view Dogs --json'],
  ['inventory set --json 7 12', '7', 'petstore inventory set 7 12 --json'],
  ['inventory set --json 7 -- -1', '7', 'petstore inventory set 7 --json -- -1'],
  ['inventory import --json recount.csv', 'recount.csv', 'petstore inventory import recount.csv --json'],
];

for (const [line, value, repaired] of swallowed) {
  testInShop(`${line}: suggests the corrected line`, async ({ petstore, expectUnchanged }) => {
    const { exitCode, stdout, stderr } = await expectUnchanged(() => petstore(line, { stdin: '' }));
    expect([exitCode, stdout, JSON.parse(stderr)]).toEqual([
      2,
      '',
      { error: { code: 'usage', message: `--json takes a list of fields, not "${value}".`, status: 400, exitCode: 2, hint: repaired } },
    ]);
  });
}

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

testInShop('--json with fields for a command without fields suggests the correct line', async ({ petstore, file }) => {
  const count = file('a count.csv', 'petId,quantity\n1,1\n');
  const error = { code: 'unknown_field', message: '"inventory diff" has no fields to choose from.', status: 400, exitCode: 2 };
  for (const json of [['--json', 'petId'], ['--json=petId']]) {
    for (const words of [
      ['inventory', 'diff', count, ...json],
      ['inventory', 'diff', ...json, '--', count],
    ]) {
      const refusal = await petstore(words);
      const { hint, ...rest } = (JSON.parse(refusal.stderr) as { readonly error: { readonly hint: string } }).error;
      expect([refusal.exitCode, rest]).toEqual([2, error]);
      expect(await petstore(wordsOf(hint).slice(1))).toMatchObject({ exitCode: 0, stderr: '' });
    }
  }
});

/** A refusal in each JSON format prints nothing to standard output and one object to standard error. */
const asJson = ['pet view 99 --json', 'pet view 99 --format json', 'pet view 99 --format=ndjson', 'pet view --json=id 99'];

for (const line of asJson) {
  testInShop(`${line}: prints the error as one object on standard error`, async ({ petstore }) => {
    const error = { code: 'pet_not_found', message: 'Pet 99 was not found.', status: 404, exitCode: 3, hint: 'petstore pet list' };
    const expected = { exitCode: 3, stdout: '', stderr: `${JSON.stringify({ error })}\n` };
    expect(await petstore(line)).toEqual(expected);
    expect(await petstore(line, { terminal: 1000, environment: { NO_COLOR: '', FORCE_COLOR: '1' } })).toEqual(expected);
  });
}

testInShop('prints errors as JSON when PETSTORE_FORMAT is json, also usage errors', async ({ petstore }) => {
  const environment = { PETSTORE_FORMAT: 'json' };
  expect(JSON.parse((await petstore('pet view 99', { environment })).stderr)).toMatchObject({ error: { code: 'pet_not_found' } });
  expect(JSON.parse((await petstore('pet lst', { environment })).stderr)).toMatchObject({ error: { code: 'unknown_command', exitCode: 2 } });
  expect(JSON.parse((await petstore('pet list --stauts x --json')).stderr)).toMatchObject({ error: { code: 'usage', exitCode: 2 } });
  expect(JSON.parse((await petstore('pet view --json')).stderr)).toMatchObject({
    error: {
      code: 'usage',
      message: 'Which pet?',
      hint: 'See petstore pet list. For example: petstore pet view 7',
    },
  });
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
  ['pet view abc', 3],
  ['pet view 01', 2],
  ['pet view 1e3', 2],
  ['pet view +1', 2],
  ['pet view 1.0', 2],
  ['pet view 0x1', 2],
  ['pet view 0', 2],
  ['pet view -1', 2],
  ['pet view 9223372036854775808', 2],
  ['pet view 9223372036854775807', 3],
  ['pet view 9007199254740993', 3],
  ['pet view 9007199254740991', 3],
  ['order view abc', 2],
  ['inventory view 1e3', 2],
  ['inventory batch view 01', 2],
  ['order place --pet abc', 6],
  ['order list --pet 01', 2],
  ['log --pet x', 6],
  ['order list --pet x', 6],
  ['log --pet 1.5', 2],
  ['inventory set 1 -1', 6],
  ['inventory set 1 2147483648', 6],
  ['inventory set 1 99999999999999999999', 6],
  ['inventory set 1 abc', 2],
  ['inventory set 1 1.5', 2],
  ['inventory set 1 1e3', 2],
  ['inventory set 1 ""', 2],
  ['inventory set 1 0x10', 2],
  ['inventory set 1 1,000', 2],
  ['inventory set 1 １', 2],
  ['inventory set 1 5 --expect -1', 6],
  ['inventory set 1 5 --expect x', 2],
  ['inventory adjust 1 1.5', 2],
  ['inventory adjust 1 --5', 2],
  ['inventory adjust 1 2147483648', 6],
  ['pet create --name A --category Dogs --quantity 1.5', 2],
  ['pet create --name A --category Dogs --quantity -1', 6],
  ['pet create --name A --category Dogs --quantity 2147483648', 6],
  ['pet create --name A --category Dogs --status Sold', 2],
  ['pet create --name A --category Nope', 6],
  ['pet create --name A --category 99', 6],
  ['pet create --name A --category 9007199254740993', 6],
  ['pet create --name "" --category Dogs', 6],
  ['pet edit 1 --category Nope', 6],
  ['pet edit 1 --category 9007199254740993', 6],
  ['pet list --category Nope', 6],
  ['pet list --category 99', 6],
  ['pet list --category Dogs --category 99', 6],
  ['inventory list --category 99', 6],
  ['inventory list --category Nope', 6],
  ['category view Nope', 3],
  ['order place --pet 99', 6],
  ['order place --quantity 1.5', 2],
  ['order place --quantity 2147483648', 6],
  ['order complete 99', 3],
  ['pet hold 1 --key ""', 2],
];

for (const [line, exitCode] of numbers) {
  testInShop(`${line} exits with ${exitCode}`, async ({ petstore, expectUnchanged }) => {
    const ran = await expectUnchanged(() => petstore(line));
    expect([ran.exitCode, ran.stdout, ran.stderr.split('\n')[0]]).toEqual([exitCode, '', expect.stringMatching(/^error: .*[.?]$/)]);
  });
}

testInShop('accepts the largest quantity', async ({ petstore }) => {
  expect(await petstore('inventory set 1 2147483647')).toEqual(done('✓ Pet 1 (Rex): 1 → 2147483647 on hand.\n'));
  expect(await petstore('inventory set 1 0012')).toEqual(done('✓ Pet 1 (Rex): 2147483647 → 12 on hand.\n'));
});
