import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { newCertificate } from '../support/certificate.js';
import { missingTool, skipWith } from '../support/optional-tools.js';
import { testListening } from '../support/server.js';

const { context } = testBrowser();

const missing = missingTool('openssl', 'openssl', ['version']);

/** A new certificate for this machine, with its key. */
function certificate(): { readonly key: Buffer; readonly cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-certificate-'));
  try {
    const { key, cert } = newCertificate(folder);
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A proxy with TLS that forwards as the nginx block of data/guide/deployment.md does: the same path and Host, X-Forwarded-Proto, no buffering. */
async function startTlsProxy(port: number): Promise<string> {
  const proxy = createServer(certificate(), (incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-proto': 'https', connection: 'close' };
    const { method = 'GET', url = '/' } = incoming;
    const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `https://localhost:${(proxy.address() as AddressInfo).port}`;
}

if (missing === undefined) {
  testListening(
    'behind a proxy with TLS and below a path the board signs in with a cookie of this host alone, and follows the shop',
    async ({ port, pet, adjust, dependencies }) => {
      const koi = await pet({ name: 'Koi', quantity: 40 });
      const { text } = await dependencies.tokens.create({ name: 'till', scopes: ['admin'] });
      const site = await startTlsProxy(port);
      const browser = await context(site, { ignoreHTTPSErrors: true });
      const page = await browser.newPage();
      await page.goto(`${site}/shop/board/stock`);
      await page.getByLabel('Access token').fill(text);
      await page.getByLabel('Access token').press('Enter');
      await page.getByRole('link', { name: 'Koi' }).waitFor();
      expect(await browser.cookies()).toMatchObject([{ name: '__Host-petstore_session+shop', path: '/', secure: true, httpOnly: true, sameSite: 'Strict' }]);
      await page.getByText('Live', { exact: true }).waitFor();
      await adjust(koi, 2);
      await page.getByRole('cell', { name: '42' }).first().waitFor();
      await page.getByRole('link', { name: 'Reports' }).click();
      await page.getByRole('heading', { name: 'Stock by category and status' }).waitFor();
      expect(page.url()).toBe(`${site}/shop/board/reports`);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Access token').waitFor();
      expect(await browser.cookies()).toEqual([]);
    },
    { basePath: '/shop', auth: 'required' },
  );
} else {
  test('behind a proxy with TLS', (around) => skipWith(missing, around));
}
