import { expect } from 'vitest';
import { getSummary } from '../../src/domain/reports/get-summary.js';
import { expectAccessible } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { testListening } from '../support/server.js';

const { open } = testBrowser();

testListening('the page shows the figures of the shop', async ({ address, pet, shop }) => {
  await pet({ quantity: 4321 });
  const { units } = await shop.call(getSummary, {});
  const page = await open(address);
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await page.getByRole('link', { name: `On hand ${units.onHand.toLocaleString('en')}` }).waitFor();
});

testListening(
  'the page works below a base path',
  async ({ address, pet }) => {
    await pet({ quantity: 4321 });
    const page = await open(address, '/board/');
    await page.getByRole('link', { name: 'On hand 4,321' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/my/shop/board/');
  },
  { basePath: '/my/shop' },
);

testListening(
  'the page says what is missing from a server with only stable operations',
  async ({ address }) => {
    const page = await open(address);
    await page.getByText('--stable-only').waitFor();
    await expectAccessible(page);
  },
  { stableOnly: true },
);
