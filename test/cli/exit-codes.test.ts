import { exitCodes } from '../../src/cli/exit-codes.js';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { commandEntry } from '../../src/cli/help/describe-command.js';
import { everyCommand } from '../../src/cli/command-groups.js';
import { errorCodes, errorStatuses, type ErrorCode } from '../../src/domain/errors.js';
import { runAll, testInShop, type CliFixture } from '../support/cli.js';

const commands = (await everyCommand()).map(({ command, groupAliases }) => commandEntry(command, groupAliases));

/** Figures of pets whose sum overflows, which causes an internal error. */
const overflow = 'UPDATE stock SET reserved = 9223372036854775807';

/** The commands before a refusal, and the refused command line. */
interface Refusal {
  readonly code: ErrorCode;
  readonly exitCode: number;
  readonly line: string;
  readonly stdin?: string | Uint8Array;
  readonly before?: (cli: CliFixture) => Promise<unknown> | void;
}

const refusal = (exitCode: number, code: ErrorCode, line: string, before?: Refusal['before']): Refusal => ({ code, exitCode, line, ...(before && { before }) });
const file = (code: ErrorCode, stdin: string | Uint8Array, flags = ''): Refusal => ({ code, exitCode: 6, line: `inventory import - ${flags}`, stdin });

const refusals: readonly Refusal[] = [
  refusal(1, 'internal_error', 'report stock', ({ sql }) => sql(overflow)),
  refusal(2, 'usage', 'order view abc'),
  refusal(2, 'unknown_command', 'pet lst'),
  refusal(2, 'unknown_field', 'pet list --fields nope'),
  refusal(2, 'confirmation_required', 'pet delete 1 --no-input'),
  refusal(2, 'input_required', 'pet create'),
  refusal(2, 'ambiguous_category', 'category view cAts', ({ sql }) => sql("UPDATE categories SET name = 'CATS', folded = 'cats' WHERE id = 1")),
  refusal(2, 'ambiguous_pet', 'pet view rEX', (cli) => runAll(cli, ['pet edit 2 --name REX'])),
  refusal(3, 'pet_not_found', 'pet view 99'),
  refusal(3, 'pet_not_found', 'sell 99'),
  refusal(3, 'pet_not_found', 'sell 4 99x2'),
  refusal(3, 'pet_not_found', 'count start 4 99'),
  refusal(3, 'pet_not_found', 'count add 99 5', (cli) => runAll(cli, ['count start'])),
  refusal(3, 'category_not_found', 'category view Nope'),
  refusal(3, 'order_not_found', 'order view 4'),
  refusal(3, 'batch_not_found', 'inventory batch view 1'),
  refusal(3, 'entry_not_found', 'inventory undo --entry 999'),
  refusal(3, 'token_not_found', 'token revoke till --yes'),
  refusal(3, 'session_not_found', 'session end 3f9a0c1b7d24 --yes'),
  refusal(3, 'count_not_found', 'count status'),
  refusal(3, 'hook_not_found', 'hook view 9'),
  refusal(3, 'line_not_found', 'count undo', (cli) => runAll(cli, ['count start'])),
  refusal(4, 'already_counting', 'count start --category Dogs', (cli) => runAll(cli, ['count start 1'])),
  refusal(4, 'nothing_to_count', 'count start --search nothing'),
  refusal(4, 'count_not_open', 'count add 1 4 5', (cli) => runAll(cli, ['count start', 'count cancel --yes'])),
  refusal(4, 'not_in_count', 'count add 4 5', (cli) => runAll(cli, ['count start 1'])),
  refusal(4, 'not_undoable', 'inventory undo --entry 4'),
  refusal(4, 'already_undone', 'inventory undo --entry 18', (cli) => runAll(cli, ['inventory adjust 4 +1', 'inventory undo --entry 18'])),
  refusal(4, 'insufficient_stock', 'order place --pet 2 --quantity 4'),
  refusal(4, 'out_of_stock', 'inventory adjust 4 -99'),
  refusal(4, 'stock_reserved', 'inventory set 2 1'),
  refusal(4, 'pet_on_hold', 'order place --pet 5'),
  refusal(4, 'status_conflict', 'pet edit 4 --status sold'),
  refusal(4, 'order_complete', 'order edit 2 --quantity 9'),
  refusal(4, 'order_incomplete', 'order complete 3'),
  refusal(4, 'pet_has_open_orders', 'pet delete 2 --yes'),
  refusal(4, 'pet_in_stock', 'pet delete 4 --yes'),
  refusal(4, 'category_in_use', 'category delete Dogs --yes'),
  refusal(4, 'category_exists', 'category create --name dogs'),
  refusal(4, 'code_taken', 'code add 2 ring-1', (cli) => runAll(cli, ['code add 1 ring-1'])),
  refusal(3, 'code_not_found', 'code remove nope'),
  refusal(4, 'stock_changed', 'inventory set 4 5 --expect 6'),
  refusal(6, 'validation_failed', 'inventory set 1 -1'),
  refusal(6, 'unknown_pet', 'order place --pet 99'),
  refusal(6, 'unknown_category', 'pet create --name A --category Nope'),
  refusal(6, 'idempotency_key_reused', 'pet hold 2 --key k', (cli) => runAll(cli, ['pet hold 1 --key k'])),
  file('not_utf8', Buffer.from('petId,quantity\n1,5\n\xff', 'latin1')),
  file('malformed_csv', 'petId,quantity\n1,"5\n'),
  file('malformed_json', '[{"petId":1,'),
  file('empty_file', ''),
  file('missing_column', 'petId\n1\n'),
  file('unknown_column', 'petId,qty\n1,5\n'),
  file('duplicate_column', 'petId,petId,quantity\n1,1,5\n'),
  file('ambiguous_columns', 'petId,quantity,delta\n1,5,1\n'),
  refusal(7, 'store_missing', 'pet list --store /nowhere/shop.db'),
  refusal(
    7,
    'store_unreadable',
    'pet list',
    ({ file: write }) => void write('shop.db', 'This is not a database, though it is long enough to be one.'.repeat(20)),
  ),
  refusal(7, 'hook_failed', 'hook test 1', (cli) => runAll(cli, ['hook create http://127.0.0.1:1/ --allow-private'])),
  refusal(7, 'schema_too_new', 'pet list', ({ sql }) => sql('PRAGMA user_version = 99')),
];

/** The exit codes that `petstore commands` lists for the command of a line. */
function listedCodes(line: string): readonly number[] {
  const words = line.split(' ');
  const found = commands.find((entry) => entry.command.split(' ').every((word, index) => word === words[index]));
  return found?.exitCodes ?? [2];
}

for (const { code, exitCode, line, stdin, before } of refusals) {
  testInShop(`${code} ends with ${exitCode}: ${line}`, async (cli) => {
    await before?.(cli);
    const around = stdin === undefined ? {} : { stdin };
    const told = await cli.petstore(`${line} --json`, around);
    expect([told.exitCode, told.stdout]).toEqual([exitCode, '']);
    expect(JSON.parse(told.stderr)).toMatchObject({ error: { code, exitCode, status: errorStatuses[code], message: expect.stringMatching(/^\S+ .*\S$/) } });
    const people = await cli.petstore(line, { ...around, terminal: 80, environment: { PETSTORE_NO_INPUT: '1' } });
    expect([people.exitCode, people.stdout, people.stderr.startsWith('error: ')]).toEqual([exitCode, '', true]);
    expect(listedCodes(line)).toContain(exitCode);
  });
}

testInShop('exit codes after prompts are among the listed codes', async ({ petstore }) => {
  for (const [line, stdin] of [['inventory list --exit-status'], ['inventory diff - --quiet', 'petId,quantity\n1,5\n']] as const) {
    const { exitCode } = await petstore(line, stdin === undefined ? {} : { stdin });
    expect([line, exitCode, listedCodes(line).includes(exitCode)]).toEqual([line, 8, true]);
  }
});

test('every command that opens a shop lists the exit code for a refused token', () => {
  for (const line of ['pet list', 'inventory diff', 'inventory import', 'pet import']) expect([line, listedCodes(line).includes(9)]).toEqual([line, true]);
});

testInShop('store_busy ends with 7 when another process keeps the lock', async ({ petstore, store }) => {
  const other = new Database(store);
  other.exec('BEGIN IMMEDIATE');
  try {
    const { exitCode, stdout, stderr } = await petstore('pet hold 1 --wait 0.05');
    expect([exitCode, stdout]).toEqual([7, '']);
    expect(stderr).toBe(`error: ${store} is locked by another process; waited 0.05 s.\nhint: Try again, or wait longer with --wait <seconds>.\n`);
    // Reads do not wait for the lock.
    expect((await petstore('pet list --wait 0')).exitCode).toBe(0);
  } finally {
    other.exec('ROLLBACK');
    other.close();
  }
});

testInShop('an import whose rows are partly refused ends with 5', async ({ petstore }) => {
  const { exitCode, stdout } = await petstore('inventory import - --keep-going --json', { stdin: 'petId,quantity\n1,5\n99,1\n' });
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([5, { applied: 1, rejected: 1 }]);
  expect(exitCodes.partial_failure).toBe(5);
});

testInShop('success, no change, an empty list and a replay exit with 0', async ({ petstore }) => {
  const lines = [
    'pet list',
    'pet list --search nobody',
    'pet hold 5',
    'pet hold 1 --key k',
    'pet hold 1 --key k',
    'help',
    '--version',
    'pet --help',
    'pet',
    '',
  ];
  for (const line of lines) expect([line, (await petstore(line)).exitCode]).toEqual([line, 0]);
});

testInShop('an SQL error that is not caused by the tables is no damage: its message is printed, and --debug suggested', async ({ petstore, sql }) => {
  sql(overflow);
  const { stderr } = await petstore('report stock');
  expect(stderr).toBe('error: Internal error: integer overflow\nhint: Run the command again with --debug and report the output.\n');
});

/** Codes that no command can end with, and why. */
const testedElsewhere: Readonly<Partial<Record<ErrorCode, string>>> = {
  ...withReason('only over HTTP', [
    'invalid_request',
    'unknown_parameter',
    'invalid_cursor',
    'unauthenticated',
    'invalid_token',
    'insufficient_scope',
    'origin_not_allowed',
    'not_found',
    'method_not_allowed',
    'not_acceptable',
    'request_timeout',
    'idempotency_in_progress',
    'cursor_expired',
    'cursor_unknown',
    'not_implemented',
    'precondition_failed',
    'precondition_required',
    'payload_too_large',
    'uri_too_long',
    'unsupported_media_type',
    'import_refused',
    'misdirected_request',
    'rate_limited',
    'headers_too_large',
    'overloaded',
    'shutting_down',
    'timeout',
  ]),
  ...withReason('the command line checks arguments first', ['invalid_parameter']),
  ...withReason('see backup.test.ts', ['file_exists']),
  ...withReason('its reasons come before it; see counts.test.ts', ['count_refused']),
  ...withReason('needs two shops; see copy.test.ts', ['store_not_empty']),
  ...withReason('these shops are files', ['store_unreachable']),
  ...withReason('needs a full disk or a user other than root', ['store_full', 'store_read_only', 'output_failed']),
  ...withReason('needs a prompt; see test/e2e', ['cancelled']),
  ...withReason('only in the report of an import; see stock-import.test.ts', [
    'invalid_pet_id',
    'invalid_quantity',
    'duplicate_row',
    'malformed_row',
    'unknown_code',
    'partial_failure',
  ]),
  ...withReason('tested above with a lock', ['store_busy']),
};

function withReason(reason: string, codes: readonly ErrorCode[]): Readonly<Partial<Record<ErrorCode, string>>> {
  return Object.fromEntries(codes.map((code) => [code, reason]));
}

test('every error code is tested here or listed as tested elsewhere', () => {
  const reached = new Set([...refusals.map(({ code }) => code), ...Object.keys(testedElsewhere)]);
  expect(errorCodes.filter((code) => !reached.has(code))).toEqual([]);
  expect(refusals.map(({ code }) => code).filter((code) => code in testedElsewhere)).toEqual([]);
});
