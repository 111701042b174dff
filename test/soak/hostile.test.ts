import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { flagSpelling } from '../../src/cli/flags.js';
import { groups } from '../../src/cli/command-groups.js';
import { isFullSize, seed } from '../support/seeded-random.js';
import { testInShop, type CliFixture, type CommandResult } from '../support/cli.js';
import { storeProblems } from '../support/inspect-store.js';
import { runProgram } from '../support/program.js';

// Everything is random, and one shop is used for all, so each command runs on the results of the earlier ones.
const many = (small: number, full: number): fc.Parameters<unknown> => ({ seed, numRuns: isFullSize ? full : small, endOnFailure: true });

/** Commands that do not end, or that write outside of the folder of the fixture. */
const excludedCommands = new Set(['serve', 'completion', 'restore', 'backup', 'copy', 'doctor', 'config', 'profile', 'mcp']);

const commands = (await Promise.all(groups.filter(({ name }) => !excludedCommands.has(name)).map(({ load }) => load())))
  .flat()
  .filter(({ path }) => path.join(' ') !== 'hook deliver');

// oxlint-disable-next-line no-control-regex -- that is what must not be there
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Texts that often cause errors in programs. */
const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '-',
    '--',
    '-1',
    '0',
    '+1',
    '1e3',
    '0x10',
    '２',
    '2147483648',
    '9007199254740993',
    'NaN',
    '1.5',
    'null',
    '__proto__',
    'constructor',
    'toString',
    '\0',
    '\u001b[2J',
    '\u202egnp.exe',
    '\ud800',
    '=1+1',
    "'; DROP TABLE pets; --",
    '$(id)',
    '%00',
    '../../etc/passwd',
    '/dev/null',
    '/proc/self/mem',
    '2026-02-30',
    '2038-01-19T03:14:08Z',
    '9999-12-31',
    'x'.repeat(10_000),
    'a,b,,c',
    'Dogs',
    'Rex',
    'id',
    'true',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.integer({ min: 1, max: 6 }).map(String),
);

/** Mostly valid arguments. */
const likelyArgument = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('1', '2', '3', '4', '5', 'Dogs', '2026-11-20', 'available', 'json', 'csv', 'id,at', 'by phone') },
  { weight: 1, arbitrary: text },
);

/** The words of one command with the right number of arguments or any number, and some of its flags with values. */
const line = fc.constantFrom(...commands).chain(({ path, arguments: own, flags }) => {
  const spellings = ['--store-', '--json', '--fields <a>', '--format <f>', '--dry-run', '--yes', '--color <c>', '--wait <s>', '--actor <a>']
    .concat(Object.values(flags).map((one) => flagSpelling(one).split(', ').at(-1) ?? ''))
    // --rejects, cursor and output files would be written to random paths, and --follow and --watch do not end.
    .filter((spelling) => !/^--(rejects|output|out|force|follow|watch|cursor-file|secret-file)\b/.test(spelling));
  const flag = fc.tuple(fc.constantFrom(...spellings), likelyArgument).map(([spelling, value]) => {
    const [name = '', takes] = spelling.split(' ');
    return takes === undefined ? [name] : [name, value];
  });
  const wanted = Object.keys(own).length;
  const args = fc.oneof(
    { weight: 8, arbitrary: fc.array(likelyArgument, { minLength: wanted, maxLength: wanted }) },
    { weight: 1, arbitrary: fc.array(text, { maxLength: 3 }) },
  );
  return fc.tuple(args, fc.array(flag, { maxLength: 2 })).map(([given, chosen]): readonly string[] => [...path, ...given, ...chosen.flat(), '--no-input']);
});

/** The problem with the output of a command; undefined if there is none. */
function problemOf({ exitCode, stdout, stderr }: CommandResult, isTerminal: boolean): string | undefined {
  if (![0, 2, 3, 4, 5, 6, 7, 8, 9, 130].includes(exitCode)) return `ended with ${exitCode}: ${stderr}`;
  if (/^ +at .*:\d+/m.test(stderr)) return `showed a stack: ${stderr}`;
  if (exitCode !== 0 && exitCode !== 8 && stderr === '' && stdout === '') return `ended with ${exitCode} and said nothing`;
  if (controlCharacters.test(stderr)) return `steers the terminal: ${JSON.stringify(stderr)}`;
  return isTerminal && controlCharacters.test(stdout) ? `steers the terminal: ${JSON.stringify(stdout)}` : undefined;
}

async function runAndCheck({ petstore }: CliFixture, words: readonly string[], isTerminal: boolean, stdin = ''): Promise<CommandResult> {
  // An argument cannot contain a lone surrogate, because the system passes bytes that are decoded as UTF-8.
  const typed = words.map((word) => word.toWellFormed().replaceAll('\0', ''));
  // An editor that closes the file at once.
  const ran = await petstore(typed, { stdin, environment: { EDITOR: 'true' }, ...(isTerminal && { terminal: 100 }) });
  const found = problemOf(ran, isTerminal);
  if (found !== undefined) expect.fail(`petstore ${typed.map((word) => JSON.stringify(word)).join(' ')}: ${found}`);
  return ran;
}

testInShop('no random command line causes an internal error', async (cli) => {
  const codes = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(line, fc.boolean(), async (words, isTerminal) => {
      const { exitCode } = await runAndCheck(cli, words, isTerminal);
      codes.set(exitCode, (codes.get(exitCode) ?? 0) + 1);
    }),
    many(60, 12_000),
  );
  console.log(`command lines by exit code: ${JSON.stringify(Object.fromEntries([...codes].toSorted(([one], [other]) => one - other)))} (seed ${seed})`);
  expect(await storeProblems(cli.store)).toEqual([]);
  // Which codes a few lines end with changes with every new command.
  expect([codes.has(0), codes.has(2), codes.size > 2]).toEqual([true, true, true]);
});

const cell = fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 5 }).map(String) }, { weight: 1, arbitrary: text });
const header = fc.constantFrom('petId,quantity', 'petId,delta', 'petId,expected,quantity', 'petId,quantity,note', 'name,category', 'petId', 'x,x', '');
const quoted = fc
  .tuple(fc.array(cell, { minLength: 2, maxLength: 3 }), fc.boolean())
  .map(([cells, quotes]) => cells.map((one) => (quotes ? `"${one}"` : one)).join(','));
const csvText = fc.tuple(header, fc.array(quoted, { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\r')).map(([head, rows, end]) => [head, ...rows].join(end));
const jsonText = fc.array(
  fc.dictionary(fc.oneof(fc.constantFrom('petId', 'quantity', 'delta', 'note', '__proto__', 'name', 'category'), text), fc.anything()),
  {
    maxLength: 5,
  },
);
const validFile = fc
  .tuple(
    fc.constantFrom('petId,quantity', 'petId,delta', 'name,category'),
    fc.array(fc.tuple(fc.integer({ min: 1, max: 7 }), cell), { minLength: 1, maxLength: 5 }),
  )
  .map(([head, rows]) => `${head}\n${rows.map((row) => row.join(',')).join('\n')}\n`);
/** Files of every kind, some truncated or with random bytes. */
const content = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: validFile },
      csvText,
      jsonText.map((rows) => rows.map((row) => written(row)).join('\n')),
      jsonText.map((rows) => `[${rows.map((row) => written(row)).join(',')}]`),
      fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth)),
      fc.string({ unit: 'binary', maxLength: 200 }),
    ),
    fc.option(fc.uint8Array({ maxLength: 8 }), { nil: undefined, freq: 1 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([body, stray, at]) => {
    const bytes = Buffer.from(body);
    if (stray === undefined) return bytes;
    const cut = Math.floor(at * bytes.length);
    return Buffer.concat([bytes.subarray(0, cut), stray, bytes.subarray(cut)]);
  });

/** A value as JSON, if it can be represented. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)) ?? 'null';
  } catch {
    return '{}';
  }
}

testInShop('no random file causes an internal error of an import, and a refused file changes nothing', async (cli) => {
  const codes = new Map<number, number>();
  const kinds = [
    ['inventory', 'import'],
    ['pet', 'import'],
    ['inventory', 'diff'],
  ];
  const formats = ['', '', 'csv', 'csv', 'tsv', 'ndjson', 'json'];
  let files = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...kinds), content, fc.constantFrom(...formats), fc.boolean(), async (kind, bytes, ending, keepGoing) => {
      files += 1;
      const file = cli.file(`file-${files % 2}${ending === '' ? '' : `.${ending}`}`, bytes);
      const ran = await runAndCheck(cli, [...kind, file, ...(keepGoing && kind[1] === 'import' ? ['--keep-going'] : [])], false);
      codes.set(ran.exitCode, (codes.get(ran.exitCode) ?? 0) + 1);
    }),
    many(100, 8000),
  );
  console.log(`files by exit code: ${JSON.stringify(Object.fromEntries([...codes].toSorted(([one], [other]) => one - other)))} (seed ${seed})`);
  expect(await storeProblems(cli.store)).toEqual([]);
  expect([codes.has(0), codes.has(6), codes.size > 2]).toEqual([true, true, true]);
});

/** Every text column that commands print, and those commands. */
const texts = [
  'UPDATE pets SET name = ?',
  'UPDATE categories SET name = ? || id',
  'UPDATE categories SET description = ?',
  "INSERT INTO ledger (id, kind, pet_id, at, actor, source, note) SELECT max(id) + 1, 'pet.updated', 1, 1900000000000, 'ana', 'cli', ? FROM ledger",
  "INSERT INTO ledger (id, kind, pet_id, at, actor, source) SELECT max(id) + 1, 'pet.updated', 1, 1900000000000, ?, 'cli' FROM ledger",
  'UPDATE batches SET note = ?',
  'UPDATE batches SET actor = ?',
  "UPDATE batches SET key = 'k' || ?",
  'UPDATE batch_errors SET value = ?',
  'UPDATE batch_errors SET message = ?',
];
const views = [
  'pet list',
  'pet view 1',
  'pet view 1 2',
  'category list',
  'category view 1',
  'order list',
  'order view 1',
  'inventory list',
  'inventory view 2',
  'inventory batch list',
  'inventory batch view 1',
  'log',
  'log --pet 1',
  'status',
  'report stock',
  'report movements --from 2026-11-01 --to 2026-11-30',
  'report sell-through --from 2026-11-01 --to 2026-11-30',
  'pet delete 2',
  'pet hold 2',
  'category delete 1',
  'inventory set 1 5 --expect 77',
  'order place --pet 1 --quantity 999',
];

const formats = ['table', 'csv', 'tsv', 'json', 'ndjson'];

testInShop('no command prints control characters of stored texts to a terminal', async (cli) => {
  cli.file('stock.csv', 'petId,quantity\n2,7\n999,1\n');
  await cli.petstore(['inventory', 'import', cli.path('stock.csv'), '--keep-going']);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.constantFrom('x\0y', '\u001b]0;x\u0007\u009b2J\u202e\u2066\u061c\u007f\r'),
        // For SQLite a text that starts with NUL is empty, and names must not be empty.
        fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).filter((name) => !name.startsWith('\0')),
      ),
      async (hostile) => {
        const stored = hostile.toWellFormed();
        cli.sql('DROP TRIGGER IF EXISTS batches_keep_values');
        for (const statement of texts) cli.sql(statement, stored);
        for (const view of views) {
          const format = formats[(hostile.length + views.indexOf(view)) % formats.length] ?? 'json';
          for (const more of [[], ['--format', format]]) await runAndCheck(cli, [...view.split(' '), ...more, '--no-input'], true);
        }
      },
    ),
    many(2, 600),
  );
});

const timeZone = process.env['TZ'];
afterEach(() => {
  if (timeZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = timeZone;
});

testInShop('figures do not depend on time zone, daylight saving time or far years', async (cli) => {
  const seen = new Set<string>();
  for (const zone of ['UTC', 'America/New_York', 'Pacific/Kiritimati', 'Asia/Kathmandu', 'Australia/Lord_Howe']) {
    process.env['TZ'] = zone;
    // The night when the clocks go back in New York, and a date after the 32-bit limit of seconds.
    for (const instant of ['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z', '2038-01-19T03:14:08.000Z', '2026-11-20T09:00:00.000Z']) {
      cli.clock.set(instant);
      const { stdout } = await cli.petstore('report movements --from 2026-11-01 --to 2026-11-30 --json');
      const log = await cli.petstore('log --json at,kind,pet');
      seen.add(stdout + log.stdout);
    }
  }
  expect(seen.size).toBe(1);
});

// The time limit itself; with a shorter one it is tested in test/e2e/jq.test.ts.
if (isFullSize) {
  test('an expression of --jq that never ends is stopped after ten seconds', async () => {
    const { exitCode, stdout, stderr } = await runProgram('unused.db', ['commands', '--jq', 'def f: f; f']);
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining('--jq failed: the expression runs for more than 10 seconds.')]);
  });
}
