import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandEntry, type CommandEntry } from '../../src/cli/help/describe-command.js';
import { everyCommand, groups } from '../../src/cli/command-groups.js';
import { exitCodes, exitMeanings } from '../../src/cli/exit-codes.js';
import { operations } from '../../src/domain/operations.js';
import { refusalsOf } from '../../src/http/openapi/refusals.js';
import { testWithoutShop, refused } from '../support/cli.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const entries = (await everyCommand()).map(({ command, groupAliases }) => ({ entry: commandEntry(command, groupAliases) }));

testWithoutShop('petstore commands lists every command with all details of its help', async ({ petstore }) => {
  const { exitCode, stdout, stderr } = await petstore('commands --json');
  expect([exitCode, stderr]).toEqual([0, '']);
  const listed = JSON.parse(stdout) as readonly CommandEntry[];
  expect(listed).toEqual(entries.map(({ entry }) => entry));
  for (const { command, usage, flags, arguments: taken } of listed) {
    const help = (await petstore(`${command} --help`)).stdout.replaceAll(/\s+/g, ' ');
    for (const { spelling, name, short, value, choices = [], global } of flags) {
      expect(spelling).toBe(
        `${short === undefined ? '' : `${short}, `}${name}${value === undefined ? '' : (/ .*$/.exec(spelling.replace(/^-\w, /, ''))?.[0] ?? '')}`,
      );
      if (!global && choices.length <= 8)
        for (const one of choices) expect([command, name, help.includes(one.replace(/^-/, ''))]).toEqual([command, name, true]);
    }
    for (const { name } of taken) expect(usage).toContain(name);
  }
});

testWithoutShop('aliases run the same command', async ({ petstore }) => {
  for (const { entry } of entries) {
    const { stdout } = await petstore(`${entry.command} --help`);
    for (const alias of entry.aliases) expect([alias, (await petstore(`${alias} --help`)).stdout]).toEqual([alias, stdout]);
  }
});

test('the listed operations are in the contract, and a command has the lowest stability of its operations', () => {
  const known = new Map<string, string>(operations.map(({ id, stability }) => [id, stability]));
  const order = ['experimental', 'beta', 'stable'];
  for (const { entry } of entries) {
    const found = entry.operations.map((id) => known.get(id) ?? id);
    expect(order).toEqual(expect.arrayContaining([...found]));
    expect(entry.stability).toBe(order.find((one) => found.includes(one)) ?? 'stable');
  }
});

test('a command lists the exit codes of all errors that the document lists for its operations', () => {
  for (const { entry } of entries) {
    const refusals = operations.filter(({ id }) => entry.operations.includes(id)).flatMap((operation) => [...refusalsOf(operation).values()].flat());
    // The command line sends no conditions with reads.
    const reachable = refusals.filter((code) => entry.mutates || code !== 'precondition_failed');
    const unlisted = reachable.filter((code) => !entry.exitCodes.includes(exitCodes[code]));
    expect([entry.command, unlisted]).toEqual([entry.command, []]);
  }
});

testWithoutShop('petstore commands prints names and summaries in a terminal, and any field for scripts', async ({ petstore }) => {
  const table = await petstore('commands', { terminal: 120 });
  expect(table.stdout).toMatch(/^Command {2,}Summary\n(.*\n)*pet view {2,}show pets with their category, stock and version\n/);
  expect((await petstore('commands')).stdout.split('\n')[0]).toBe('sell\tsell pets over the counter: all of them or none');
  expect((await petstore('commands --format count')).stdout).toBe(`${entries.length}\n`);
  expect((await petstore('commands --format ids')).stdout.split('\n')).toContain('inventory batch view');
  expect(JSON.parse((await petstore('commands --json command,mutates')).stdout)).toContainEqual({ command: 'pet delete', mutates: true });
  const fields = 'command, usage, summary, aliases, arguments, flags, fields, mutates, stability, operations, exitCodes, examples';
  expect(await petstore('commands --fields comand')).toEqual(
    refused(2, 'error: "comand" is not a field of this command; did you mean "command"?', `hint: The fields are ${fields}.`),
  );
});

test('the details of flags are parsed from their declarations', () => {
  const list = entries.find(({ entry }) => entry.command === 'pet list')?.entry;
  expect(list?.flags).toEqual(
    expect.arrayContaining([
      {
        name: '--status',
        spelling: '--status <status>',
        summary: 'only pets of this status; may be repeated',
        value: 'status',
        valueOptional: false,
        choices: ['available', 'pending', 'sold'],
        repeated: true,
        global: false,
      },
      expect.objectContaining({ name: '--category', value: 'category', repeated: true }),
      expect.objectContaining({ name: '--limit', short: '-L', value: 'n' }),
      expect.objectContaining({ name: '--json', value: 'a,b', valueOptional: true, global: true }),
      expect.objectContaining({ name: '--wait', default: '5' }),
      { name: '--quiet', short: '-q', spelling: '-q, --quiet', summary: 'no notes or progress; errors stay', repeated: false, global: true },
    ]),
  );
  expect(entries.find(({ entry }) => entry.command === 'inventory undo')?.entry.arguments).toEqual([{ name: 'batch', required: false, repeated: false }]);
  expect(entries.find(({ entry }) => entry.command === 'pet view')?.entry.arguments).toEqual([{ name: 'id', required: true, repeated: true }]);
});

test('data/reference.md equals the output of npm run reference', async () => {
  const printed = execFileSync(process.execPath, [`${root}.config/reference.js`, '--print'], { encoding: 'utf8' });
  const { man } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly man: readonly string[] };
  expect(man).toEqual(['petstore', ...groups.map(({ name }) => `petstore-${name}`)].map((name) => `dist/man/${name}.1`));
  await expect(printed).toMatchFileSnapshot(`${root}data/reference.md`);
  for (const { entry } of entries) {
    expect(printed).toContain(`\n### petstore ${entry.command}\n`);
    for (const example of entry.examples) expect(printed).toContain(`\n${example}\n`);
  }
});

test('the manual pages have the sections of man-pages(7), with every flag, exit code and example', () => {
  const plain = (text: string): string =>
    text
      .replaceAll(/\\f[BIR]|\\&/g, '')
      .replaceAll('\\-', '-')
      .replaceAll('\\e', '\\')
      .replaceAll(/\s+/g, ' ');
  for (const name of ['petstore', ...groups.map((group) => `petstore-${group.name}`)]) {
    const page = readFileSync(`${root}dist/man/${name}.1`, 'utf8');
    const sections = [...page.matchAll(/^\.SH (.*)$/gm)].map(([, heading]) => heading);
    const ordered = ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'EXIT STATUS', 'EXAMPLES', 'SEE ALSO'];
    expect([name, sections.filter((one) => ordered.includes(one ?? ''))]).toEqual([name, ordered]);
    expect(page).toMatch(/^[\x20-\x7e\n]*$/);
    const text = plain(page);
    for (const { entry } of entries.filter((one) => name === `petstore-${one.entry.command.split(' ')[0]}`)) {
      for (const flag of entry.flags.filter(({ global }) => !global)) expect(text).toContain(`.B ${flag.spelling} `);
      for (const code of entry.exitCodes) expect(text.toLowerCase()).toContain(`.b ${code} ${exitMeanings[code as 0]}`.toLowerCase());
      for (const example of entry.examples) expect(text).toContain(example);
    }
  }
});

test('the guide has the meanings of the exit codes', () => {
  const guide = readFileSync(`${root}data/guide/exit-codes.md`, 'utf8');
  for (const [code, meaning] of Object.entries(exitMeanings)) expect(guide).toContain(`\n| ${code} | ${meaning}`);
});

test('every noun has a manual page that man(1) formats without warnings', (context) => {
  for (const name of ['petstore', ...groups.map((group) => `petstore-${group.name}`)]) {
    const page = `${root}dist/man/${name}.1`;
    expect(readFileSync(page, 'utf8')).toMatch(new RegExp(`^\\.TH ${name.toUpperCase()} 1 `));
    // The others as man(1) does it, which takes ten times as long.
    const line = name === 'petstore' ? 'man --warnings -l' : 'groff -Kutf8 -t -man -Tutf8 -rLL=100n -ww';
    const [program = '', ...words] = line.split(' ');
    const env = { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8' };
    const { error, status, stdout, stderr } = spawnSync(program, [...words, page], { encoding: 'utf8', env });
    if (error !== undefined || status !== 0) {
      const reason = `man(1) is not here, or cannot set pages: ${error?.message ?? stderr}`;
      console.warn(reason);
      context.skip(reason);
    }
    expect([name, stderr]).toEqual([name, '']);
    // man writes bold letters to a pipe with backspaces.
    // oxlint-disable-next-line no-control-regex -- that is what is taken out
    const text = stdout.replaceAll(/.\u0008/gu, '').replaceAll(/\s+/g, ' ');
    for (const { entry } of entries)
      if (name === 'petstore' || name === `petstore-${entry.command.split(' ')[0]}`) expect([name, text.includes(entry.usage)]).toEqual([name, true]);
  }
});

test('commands of the same verb have the same alias', () => {
  const aliases: Readonly<Record<string, string>> = { list: 'ls', view: 'show', delete: 'rm' };
  for (const { entry } of entries) {
    const words = entry.command.split(' ');
    const alias = words.length > 1 ? aliases[words.at(-1) ?? ''] : undefined;
    if (alias !== undefined)
      expect([entry.command, entry.aliases]).toEqual([entry.command, expect.arrayContaining([[...words.slice(0, -1), alias].join(' ')])]);
  }
});

test('the operation and the command in CONTRIBUTING.md are those of their files', () => {
  const blocks = [...readFileSync(`${root}/.github/CONTRIBUTING.md`, 'utf8').matchAll(/^ {3}```ts\n([^]*?)^ {3}```$/gm)].map(([, text = '']) =>
    text.replaceAll(/^ {3}/gm, ''),
  );
  const sources = ['src/domain/pets/release-pet.ts', 'src/cli/commands/inventory/change-stock.ts'].map((path) => readFileSync(`${root}/${path}`, 'utf8'));
  expect(blocks.map((block, index) => sources[index]?.includes(block))).toEqual([true, true]);
});
