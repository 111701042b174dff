import { usageOf } from '../../src/cli/command.js';
import { flagSpelling, flagSummary } from '../../src/cli/flags.js';
import { groups, headings } from '../../src/cli/command-groups.js';
import { mutationFlags } from '../../src/cli/mutation-flags.js';
import { everyGlobalFlag } from '../../src/cli/help/command-entries.js';
import { commandHelp } from '../../src/cli/help/help-text.js';
import { exitCodes } from '../../src/cli/exit-codes.js';
import { stripVTControlCharacters } from 'node:util';
import { guide, done, testInShop } from '../support/cli.js';
import { expect, test } from 'vitest';

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();

for (const command of commands) {
  const { summary, examples, flags, fields } = command;
  const name = command.path.join(' ');
  testInShop(`${name} --help prints usage, flags, fields and examples`, async ({ petstore }) => {
    const { exitCode, stdout, stderr } = await petstore(`${name} --help`);
    expect([exitCode, stderr]).toEqual([0, '']);
    const verb = name.split(' ').at(-1) ?? '';
    const flat = stdout.replaceAll(/\s+/g, ' ');
    expect(flat).toMatch(new RegExp(`^Usage: petstore ${name.slice(0, -verb.length)}${verb}(\\|[\\w|]+)? `));
    expect(flat.toLowerCase()).toContain(summary.toLowerCase());
    for (const argument of usageOf(command).slice(name.length).trim().split(' ')) expect(flat).toContain(argument);
    for (const flag of Object.values(flags)) expect(flat).toContain(flag.ofChanges ? flagSpelling(flag) : `${flagSpelling(flag)} ${flag.summary}`);
    expect(stdout.endsWith('\nGlobal flags: petstore help flags\n')).toBe(true);
    if (fields.length > 0) expect(flat).toContain(`Fields: ${fields.join(', ')} `);
    const shown = examples.slice(0, 3);
    // A long example continues after a backslash.
    expect(stdout.replaceAll(/ \\\n +/g, ' ')).toContain(`Examples:\n${shown.map((example) => `  ${example}\n`).join('')}`);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example.startsWith('petstore ')).toBe(true);
    for (const asked of [`help ${name}`, `${name} -h`]) expect((await petstore(asked)).stdout).toBe(stdout);
  });
}

testInShop('petstore, help and --help print every group below its heading', async ({ petstore }) => {
  const { exitCode, stdout, stderr } = await petstore('');
  expect([exitCode, stderr]).toEqual([0, '']);
  for (const heading of headings.slice(0, -1)) {
    const below = groups.filter((group) => group.heading === heading);
    const [section = ''] = new RegExp(`^${heading}:\\n(  .*\\n)+`, 'm').exec(stdout) ?? [];
    for (const { name, summary } of below) expect(section).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
  }
  const named = groups.filter(({ heading }) => heading === headings.at(-1)).map(({ name }) => name);
  expect(stdout).toContain(`\n${headings.at(-1)}: ${[...named, 'help'].join(', ')}\n`);
  for (const line of ['help', '--help', '-h']) expect(await petstore(line)).toEqual(done(stdout));
});

/** The lines that help can have on a terminal of 24 rows: one is left for the prompt of the shell. */
const lines24 = 23;

/** The commands whose help is longer than a terminal of 80 × 24, and is shown in the pager. */
const paged: readonly string[] = [
  'code import',
  'hook create',
  'hook edit',
  'inventory diff',
  'inventory import',
  'inventory list',
  'label',
  'log',
  'order list',
  'pet export',
  'pet import',
  'report movements',
  'serve',
];

test('only the help of a few commands is longer than a terminal of 80 columns and 24 rows', () => {
  const linesOf = (command: (typeof commands)[number]): number => commandHelp(command, 80).trimEnd().split('\n').length;
  const longer = commands.filter((command) => linesOf(command) > lines24).map(({ path }) => path.join(' '));
  expect(longer.filter((name) => !paged.includes(name))).toEqual([]);
});

testInShop('the help of every word fits 80 and 40 columns, except examples, which are copied', async ({ petstore }) => {
  const words = ['', ...groups.map(({ name }) => name), 'inventory batch', ...commands.map(({ path }) => path.join(' '))];
  for (const columns of [80, 40]) {
    for (const word of new Set(words)) {
      const { stdout } = await petstore(`${word} --help`, { terminal: columns });
      const wide = stdout.split('\n').filter((line) => line.length > columns && !line.startsWith('  petstore '));
      expect([columns, word, wide]).toEqual([columns, word, []]);
    }
  }
});

testInShop('the first screen fits 40 rows, and the help of a group 24', async ({ petstore }) => {
  const rows = async (line: string) => (await petstore(line, { terminal: 80 })).stdout.trimEnd().split('\n').length;
  expect(await rows('--help')).toBeLessThan(40);
  for (const { name } of groups) if (!paged.includes(name)) expect([name, (await rows(`${name} --help`)) <= lines24]).toEqual([name, true]);
});

testInShop('help flags lists the global flags, and those of every change', async ({ petstore }) => {
  const { stdout } = await petstore('help flags');
  const flat = stdout.replaceAll(/\s+/g, ' ');
  for (const flag of [...everyGlobalFlag, ...Object.values(mutationFlags)]) expect(flat).toContain(`${flagSpelling(flag)} ${flagSummary(flag)} `);
});

testInShop('help topics lists every chapter with its title', async ({ petstore }) => {
  const { exitCode, stdout, stderr } = await petstore('help topics');
  expect([exitCode, stderr]).toEqual([0, '']);
  for (const chapter of guide.chapters()) expect(stdout).toMatch(new RegExp(`^  ${chapter} +${/^# (.*)$/m.exec(guide.read(chapter))?.[1]}$`, 'm'));
});

testInShop('guide is help, and alone lists the chapters', async ({ petstore }) => {
  const topics = await petstore('help topics');
  for (const line of ['guide', 'help guide', 'help manual']) expect([line, await petstore(line)]).toEqual([line, topics]);
  expect(await petstore('guide counter')).toEqual(await petstore('help counter'));
  expect(await petstore('guide pet list')).toEqual(await petstore('help pet list'));
});

testInShop('help finds a chapter by another word for what it is about', async ({ petstore }) => {
  expect(await petstore('help webhooks')).toEqual(await petstore('help events'));
  expect(await petstore('help labels')).toEqual(await petstore('help codes'));
});

for (const { name, aliases } of groups) {
  const own = commands.filter(({ path }) => path[0] === name);
  if (own.length < 2) continue;
  testInShop(`petstore ${name} without a command lists its commands`, async ({ petstore }) => {
    const { exitCode, stdout, stderr } = await petstore(name);
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const { path } of own) expect(stdout).toMatch(new RegExp(`^  ${path[1]}[| ].*[a-z]`, 'm'));
    for (const line of [`${name} --help`, `help ${name}`, ...aliases.filter((alias) => !guide.chapters().includes(alias)).map((alias) => `help ${alias}`)])
      expect(await petstore(line)).toEqual(done(stdout));
  });
}

/** The lines of the code blocks of a page, which help prints unchanged. */
const codeOf = (markdown: string): ReadonlySet<string> =>
  new Set([...markdown.matchAll(/^```.*\n([^]*?)^```$/gm)].flatMap(([, code = '']) => code.split('\n').map((line) => `    ${line}`)));

for (const topic of guide.chapters()) {
  testInShop(`help ${topic} prints a page`, async ({ petstore }) => {
    const { exitCode, stdout, stderr } = await petstore(`help ${topic}`);
    expect([exitCode, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    expect(lines.length).toBeGreaterThan(5);
    const code = codeOf(guide.read(topic));
    for (const line of code) if (line.trim() !== '') expect(lines).toContain(line);
    for (const line of lines) if (!code.has(line)) expect(line.length).toBeLessThanOrEqual(80);
    // No Markdown is left outside of code.
    expect(lines.filter((line) => !code.has(line) && /`|\]\(|^#|^ *\|/.test(line))).toEqual([]);
  });
}

testInShop('a guide page has bold headings in a terminal and wraps to its width', async ({ petstore }) => {
  const { stdout } = await petstore('help stock --color always', { terminal: 60 });
  expect(stdout).toContain('\u001B[1mLow stock\u001B[22m\n\n');
  for (const line of stripVTControlCharacters(stdout).split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  expect((await petstore('help stock --no-color', { terminal: 60 })).stdout).toBe(stripVTControlCharacters(stdout));
});

testInShop('help exit-codes lists every error code under its exit code', async ({ petstore }) => {
  const { stdout } = await petstore('help exit-codes');
  const sections = stdout.split(/^ {2,4}(?=\d+ {2})/m);
  for (const [code, exitCode] of Object.entries(exitCodes)) {
    const section = sections.find((text) => text.startsWith(`${exitCode} `)) ?? '';
    expect([code, new RegExp(`\\b${code}\\b`).test(section)]).toEqual([code, true]);
  }
});

testInShop('--version and -V print only the version', async ({ petstore }) => {
  for (const line of ['--version', '-V', 'pet list --version']) {
    for (const around of [{}, { terminal: 80 }]) expect(await petstore(line, around)).toEqual(done('1.2.3\n'));
  }
});

test('summaries are short, and examples use their own command', () => {
  for (const { path, summary, examples } of commands) {
    const words = path.join(' ');
    expect([words, summary.length <= 100, /^[a-z]/.test(summary), summary.endsWith('.')]).toEqual([words, true, true, false]);
    for (const example of examples) expect(example).toContain(words);
  }
});
