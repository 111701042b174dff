import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { docsPolicy } from '../../src/http/server/pages/docs-page.js';
import { builtFolder } from '../support/program.js';
import { testServed } from '../support/server.js';

testServed(
  'the documentation page loads only its own files, below the base path',
  async ({ http }) => {
    const { text, headers } = await http('GET', '/shop/docs');
    expect(headers['content-security-policy']).toBe(docsPolicy);
    const loaded = [...text.matchAll(/(?:src|href|openapi)="([^"]+)"/g)].map(([, address = '']) => address);
    const built = readdirSync(join(builtFolder(), 'docs')).filter((name) => name.endsWith('.gz'));
    expect([...new Set(loaded)].toSorted()).toEqual(['/shop/openapi.json', ...built.map((name) => `/shop/docs/${name.slice(0, -3)}`)].toSorted());
    for (const address of loaded) expect([address, (await http('GET', address)).status]).toEqual([address, 200]);
    for (const name of ['nope.js', 'LICENSE', 'index.html', 'docs.js.gz']) expect((await http('GET', `/shop/docs/${name}`)).code).toBe('not_found');
  },
  { basePath: '/shop' },
);

testServed('the documentation page has no inline script or style, and its policy forbids both', async ({ http }) => {
  expect((await http('GET', '/docs')).text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  expect(docsPolicy).not.toContain('unsafe');
  expect(docsPolicy.split('; ')).toContain("default-src 'none'");
});
