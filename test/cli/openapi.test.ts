import { expect } from 'vitest';
import { openApiDocument } from '../../src/http/openapi/document.js';
import { testWithoutShop, done } from '../support/cli.js';

const printed = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

testWithoutShop('openapi prints JSON in every format and without a shop', async ({ petstore }) => {
  expect(await petstore('openapi')).toEqual(done(printed(openApiDocument())));
  expect(await petstore('openapi --format csv')).toEqual(done(printed(openApiDocument())));
});

testWithoutShop('--stable-only leaves beta and experimental operations out', async ({ petstore }) => {
  const { stdout, ...rest } = await petstore('openapi --stable-only');
  expect([rest, stdout]).toEqual([{ exitCode: 0, stderr: '' }, printed(openApiDocument({ stableOnly: true }))]);
  expect(stdout).not.toContain('"x-stability-level"');
});
