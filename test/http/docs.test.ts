import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { docsFiles, docsPage, docsPolicy } from '../../src/http/server/pages/docs-page.js';

const packaged = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/package.json')));

test('the documentation page loads only its own files', async () => {
  const page = docsPage({ basePath: '/shop' });
  const files = docsFiles(packaged);
  const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  const known = ['/shop/openapi.json', ...[...files.keys()].map((name) => `/shop/docs/${name}`)];
  expect(loaded.filter((address) => !known.includes(address))).toEqual([]);
  expect(known.filter((address) => !loaded.includes(address))).toEqual([]);
  for (const read of files.values()) expect((await read()).byteLength).toBeGreaterThan(0);
});

test('the documentation page has no inline script or style, and its policy forbids both', () => {
  const page = docsPage({ basePath: '' });
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  expect(docsPolicy).not.toContain('unsafe');
  expect(docsPolicy.split('; ')).toContain("default-src 'none'");
});

test('a base path is escaped in the documentation page', () => {
  expect(docsPage({ basePath: '/"><b>' })).not.toContain('<b>');
});
