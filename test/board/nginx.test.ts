import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { newCertificate } from '../support/certificate.js';
import { freePort } from '../support/free-port.js';
import { missingTool, skipWith } from '../support/optional-tools.js';
import { testListening, type ListeningShop } from '../support/server.js';

const { context } = testBrowser();

const missing = missingTool('nginx', 'nginx', ['-v']) ?? missingTool('openssl', 'openssl', ['version']);

/** The first block of a chapter of the guide that is a configuration of nginx. */
function guideBlock(chapter: string): string {
  const text = readFileSync(new URL(`../../data/guide/${chapter}.md`, import.meta.url), 'utf8');
  return /```nginx\n(.*?)```/s.exec(text)?.[1] ?? expect.fail(`The chapter ${chapter} has no block for nginx.`);
}

/** The server of the chapter "deployment"; with `locations` in place of its own. */
function serverBlock(locations?: string): string {
  const block = guideBlock('deployment');
  return locations === undefined ? block : block.replace(/ {2}location .*\}\n/s, () => `${locations}}\n`);
}

/** Starts nginx with a server block of the guide, in a folder of its own; only the addresses and the certificate are others. */
async function startNginx(block: string, port: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-nginx-'));
  // Its workers have another user where root starts it.
  chmodSync(folder, 0o755);
  const { key, cert } = newCertificate(folder);
  const [own, file] = [await freePort(), join(folder, 'nginx.conf')];
  const replaced = block
    .replace('listen 443 ssl', `listen 127.0.0.1:${own} ssl`)
    .replace('server_name shop.example', 'server_name localhost')
    .replace('/etc/ssl/shop.example.pem', cert)
    .replace('/etc/ssl/shop.example.key', key)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'scgi', 'uwsgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n');
  writeFileSync(file, `daemon off;\npid ${folder}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${replaced}}\n`);
  const nginx = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => nginx.once('exit', resolve));
  onTestFinished(async () => {
    nginx.kill();
    await ended;
    rmSync(folder, { recursive: true });
  });
  return `https://localhost:${own}`;
}

/** Signs in, follows a change, and imports a file of more than the 2 MB of other requests, all through nginx. */
async function useBoard(
  { port, pet, adjust, dependencies }: ListeningShop,
  { locations, path = '' }: { readonly locations?: string; readonly path?: string } = {},
) {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const { text } = await dependencies.tokens.create({ name: 'till', scopes: ['admin'] });
  const site = await startNginx(serverBlock(locations), port);
  const browser = await context(site, { ignoreHTTPSErrors: true });
  const page = await browser.newPage();
  await expect.poll(() => page.goto(`${site}${path}/board/stock`).then((answer) => answer?.status(), String)).toBe(200);
  await page.getByLabel('Access token').fill(text);
  await page.getByLabel('Access token').press('Enter');
  await page.getByRole('link', { name: 'Koi' }).waitFor();
  expect(await browser.cookies()).toMatchObject([
    { name: expect.stringMatching(/^__Host-petstore_session/), secure: true, httpOnly: true, sameSite: 'Strict' },
  ]);
  await page.getByText('Live', { exact: true }).waitFor();
  await adjust(koi, 2);
  await page.getByRole('cell', { name: '42' }).first().waitFor({ timeout: 1500 });
  await page.getByRole('link', { name: 'Imports' }).click();
  const buffer = Buffer.from(`petId,delta,note\n${koi},3,van\n${`,,${'x'.repeat(500)}\n`.repeat(10_000)}`);
  await page.getByLabel('Drop a file here, or choose one').setInputFiles({ name: 'delivery.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('button', { name: 'Import the valid row' }).waitFor();
  return page;
}

if (missing === undefined) {
  testListening(
    "the guide's block for nginx serves the board: signing in, following the shop, a large import",
    async (served) => void (await useBoard(served)),
    { auth: 'required' },
  );
  testListening(
    "the guide's block for nginx serves the board below a path",
    async (served) => {
      const page = await useBoard(served, { locations: guideBlock('board'), path: '/shop' });
      expect(new URL(page.url()).pathname).toBe('/shop/board/imports');
    },
    { auth: 'required', basePath: '/shop' },
  );
} else {
  test("the guide's block for nginx", (around) => skipWith(missing, around));
}
