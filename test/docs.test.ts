import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formats } from '../src/cli/formats.js';
import { topic, topics } from '../src/cli/help.js';
import { groups } from '../src/cli/groups.js';
import { closedSetup } from './support/closed-setup.js';
import { exitCodes } from '../src/cli/report.js';

const root = new URL('..', import.meta.url).pathname;
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const commands = (await Promise.all(groups.map(({ load }) => load(closedSetup)))).flat();

/** What the tour in README.md sets: `export PETSTORE_STORE=/tmp/tour.db PETSTORE_ACTOR=ana`. */
const shownStore = '/tmp/tour.db';

const temporary = mkdtempSync(join(tmpdir(), 'petstore-docs-'));
/** A shop with the files that the examples name; each example gets a copy. */
const prepared = join(temporary, 'prepared');

beforeAll(async () => {
  const bin = join(temporary, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'petstore'), `#!/bin/sh\nexec '${process.execPath}' '${root}bin/petstore.js' "$@"\n`);
  chmodSync(join(bin, 'petstore'), 0o755);
  cpSync(join(root, 'data'), prepared, { recursive: true });
  writeFileSync(join(prepared, 'pets.csv'), 'name,category\nFlora,Dogs\nFidelio,Cats\n');
  const { exitCode, output } = await shell('petstore init --sample', prepared);
  if (exitCode !== 0) throw new Error(output);
});

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

interface Ran {
  readonly exitCode: number | null;
  /** Standard output and standard error, as they came. */
  readonly output: string;
}

/** Runs a line as a shell does in a folder, on the shop `shop.db` there, with the built program as `petstore`. */
async function shell(line: string, folder: string, environment: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const env = { PATH: `${temporary}/bin:${process.env['PATH']}`, HOME: folder, PETSTORE_STORE: join(folder, 'shop.db'), PETSTORE_ACTOR: 'ana', NO_COLOR: '1' };
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `{ ${line}\n} 2>&1`], { cwd: folder, env: { ...env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject).on('close', (exitCode) => resolve({ exitCode, output }));
  });
}

interface Shown extends Ran {
  readonly line: string;
}

/** The code blocks of README.md, and its text between them. */
const parts = readme.split(/^(```\w*\n[\s\S]*?^```\n)/m);

/** The commands of a code block with what it shows below each: "$ petstore pet view 99   # exit 3" ends with 3, others with 0. */
function commandsOf(block: string): readonly Shown[] {
  const lines = block.split('\n').slice(1, -2);
  const starts = lines.flatMap((text, index) => (text.startsWith('$ ') ? [index] : []));
  return starts.map((start, index) => ({
    line: (lines[start] ?? '').slice(2).replace(/ +# exit \d+$/, ''),
    exitCode: Number(/# exit (\d+)$/.exec(lines[start] ?? '')?.[1] ?? 0),
    output: lines
      .slice(start + 1, starts[index + 1])
      .join('\n')
      .trimEnd(),
  }));
}

/** What stays the same from day to day: times, and the widths that follow from them, are left out. */
function lasting(output: string): string {
  return output
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/just now|in a moment|(in )?\d+ (minute|hour|day|month|year)s?( ago)?/g, '<when>')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/^ | $/gm, '')
    .trim();
}

/** A command as it stands there, or with what it really prints and ends with where that differs. */
async function replayed(shown: Shown, folder: string): Promise<Shown> {
  const { line, exitCode, output } = shown;
  if (!/(^|\| )petstore /.test(line)) return shown;
  const ran = await shell(line, folder, line.includes('|') ? {} : { PETSTORE_FORCE_TTY: '100' });
  const printed = ran.output.replaceAll(join(folder, 'shop.db'), shownStore).trimEnd();
  const same = ran.exitCode === exitCode && (output === '' || lasting(printed) === lasting(output));
  return same ? shown : { line, exitCode: ran.exitCode, output: printed };
}

/** A code block with its commands as they really run. */
async function blockOf(block: string, folder: string): Promise<string> {
  let text = block.slice(0, block.indexOf('\n') + 1);
  for (const shown of commandsOf(block)) {
    const { line, exitCode, output } = await replayed(shown, folder);
    text += `$ ${line}${exitCode === 0 ? '' : `   # exit ${exitCode}`}\n${output === '' ? '' : `${output}\n`}`;
  }
  return `${text}\`\`\`\n`;
}

describe('README.md', () => {
  // When the program's words have changed on purpose, `vitest run test/docs.test.ts -u` writes them into README.md.
  test('shows what its commands print', async () => {
    const folder = join(temporary, 'tour');
    cpSync(join(root, 'data'), join(folder, 'data'), { recursive: true });
    let text = '';
    for (const part of parts) text += /^```\w*\n\$ /.test(part) ? await blockOf(part, folder) : part;
    await expect(text).toMatchFileSnapshot(join(root, 'README.md'));
  });

  test.each(groups.map(({ name }) => name))('names every command of %s', (group) => {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${group}\` |`)) ?? '';
    const words = commands.map((command) => command.words.replaceAll(/ [[<].*$/g, '').split(' '));
    const missing = words.filter(([first, ...verb]) => first === group && verb.length > 0 && !row.split('|')[2]?.includes(`\`${verb.join(' ')}\``));
    expect(row).not.toBe('');
    expect(missing).toEqual([]);
  });

  test('names every variable the program reads', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const read = files.flatMap((name) =>
      [...readFileSync(join(root, 'src', name), 'utf8').matchAll(/(?:environment|env)\['([A-Z_]+)'\]/g)].map(([, variable = '']) => variable),
    );
    expect(read).toContain('PETSTORE_STORE');
    for (const variable of new Set(read)) expect(readme).toMatch(new RegExp(`\`${variable}[\`=]`));
  });

  test('names every format, exit code and help topic', () => {
    const reference = readme.slice(readme.indexOf('## Reference'));
    for (const name of [...formats, ...topics]) expect(reference).toContain(`\`${name}\``);
    for (const exitCode of exitCodes().keys()) expect(reference).toMatch(new RegExp(`^\\| ${exitCode} \\|`, 'm'));
  });
});

describe('help', () => {
  test.each(commands)('$words has a summary and examples of its own', ({ words, summary, examples }) => {
    const spoken = words.replaceAll(/ [[<].*$/g, '');
    expect(summary).not.toBe('');
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toMatch(new RegExp(`petstore .*${spoken}`));
  });

  test.each(topics)('petstore help %s prints its topic', async (name) => {
    const { exitCode, output } = await shell(`petstore help ${name}`, prepared);
    expect(exitCode).toBe(0);
    expect(output).toBe(topic(name));
  });

  const examples = commands.flatMap((command) => command.examples);
  test.concurrent.for(examples.map((example, index) => ({ example, index })))('$example', async ({ example, index }) => {
    const folder = join(temporary, `example-${index}`);
    cpSync(prepared, folder, { recursive: true });
    if (example.includes('Primary Breed')) writeFileSync(join(folder, 'pets.csv'), "Animal's Name,Primary Breed\nFlora,Poodle\n");
    const { exitCode, output } = await shell(example.replaceAll('/srv/', `${folder}/`), folder);
    // A refusal by the rules of the shop is as good as success; words that make no sense, or a breakdown, are not.
    const trouble = [0, 3, 4, 5, 6, 8].includes(exitCode ?? 1) ? '' : output;
    expect(trouble).toBe('');
  });
});

test.each(['stock.csv', 'recount.csv', 'delivery.csv'])('data/%s fits the sample shop', async (file) => {
  const { exitCode, output } = await shell(`petstore inventory import ${file} --dry-run`, prepared);
  expect(output).toContain(' 0 rejected');
  expect(exitCode).toBe(0);
});
