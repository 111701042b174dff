// Draws data/pictures/board-light.png and board-dark.png: the screen Today of the shop board in a sample shop. Run it after the board has changed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from './chromium.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'petstore-board-'));
const env = { PATH: process.env['PATH'], PETSTORE_CONFIG: devNull, PETSTORE_ACTOR: 'ana', PETSTORE_STORE: join(folder, 'shop.db'), TZ: 'UTC' };
const prepare = [
  ['init', '--sample', '--name', 'Paws & Fins'],
  ['inventory', 'import', 'data/recount.csv'],
  ['inventory', 'import', 'data/delivery.csv'],
  ['order', 'place', '--pet', '7', '--quantity', '3', '--ship-date', new Date(Date.now() - 7_200_000).toISOString()],
  ['order', 'place', '--pet', '4', '--ship-date', `${new Date().toISOString().slice(0, 10)}T23:59:00Z`],
  ['sell', '3', '5'],
  ['sell', '13', '4'],
  ['inventory', 'adjust', '7', '-1', '--note', 'died'],
  ['sell', '17', '2'],
];
for (const args of prepare) {
  const { status, stderr } = spawnSync(process.execPath, ['bin/petstore.js', ...args], { cwd: root, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`petstore ${args.join(' ')} ended with ${status}:\n${stderr}`);
}
const server = spawn(process.execPath, ['bin/petstore.js', 'serve', '--port', '0'], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
const address = await new Promise((resolve) => server.stdout.once('data', (text) => resolve(String(text).trim())));
const browser = await launchChromium();
try {
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 760 }, timezoneId: 'UTC', locale: 'en-GB', reducedMotion: 'reduce' });
    await page.goto(`${address}/board/`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator('.waiting').first().waitFor({ state: 'detached' });
    await page.screenshot({ path: join(root, `data/pictures/board-${colorScheme}.png`) });
  }
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
