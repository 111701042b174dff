import { expect, test } from 'vitest';
import type { Command } from '../src/cli/command.js';
import { flagSpelling, flagSummary } from '../src/cli/flags.js';
import { groups } from '../src/cli/command-groups.js';
import { operations, type AnyOperation } from '../src/domain/operations.js';

const commands: readonly Command[] = (await Promise.all(groups.map(({ load }) => load()))).flat();
const all: readonly AnyOperation[] = operations;

/** The fields of an object schema. */
function fieldsOf(schema: unknown): readonly string[] {
  return Object.keys((schema as { readonly entries: object }).entries);
}

function repeated(values: readonly string[]): readonly string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

test('every operation has a unique id, and a unique method and path', () => {
  expect(repeated(all.map(({ id }) => id))).toEqual([]);
  expect(repeated(all.map(({ method, path }) => `${method} ${path}`))).toEqual([]);
});

for (const operation of all) {
  const { id, summary, tag, kind, method, path, status, input, paged, stability, deprecated } = operation;
  test(`${id} is a complete entry of the contract`, () => {
    expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
    expect(summary).toMatch(/^[A-Z][^.]{5,60}$/);
    expect(['Pets', 'Codes', 'Store']).toContain(tag);
    expect(['stable', 'beta', 'experimental']).toContain(stability);
    expect(path).toMatch(/^(\/([a-z]+(-[a-z]+)*|\{(?:[a-z]+Id|code)\}))+$/);
    expect(path.startsWith(tag === 'Store' ? '/store/' : '/')).toBe(true);
    expect(tag === 'Pets' && path.startsWith('/store/')).toBe(false);
    // Path parameters are required; a body goes with the methods that have one.
    const fields = fieldsOf(input);
    for (const [, parameter = ''] of path.matchAll(/\{(\w+)\}/g)) expect(fields).toContain(parameter);
    if (method === 'GET' || method === 'DELETE') expect(fields).not.toContain('body');
    expect(kind === 'read').toBe(method === 'GET');
    if (kind === 'read') expect(status).toBe(200);
    if (paged) expect([method, ...fields]).toEqual(expect.arrayContaining(['GET', 'limit', 'cursor', 'sort', 'count']));
    if (deprecated) expect([deprecated.since < deprecated.sunset, all.some((other) => other.path === deprecated.successor)]).toEqual([true, true]);
  });
}

/** The operations by POST that make a record; the others change one that exists. */
const creating = ['createPet', 'addCode', 'createCategory', 'placeOrder', 'undoEntry', 'startCount'];
/** A DELETE that keeps its record returns it. */
const deletesWithBody = ['releasePet', 'undoCountLine'];

test('the status of success follows from the method', () => {
  for (const { id, method, status } of all) {
    const expected = creating.includes(id) ? 201 : method === 'DELETE' && !deletesWithBody.includes(id) ? 204 : 200;
    expect([id, status]).toEqual([id, expected]);
  }
});

/** Operations that no command calls, and why. */
const uncalledOperations: Readonly<Record<string, string>> = {
  identifyPet: 'every argument that names a pet calls it',
  getCode: 'the command line calls identifyPet',
  getPet: 'pet view calls its successor getPetDetails',
  replacePet: 'pet edit changes only the given fields',
  replaceCategory: 'category edit changes only the given fields',
};

test('every operation is called by a command or is in the list of exceptions', () => {
  const asked = new Set(commands.flatMap((command) => command.operations.map(({ id }) => id)));
  expect(
    all
      .map(({ id }) => id)
      .filter((id) => !asked.has(id))
      .toSorted(),
  ).toEqual(Object.keys(uncalledOperations).toSorted());
  expect([...asked].filter((id) => !all.some((operation) => operation.id === id))).toEqual([]);
});

/** Why commands call no operation. */
const commandsWithoutOperation: Readonly<Record<string, readonly string[]>> = {
  'creates the shop': ['init'],
  'copies every table, or the file of the shop': ['copy', 'backup', 'restore'],
  'checks the tables and the file': ['doctor'],
  'serves or describes the operations': ['serve', 'mcp', 'openapi'],
  'works for the shell, or describes the program': ['completion', 'commands', 'version'],
  'sends a file, not a request': ['pet import', 'code import', 'inventory import', 'inventory diff', 'inventory edit'],
  'reads or changes the settings of the user': [
    'config list',
    'config get',
    'config set',
    'config path',
    'profile list',
    'profile add',
    'profile use',
    'profile remove',
  ],
  'works only on the machine of the shop': ['token create', 'token list', 'token revoke', 'session list', 'session end'],
  'sends or is changed only on the machine of the shop': ['hook create', 'hook edit', 'hook delete', 'hook rotate', 'hook resend', 'hook test', 'hook deliver'],
};

/** The words of a command without its arguments. */
const wordsBefore = ({ path }: Command): string => path.join(' ');

test('every command calls an operation or is in the list of exceptions', () => {
  expect(
    commands
      .filter((command) => command.operations.length === 0)
      .map(wordsBefore)
      .toSorted(),
  ).toEqual(Object.values(commandsWithoutOperation).flat().toSorted());
});

test('a command changes the shop if and only if it calls an operation that does', () => {
  for (const command of commands.filter((one) => one.operations.length > 0)) {
    expect([command.path, command.mutates]).toEqual([command.path, command.operations.some(({ kind }) => kind === 'write')]);
  }
});

/** Commands without some of the four flags, and why. */
const commandsWithoutFlags: Readonly<Record<string, { readonly flags: readonly string[]; readonly because: string }>> = {
  copy: { flags: ['-y, --yes', '--key <key>', '--note <text>'], because: 'it writes no ledger row, and only to an empty shop' },
  restore: { flags: ['--key <key>', '--note <text>'], because: 'the keys of a shop are restored with it, and its ledger row has a fixed note' },
  'count add': { flags: ['--note <text>'], because: 'lines are not in the ledger' },
  'count scan': {
    flags: ['-n, --dry-run', '-y, --yes', '--note <text>'],
    because: 'it asks for each line, which can be undone; lines are not in the ledger',
  },
  'count undo': { flags: ['--note <text>'], because: 'lines are not in the ledger' },
  doctor: { flags: ['--key <key>', '--note <text>'], because: 'a second repair changes nothing, and the ledger is the base of repairs' },
  'token create': { flags: ['--key <key>', '--note <text>'], because: 'a stored answer would contain the secret, and tokens are not in the ledger' },
  'token revoke': { flags: ['--key <key>', '--note <text>'], because: 'a second revoke changes nothing, and tokens are not in the ledger' },
  'hook create': { flags: ['--key <key>', '--note <text>'], because: 'a stored answer would contain the secret, and hooks are not in the ledger' },
  'hook edit': { flags: ['--key <key>', '--note <text>'], because: 'a second edit changes nothing, and hooks are not in the ledger' },
  'hook delete': { flags: ['--key <key>', '--note <text>'], because: 'a second delete is refused, and hooks are not in the ledger' },
  'hook rotate': { flags: ['--key <key>', '--note <text>'], because: 'a stored answer would contain the secret, and hooks are not in the ledger' },
  'hook resend': { flags: ['--key <key>', '--note <text>'], because: 'what is sent again has the same ids, and hooks are not in the ledger' },
  'hook deliver': { flags: ['-n, --dry-run', '-y, --yes', '--key <key>', '--note <text>'], because: 'it sends what happened and changes only positions' },
  'session end': { flags: ['--key <key>', '--note <text>'], because: 'a second end changes nothing, and sessions are not in the ledger' },
};

test('every command that changes the shop takes the same four flags, and no other does', () => {
  const four = ['-n, --dry-run', '-y, --yes', '--key <key>', '--note <text>'];
  // A diff is an import without changes: it has the flags of an import.
  for (const command of commands.filter((one) => wordsBefore(one) !== 'inventory diff')) {
    const spellings = Object.values(command.flags).map(flagSpelling);
    const expected = four.filter((flag) => command.mutates && !commandsWithoutFlags[wordsBefore(command)]?.flags.includes(flag));
    expect([command.path, four.filter((flag) => spellings.includes(flag))]).toEqual([command.path, expected]);
  }
});

test('every command has a unique name, a summary and examples', () => {
  expect(repeated(commands.map(wordsBefore))).toEqual([]);
  expect(repeated(commands.map(({ path, summary }) => `${path[0]} ${summary}`))).toEqual([]);
  for (const { path, examples } of commands) expect([path, examples.length > 0, repeated(examples)]).toEqual([path, true, []]);
});

test('a command that changes records can print their fields', () => {
  const bare = commands.filter(({ fields }) => fields.length === 0).map(wordsBefore);
  // Imports and status print their own reports.
  expect(bare.toSorted()).toEqual([
    'backup',
    'code import',
    'completion',
    'config path',
    'copy',
    'hook deliver',
    'hook test',
    'init',
    'inventory diff',
    'inventory edit',
    'inventory import',
    'label',
    'mcp',
    'openapi',
    'pet import',
    'restore',
    'serve',
  ]);
  for (const { path, fields } of commands) expect([path, repeated(fields)]).toEqual([path, []]);
});

/** Flags with the same name and another meaning in another command. */
const ambiguousFlags: Readonly<Record<string, string>> = {
  '--name': 'its name, or its new name',
  '--batch': 'a filter of the ledger, a delivery that gets labels, or the events of one request',
  '--kind': 'a filter of the ledger, or of the events of a hook',
  '--low': 'a filter of the stock, or kinds of events',
  '--limit': 'the number of rows, by default all in an export',
  '--description': 'a short description, or its new description',
  '--category': 'a filter, the category of a new pet, or its new one',
  '--status': 'a filter, the status of a new pet, or its new one',
  '--search': 'each list searches its own fields',
  '--sort': 'each list has its own keys',
  '--order': 'a filter of the ledger, or the sale of a return',
  '--pet': 'a filter, or the pet to order',
  '--quantity': 'of a new pet, or of an order',
  '--complete': 'a filter, or to sell at once',
  '--key': 'the key of a request, or of the lines of a count',
  '--keep-going': 'the rows of a file, or the pets of a count',
  '--state': 'a filter of counts, or of the pets of one',
  '--open': 'a filter of orders, or to open the browser',
  '--ship-date': 'of a new order, or its new one',
  '--from': 'when orders ship, when units moved, where a shop is copied from, or the first entry to send',
  '--to': 'when orders ship, when units moved, or where a shop is copied to',
};

test('a flag has the same meaning in every command', () => {
  const meanings = new Map<string, Set<string>>();
  for (const { flags } of commands) {
    for (const flag of Object.values(flags)) {
      const long = `--${flag.long}`;
      meanings.set(long, (meanings.get(long) ?? new Set()).add(`${flagSpelling(flag)}: ${flagSummary(flag)}`));
    }
  }
  const several = [...meanings].filter(([, found]) => found.size > 1).map(([long]) => long);
  expect(several.toSorted()).toEqual(Object.keys(ambiguousFlags).toSorted());
});

test('every short flag has one long flag', () => {
  const pairs = new Set(
    commands.flatMap(({ flags }) => Object.values(flags).flatMap(({ short, long }) => (short === undefined ? [] : [`-${short}, --${long}`]))),
  );
  expect([...pairs].toSorted()).toEqual(['-L, --limit', '-n, --dry-run', '-y, --yes']);
});
