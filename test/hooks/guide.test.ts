import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/hooks/request.js';
import { signedHeaders } from '../../src/hooks/signature.js';
import { read } from '../support/documents.js';
import { freePort } from '../support/free-port.js';
import { missingTool, skipWith } from '../support/optional-tools.js';
import { ensureBuilt, environment, petstore, prepare } from '../support/program.js';
import { receiver } from './receiver.js';

beforeAll(ensureBuilt);

const blocks = [...read('data/guide/events.md').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
const blocksIn = (language: string): readonly string[] => blocks.flatMap(([, name, text = '']) => (name === language ? [text] : []));

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'petstore-guide-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

async function waitForPort(port: number): Promise<void> {
  for (;;) {
    const socket = createConnection(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => socket.once('connect', () => resolve(true)).once('error', () => resolve(false)));
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
}

interface Language {
  readonly name: string;
  readonly program: string;
  readonly version: string;
  readonly args: (file: string, port: number) => readonly string[];
}

const languages: readonly Language[] = [
  { name: 'js', program: process.execPath, version: '--version', args: (file) => [file] },
  { name: 'py', program: 'python3', version: '--version', args: (file) => [file] },
  { name: 'php', program: 'php', version: '--version', args: (file, port) => ['-S', `127.0.0.1:${port}`, file] },
];

for (const { name, program, version, args } of languages) {
  test(`the receiver of the guide in ${name} takes what the shop signed, and nothing else`, async (context) => {
    skipWith(missingTool(program, program, [version]), context);
    const [text = ''] = blocksIn(name);
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(15);
    const port = await freePort();
    const file = join(folder(), `receiver.${name === 'js' ? 'cjs' : name}`);
    writeFileSync(file, text.replace('9000', String(port)));
    const [secret, other] = [1, 2].map((byte) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`) as [string, string];
    const child = spawn(program, args(file, port), { env: { PATH: process.env['PATH'] ?? '', SECRET: secret }, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await waitForPort(port);
    const connection = connect({ url: `http://127.0.0.1:${port}/`, allowPrivate: true }, Date.now);
    // Longer than one read, with characters of several bytes.
    const body = JSON.stringify({ name: '×'.repeat(100_000) });
    const now = Math.floor(Date.now() / 1000);
    const statusOf = async (headers: Readonly<Record<string, string>>, sent = body) => (await connection.send(headers, sent)).status;
    expect([
      await statusOf(signedHeaders('evt_1', now, body, [secret])),
      await statusOf(signedHeaders('evt_1', now, body, [other, secret])),
      await statusOf(signedHeaders('evt_1', now, body, [other])),
      await statusOf(signedHeaders('evt_1', now, body, [secret]), body.replace('×', '÷')),
      await statusOf(signedHeaders('evt_1', now - 400, body, [secret])),
      await statusOf({ ...signedHeaders('evt_1', now, body, [secret]), 'webhook-id': 'evt_2' }),
    ]).toEqual([204, 204, 401, 401, 401, 401]);
    connection.close();
  });
}

/** Runs a recipe of the guide in a folder, in which `petstore` is the built program. */
function runRecipe(recipe: string, home: string, store: string, more: Readonly<Record<string, string>> = {}) {
  const command = join(home, 'petstore');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${petstore}" "$@"\n`);
  chmodSync(command, 0o700);
  const env = environment(store, { ...more, PATH: `${home}:${process.env['PATH'] ?? ''}` });
  const child = spawn('sh', ['-c', recipe.replaceAll('/srv/mirror', home).replaceAll('/srv', home)], { env: env as NodeJS.ProcessEnv });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  return new Promise<string>((resolve) => child.on('close', (code) => resolve(`${output}${code}`)));
}

test('the mirror of the guide has every entry once', async (context) => {
  skipWith(missingTool('sqlite3', 'sqlite3', ['--version']), context);
  const home = folder();
  const store = join(home, 'shop.db');
  const recipe = blocksIn('sh').find((text) => text.includes('mirror.db')) ?? '';
  await prepare(store, ['init', '--sample']);
  expect(await runRecipe(recipe, home, store)).toBe('0');
  // A run that was killed before it removed its file.
  writeFileSync(join(home, 'new.csv'), '1,,,,,\n');
  await prepare(store, ['sell', '13', '2', '--quiet']);
  expect(await runRecipe(recipe, home, store)).toBe('0');
  const mirror = new Database(join(home, 'mirror.db'), { readonly: true });
  const found = mirror.prepare("SELECT count(*) - max(id) AS missing, sum(kind = 'sale' AND pet = 13 AND delta = -2) AS sales FROM entries").get();
  mirror.close();
  expect(found).toEqual({ missing: 0, sales: 1 });
});

test('the recipe of the guide for a chat sends each sale once', async (context) => {
  skipWith(missingTool('curl', 'curl', ['--version']), context);
  const home = folder();
  const store = join(home, 'shop.db');
  const { url, received, stop } = await receiver();
  const recipe = blocksIn('sh').find((text) => text.includes('CHAT_URL')) ?? '';
  await prepare(store, ['init', '--sample']);
  for (const units of ['0', '2', '3']) {
    if (units !== '0') await prepare(store, ['sell', '13', units, '--quiet']);
    expect(await runRecipe(recipe, home, store, { CHAT_URL: url })).toBe('0');
  }
  expect(received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ text: 'Sold 2 × Guppy' }, { text: 'Sold 3 × Guppy' }]);
  await stop();
});
