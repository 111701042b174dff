import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { boardServer, type BoardServer } from '../support/board-server.js';
import { runProgram } from '../support/program.js';

const { open } = testBrowser();
const folder = mkdtempSync(join(tmpdir(), 'petstore-board-'));
const store = join(folder, 'shop.db');
let server: BoardServer;

beforeAll(async () => {
  server = await boardServer(store);
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

test('the page shows the figures of the shop', async () => {
  const page = await open(server.address);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('petstore');
  const { stdout } = await runProgram(store, ['status', '--json']);
  const { units } = JSON.parse(stdout) as { readonly units: Readonly<Record<string, number>> };
  await page.getByText(String(units['onHand']), { exact: true }).waitFor();
});
