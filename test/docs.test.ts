import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../src/cli/command-groups.js';
import { documents, everything, read, root } from './support/documents.js';
import { startDocumentShell, type Ran, type Session } from './support/document-shell.js';
import { freePort } from './support/free-port.js';

const { folder: temporary, run: shell, session, startAndStopServer, stop } = startDocumentShell();
afterAll(stop);

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();

/** The store, the home folder and the port in the documents; a test uses a temporary folder and a free port instead. */
const shownStore = '/tmp/tour.db';
const shownHome = '/home/ana';
const shownPort = '8080';

/** A shop with the files of the examples; each example gets a copy. */
const prepared = join(temporary, 'prepared');

/** Copies the files that the examples read. */
function copyData(folder: string): void {
  const isDocument = /\/(guide|pictures|reference\.md)$/;
  cpSync(join(root, 'data'), folder, { recursive: true, filter: (path) => !isDocument.test(path) });
}

beforeAll(async () => {
  copyData(prepared);
  writeFileSync(join(prepared, 'pets.csv'), 'name,category\nFlora,Dogs\nFidelio,Cats\n');
  writeFileSync(join(prepared, 'codes.csv'), 'petId,code,units\n7,96385074,\n7,10096385074002,12\n');
  const { exitCode, output } = await shell('petstore init --sample && petstore backup backup.db && petstore profile add main --store shop.db', prepared);
  if (exitCode !== 0) throw new Error(output);
});

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
  await run(/\|| > /.test(line) ? 'unset PETSTORE_FORCE_TTY' : `export PETSTORE_FORCE_TTY=${width}`);
  const ran = await run(here);
  const printed = ran.output.replaceAll('\r', '').replaceAll(store, shownStore).replaceAll(folder, shownHome).replaceAll(`:${port}`, `:${shownPort}`).trimEnd();
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
  test.skipIf(!hasCurl).concurrent.for(documents)('%s shows what its commands print', async (path, context) => {
    const folder = join(temporary, `tour-${documents.indexOf(path)}`);
    copyData(join(folder, 'data'));
    // Without a progress meter, which curl shows on standard error.
    writeFileSync(join(folder, '.curlrc'), 'silent\n');
    // README.md creates its shop; a guide page starts with the sample shop.
    if (path !== 'README.md') copyFileSync(join(prepared, 'shop.db'), join(folder, 'shop.db'));
    const { run, end } = session(folder);
    context.onTestFinished(end);
    const tour = { folder, port: await freePort(), run };
    let text = '';
    for (const part of partsOf(read(path))) text += /^```\w*(?: \d+)?\n\$ /.test(part) ? await blockOf(part, tour) : part;
    await context.expect(text).toMatchFileSnapshot(join(root, path));
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
      expect(read('README.md')).toContain(`data/pictures/${name}`);
    }
  });
});

describe('help', () => {
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
