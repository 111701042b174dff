import { errorCodes } from '../src/domain/errors.js';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formats } from '../src/settings/output-format.js';
import { plain } from '../src/cli/output/colours.js';
import { markdownText } from '../src/cli/help/markdown-text.js';
import { flagSpelling } from '../src/cli/flags.js';
import { groups } from '../src/cli/command-groups.js';
import { startCommandHost } from './support/command-host.js';
import { guide } from './support/stub-setup.js';
import { exitCodes } from '../src/cli/exit-codes.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const chapters = readdirSync(join(root, 'data/guide')).map((file) => `data/guide/${file}`);
const documents = ['README.md', ...chapters];
const readme = read('README.md');
/** README.md and the guide as one text. */
const everything = documents.map(read).join('\n');
const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();

/** The store and the port in the documents; a test uses a temporary folder and a free port instead. */
const shownStore = '/tmp/tour.db';
const shownPort = '8080';

const temporary = mkdtempSync(join(tmpdir(), 'petstore-docs-'));
/** A shop with the files of the examples; each example gets a copy. */
const prepared = join(temporary, 'prepared');

beforeAll(async () => {
  const bin = join(temporary, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'petstore'), `#!/bin/sh\nexec '${process.execPath}' '${root}bin/petstore.js' "$@"\n`);
  chmodSync(join(bin, 'petstore'), 0o755);
  cpSync(join(root, 'data'), prepared, { recursive: true });
  writeFileSync(join(prepared, 'pets.csv'), 'name,category\nFlora,Dogs\nFidelio,Cats\n');
  const { exitCode, output } = await shell('petstore init --sample && petstore backup backup.db && petstore profile add main --store shop.db', prepared);
  if (exitCode !== 0) throw new Error(output);
});

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** The flags that every command accepts, as the documents name them. */
const globalFlags = [
  '--store',
  '--profile',
  '--format',
  '--fields',
  '--json',
  '--jq',
  '--actor',
  '--quiet',
  '--color',
  '--no-input',
  '--no-profile',
  '--header',
  '--no-header',
  '--no-pager',
  '--wait',
  '--utc',
  '--insecure',
  '--debug',
  '--help',
  '--version',
  '--no-color',
];

interface Ran {
  readonly exitCode: number | null;
  /** Standard output and standard error in the order of writing. */
  readonly output: string;
}

/** The environment of the examples in a folder: the shop `shop.db` and the built program as `petstore`. */
function environmentIn(folder: string): Readonly<Record<string, string>> {
  return {
    PATH: `${temporary}/bin:${process.env['PATH']}`,
    // An editor that changes nothing.
    EDITOR: 'true',
    HOME: folder,
    PETSTORE_STORE: join(folder, 'shop.db'),
    PETSTORE_ACTOR: 'ana',
    TZ: 'UTC',
    NO_COLOR: '1',
  };
}

/** Runs commands that no shell has to read. */
const host = startCommandHost(true);
afterAll(host.stop);

/** The words of a line that calls the program with literal arguments only; undefined for a line that a shell has to read. */
function literalWords(line: string): readonly string[] | undefined {
  if (!/^petstore(?: +(?:[\p{L}\d_./:=,@%+-]|'[^']*'|"[^"$`\\]*")+)* *$/u.test(line)) return undefined;
  const words = line.match(/(?:[^\s"']|'[^']*'|"[^"]*")+/g) ?? [];
  return words.slice(1).map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

/** The variables in the output of `export -p`. */
function exportedIn(output: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...output.matchAll(/^export (\w+)=(['"])(.*)\2$/gm)].map(([, name = '', , value = '']) => [name, value]));
}

/** Runs a line in a folder, in a shell if it needs one. */
async function shell(line: string, folder: string, env = environmentIn(folder)): Promise<Ran> {
  const args = literalWords(line);
  if (args !== undefined) {
    const { exitCode, stdout: output } = await host.run({ args, cwd: folder, env });
    return { exitCode, output };
  }
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `{ ${line}\n} 2>&1`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject).on('close', (exitCode) => resolve({ exitCode, output }));
  });
}

/** A shell that runs one line after the other, so exported variables and background processes are kept. */
interface Session {
  readonly run: (line: string) => Promise<Ran>;
  /** Ends the shell and its background processes. */
  readonly end: () => void;
}

function session(folder: string): Session {
  const child = spawn('sh', [], { cwd: folder, env: environmentIn(folder), stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  // If the test process ends, the shell reads the end of its input and stops its background processes.
  child.stdin.write("trap 'kill 0' EXIT\n");
  let heard = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text));
  const inShell = async (line: string): Promise<Ran> => {
    heard = '';
    child.stdin.write(`{ ${line}\n} 2>&1 < /dev/null\nprintf '<ended with %d>' $?\n`);
    for (;;) {
      const [, before = '', exitCode, after = ''] = /^([^]*)<ended with (\d+)>([^]*)$/.exec(heard) ?? [];
      const output = before + after;
      // A background server prints its address.
      if (exitCode !== undefined && (!line.endsWith('&') || output.endsWith('\n'))) return { exitCode: Number(exitCode), output };
      await once(child.stdout, 'data');
    }
  };
  return {
    run: async (line) => (literalWords(line) === undefined ? inShell(line) : shell(line, folder, exportedIn((await inShell('export -p')).output))),
    end: () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
    },
  };
}

/** Starts a server, requests its probe, and stops it in any case. */
async function startAndStopServer(line: string, folder: string): Promise<Ran & { readonly alive: number | undefined }> {
  const words = line.replaceAll('/srv/', `${folder}/`).split(' ').slice(1);
  // Replaces the port of the example by a free one, because tests run in parallel.
  const port = words.includes('--socket') ? [] : ['--port', '0'];
  const child = spawn(process.execPath, [join(root, 'bin/petstore.js'), ...words, ...port], { cwd: folder, env: environmentIn(folder), timeout: 30_000 });
  let [output, log] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const closed = once(child, 'close');
  const listening = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.endsWith('\n')) resolve();
    });
  });
  try {
    await Promise.race([listening, closed]);
    const alive = output === '' ? undefined : await statusAt(output.trim());
    child.kill('SIGTERM');
    await closed;
    return { alive, exitCode: child.exitCode, output: log };
  } finally {
    child.kill('SIGKILL');
  }
}

/** The status of the probe of a server, by its printed address. */
async function statusAt(address: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = address.startsWith('/') ? { socketPath: address, path: '/livez', headers: { host: 'localhost' } } : new URL(`${address}/livez`);
    get(asked as URL, ({ statusCode }) => resolve(statusCode)).on('error', reject);
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface Shown extends Ran {
  readonly line: string;
}

/** The code blocks of a document, and the text between them. */
const partsOf = (text: string): readonly string[] => text.split(/^(```\w*(?: \d+)?\n[\s\S]*?^```\n)/m);

/** The commands of a code block and their outputs: "$ petstore pet view 99   # exit 3" exits with 3, others with 0. */
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

/** The text without what differs between runs: times, widths that depend on them, and random names. */
function stableText(output: string): string {
  return (
    output
      .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z|\s(?:at\s)?\d\d:\d\d\b)|(?<=Date: ).*GMT/g, '<time>')
      .replaceAll(/\d{8}T\d{6}Z/g, '<time>')
      .replaceAll(/(?<=sha256: )[0-9a-f]{64}|[\d,]+(?= bytes)/g, '<file>')
      .replaceAll(/(?<=x-request-id: ).*/g, '<id>')
      .replaceAll(/(?<=cursor=)[\w-]+/g, '<cursor>')
      .replaceAll(/(?<=^id: \d+-)[0-9a-z]+$/gm, '<mark>')
      .replaceAll(/\b(today|[A-Z][a-z]{2} \d\d) \d\d:\d\d\b/g, '<clock>')
      .replaceAll(/just now|in a moment|(in )?\d+ (minute|hour|day|week|month|year)s?( ago)?/g, '<when>')
      // A terminal wraps sentences by the length of the folder's name.
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/^ | $/gm, '')
      .trim()
  );
}

/** The shell in which the commands of a document run. */
interface Tour {
  readonly folder: string;
  readonly port: number;
  readonly run: Session['run'];
}

/** A command with its documented output, or with its actual output and exit code where they differ. */
async function actualOutput(shown: Shown, { folder, port, run }: Tour, width: string): Promise<Shown> {
  const { line, exitCode, output } = shown;
  if (!/^(export|cat|kill) |^[A-Z]+=|(^|\| |[ (])(petstore|curl) /.test(line)) return shown;
  const store = join(folder, 'shop.db');
  const here = line.replaceAll(shownStore, store).replaceAll(`:${shownPort}`, `:${port}`).replace('petstore serve', `petstore serve --port ${port}`);
  await run(line.includes('|') ? 'unset PETSTORE_FORCE_TTY' : `export PETSTORE_FORCE_TTY=${width}`);
  const ran = await run(here);
  const printed = ran.output.replaceAll('\r', '').replaceAll(store, shownStore).replaceAll(`:${port}`, `:${shownPort}`).trimEnd();
  const same = ran.exitCode === exitCode && (output === '' || stableText(printed) === stableText(output));
  return same ? shown : { line, exitCode: ran.exitCode, output: printed };
}

/** A code block with the actual output of its commands, in a terminal of the width given in its first line. */
async function blockOf(block: string, tour: Tour): Promise<string> {
  const [, width = '100'] = /^```\w* (\d+)\n/.exec(block) ?? [];
  let text = block.slice(0, block.indexOf('\n') + 1);
  for (const shown of commandsOf(block)) {
    const { line, exitCode, output } = await actualOutput(shown, tour, width);
    text += `$ ${line}${exitCode === 0 ? '' : `   # exit ${exitCode}`}\n${output === '' ? '' : `${output}\n`}`;
  }
  return `${text}\`\`\`\n`;
}

describe('README.md and the guide', () => {
  // After an intended change of the output, `vitest run test/docs.test.ts -u` writes the new output into the documents.
  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  test.skipIf(!hasCurl).concurrent.for(documents)('%s shows what its commands print', { timeout: 60_000 }, async (path, context) => {
    const folder = join(temporary, `tour-${documents.indexOf(path)}`);
    cpSync(join(root, 'data'), join(folder, 'data'), { recursive: true });
    // Without a progress meter, which curl shows on standard error.
    writeFileSync(join(folder, '.curlrc'), 'silent\n');
    // README.md creates its shop; a guide page starts with the sample shop.
    if (path !== 'README.md') await shell('petstore init --sample', folder);
    const { run, end } = session(folder);
    context.onTestFinished(end);
    const tour = { folder, port: await freePort(), run };
    let text = '';
    for (const part of partsOf(read(path))) text += /^```\w*(?: \d+)?\n\$ /.test(part) ? await blockOf(part, tour) : part;
    await context.expect(text).toMatchFileSnapshot(join(root, path));
  });

  test('README.md has at most 300 lines and links every guide page', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(300);
    expect(chapters.filter((path) => !readme.includes(`](${path})`))).toEqual([]);
    for (const path of chapters) expect(read(path)).toMatch(/^# \S.*\n\n\S/);
  });

  // After an intended change of the output, `npm run pictures` draws them again.
  test('the pictures show the output of their commands', () => {
    const folder = join(temporary, 'pictures');
    const { status, stderr } = spawnSync(process.execPath, [join(root, '.config/pictures.js'), '--into', folder], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const names = readdirSync(folder);
    expect(names).toEqual(readdirSync(join(root, 'data/pictures')).filter((name) => name.endsWith('.svg')));
    for (const name of names) {
      expect(readFileSync(join(folder, name), 'utf8')).toBe(read(`data/pictures/${name}`));
      expect(statSync(join(folder, name)).size).toBeLessThan(60_000);
      expect(everything).toContain(`pictures/${name})`);
    }
  });

  test('the pictures of the board are small enough for a page that is read everywhere', () => {
    const names = readdirSync(join(root, 'data/pictures')).filter((name) => name.endsWith('.png'));
    expect(names).toEqual(['board-dark.png', 'board-light.png']);
    for (const name of names) {
      expect(statSync(join(root, 'data/pictures', name)).size).toBeLessThan(120 * 1024);
      expect(readme).toContain(`data/pictures/${name}`);
    }
  });

  test.each([...documents, '.github/CONTRIBUTING.md'])('the links of %s have a target', (path) => {
    const anchorsOf = (text: string): readonly string[] =>
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} -]/gu, '')
          .replaceAll(' ', '-'),
      );
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, file = '', anchor]) => ({
      target: file === '' ? path : join(dirname(path), file),
      anchor,
    }));
    expect(links.filter(({ target }) => !existsSync(join(root, target)))).toEqual([]);
    expect(links.filter(({ target, anchor }) => anchor !== undefined && !anchorsOf(read(target)).includes(anchor))).toEqual([]);
  });

  test('the files that CONTRIBUTING.md names exist', () => {
    const named = [...read('.github/CONTRIBUTING.md').matchAll(/`((?:src|test|data|bin)\/[^`<>]*)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test.each(groups.map(({ name }) => name))('the overview names every command of %s', (group) => {
    const overview = read('data/guide/overview.md').split('\n');
    const row = overview.find((line) => line.startsWith(`| \`${group}\` |`)) ?? '';
    const words = commands.map(({ path }) => path);
    const missing = words.filter(([first, ...verb]) => first === group && verb.length > 0 && !row.split('|')[2]?.includes(`\`${verb.join(' ')}\``));
    expect(row).not.toBe('');
    expect(missing).toEqual([]);
  });

  test('the documents name every environment variable of the program', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const variables = files.flatMap((name) =>
      [...read(join('src', name)).matchAll(/(?:environment|env)\['([A-Z_]+)'\]/g)].map(([, variable = '']) => variable),
    );
    expect(variables).toContain('PETSTORE_STORE');
    for (const variable of new Set(variables)) expect(everything).toMatch(new RegExp(`\`${variable}[\`=]`));
  });

  test('the documents name only existing flags', () => {
    const spelt = commands.flatMap(({ flags }) => Object.values(flags).map(flagSpelling)).concat(globalFlags);
    const known = new Set(spelt.flatMap((spelling) => spelling.match(/--[a-z-]+/g) ?? []));
    const lines = everything.match(/\bpetstore [a-z][^`|\n]*|`--[^`]*/g) ?? [];
    const named = lines.flatMap((line) => line.replaceAll(/"[^"]*"|'[^']*'/g, '').match(/(?<= |`)--[a-z-]+/g) ?? []);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((flag) => !known.has(flag))).toEqual([]);
  });

  test('the documents name every format, exit code and help topic', () => {
    for (const name of formats) expect(read('data/guide/output.md')).toContain(`\`${name}\``);
    for (const name of guide.chapters()) expect(read('data/guide/overview.md')).toContain(`\`${name}\``);
    for (const exitCode of new Set(Object.values(exitCodes))) {
      const [, row = ''] = new RegExp(`^\\| ${exitCode} \\|(.*)$`, 'm').exec(read('data/guide/exit-codes.md')) ?? [];
      const named = [...row.matchAll(/`([a-z]+(?:_[a-z0-9]+)*)`/g)].map(([, code = '']) => code);
      const codes = errorCodes.filter((code) => exitCodes[code] === exitCode);
      expect([exitCode, named.toSorted()]).toEqual([exitCode, codes.toSorted()]);
    }
  });
});

describe('help', () => {
  test.each(commands)('$path has a unique summary and examples', ({ path, summary, examples }) => {
    const spoken = path.join(' ');
    expect(summary).not.toBe('');
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toMatch(new RegExp(`petstore .*${spoken}`));
  });

  test.each(guide.chapters())('petstore help %s prints its page', async (name) => {
    const { exitCode, output } = await shell(`petstore help ${name}`, prepared);
    expect(exitCode).toBe(0);
    expect(output).toBe(markdownText(guide.read(name), { width: 80, paint: plain }));
  });

  const [serving, examples] = [true, false].map((serves) =>
    commands.filter(({ path }) => (path[0] === 'serve') === serves).flatMap((command) => command.examples),
  ) as [string[], string[]];
  test.concurrent.for(serving.map((example, index) => ({ example, index })))('$example', async ({ example, index }) => {
    const folder = join(temporary, `serve-${index}`);
    cpSync(prepared, folder, { recursive: true });
    // A server on a public address starts only with a token.
    await shell('petstore token create till --scope store:write', folder);
    const { alive, exitCode, output } = await startAndStopServer(example, folder);
    expect([alive, exitCode, output]).toEqual([200, 0, expect.stringContaining('"msg":"stopped"')]);
  });

  test.concurrent.for(examples.map((example, index) => ({ example, index })))('$example', async ({ example, index }) => {
    const folder = join(temporary, `example-${index}`);
    cpSync(prepared, folder, { recursive: true });
    if (example.includes('Primary Breed')) writeFileSync(join(folder, 'pets.csv'), "Animal's Name,Primary Breed\nFlora,Poodle\n");
    const { exitCode, output } = await shell(example.replaceAll('/srv/', `${folder}/`), folder);
    // A refusal by a rule of the shop is accepted; a usage error or an internal error is not.
    const trouble = [0, 3, 4, 5, 6, 8].includes(exitCode ?? 1) ? '' : output;
    expect(trouble).toBe('');
  });
});

test.each(['stock.csv', 'recount.csv', 'delivery.csv'])('data/%s fits the sample shop', async (file) => {
  const { exitCode, output } = await shell(`petstore inventory import ${file} --dry-run`, prepared);
  expect(output).toContain(' 0 rejected');
  expect(exitCode).toBe(0);
});
