import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { expectNarrow } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { goTo } from './accessibility.js';
import { expectFocus, press } from './focus.js';
import { testListening } from '../support/server.js';

const { open, openNew } = testBrowser();

/** Types a part of a name into the field of a pet that has the focus, and takes the first pet that is offered. */
async function choosePet(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.getByRole('option').first().waitFor();
  await press(page, 'Enter');
}

testListening('an order is placed, edited and completed by keyboard alone', async ({ address, pet, stockSummary }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const page = await open(address, '/board/orders');
  await page.getByText('No order was placed yet.').waitFor();
  await page.getByRole('button', { name: 'Place order' }).focus();
  await press(page, 'Enter');
  // The field says which pet an ID is.
  await page.keyboard.type(String(koi));
  await page.getByRole('option').waitFor();
  await press(page, 'Tab');
  await page.getByRole('dialog').getByText('Koi, 40 available').waitFor();
  await page.keyboard.type('60');
  await press(page, 'Enter');
  await page.getByText('Only 40 × Koi available; 60 requested.').waitFor();
  await expect.poll(() => page.getByRole('dialog').getByRole('combobox').inputValue()).toBe(String(koi));
  await page.getByLabel('Units').fill('6');
  await press(page, 'Enter');
  await page.getByText('Reserved 6 × Koi (order 1).').waitFor();
  await expectFocus(page, 'Place order');
  await page.getByRole('button', { name: 'More order 1' }).focus();
  await press(page, 'Enter', 'Tab', 'Enter');
  await page.getByLabel('Units').fill('1e2');
  await press(page, 'Enter');
  await page.getByText('Must be an integer').waitFor();
  await page.getByLabel('Units').fill('5');
  await press(page, 'Enter');
  await page.getByText('Changed order 1: 5 × Koi.').waitFor();
  await page.getByRole('button', { name: 'Complete order 1' }).focus();
  await press(page, 'Enter');
  await expectFocus(page, 'Complete order');
  await press(page, 'Enter');
  await page.getByText('Sold 5 × Koi, 35 available (order 1).').waitFor();
  await page.getByRole('cell').getByText('complete', { exact: true }).waitFor();
  // The button is gone: the focus stays in its row.
  await expectFocus(page, 'order 1');
  await page.getByRole('button', { name: 'Return order 1' }).focus();
  await press(page, 'Enter', '9', 'Enter');
  await page.getByText('Order 1 sold 5; 9 cannot be returned.').waitFor();
  await press(page, 'Backspace', '2', 'Enter');
  await page.getByText('Returned 2 × Koi of order 1, 37 available.').waitFor();
  expect(await stockSummary(koi)).toBe('37 on hand, 0 reserved, available');
  // An order of which units came back is not reopened, which the shop says, and one whose units are all back has nothing to return.
  await page.getByRole('button', { name: 'More order 1' }).click();
  await page.getByRole('button', { name: 'Reopen', exact: true }).click();
  await page.keyboard.press('Enter');
  await page.getByText('2 units of order 1 came back already; the order cannot be reopened. Return the others instead.').waitFor();
  await page.getByRole('button', { name: 'Go back' }).click();
  await page.getByRole('button', { name: 'Return order 1' }).click();
  await page.keyboard.type('3\n');
  await page.getByText('Returned 3 × Koi of order 1, 40 available.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Return order 1' }).count()).toBe(0);
});

testListening('filters by state, pet and ship date are kept in the address', async ({ address, pet, call, clock }) => {
  const later = (hours: number): string => new Date(clock.now() + hours * 3_600_000).toISOString();
  const [koi, rex] = [await pet({ name: 'Koi', quantity: 40 }), await pet({ name: 'Rex', quantity: 40 })];
  const place = async (body: object): Promise<unknown> => call(placeOrder, { body });
  await place({ petId: koi, shipDate: later(-2) });
  await place({ petId: koi, shipDate: later(24 * 9) });
  await place({ petId: rex, complete: true });
  await place({});
  await place({ petId: rex, shipDate: later(2) });
  const page = await openNew(address, '/board/orders');
  await page.clock.setFixedTime(clock.now());
  const rows = async (): Promise<readonly string[]> => page.getByRole('rowheader').allInnerTexts();
  await expect.poll(rows).toEqual(['order 5', 'order 4', 'order 3', 'order 2', 'order 1']);
  const shown: string[][] = [];
  for (const state of ['Open', 'Due today', 'Overdue', 'Drafts', 'Complete']) {
    const answer = page.waitForResponse('**/store/orders?*');
    await page.getByRole('link', { name: state, exact: true }).click();
    await answer;
    await page.locator('.shown[aria-busy="false"]').waitFor();
    shown.push([...(await rows())]);
  }
  expect(shown).toEqual([['order 1', 'order 5', 'order 2'], ['order 5'], ['order 1'], ['order 4'], ['order 3']]);
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  await page.getByRole('combobox', { name: 'Pet' }).focus();
  await choosePet(page, 'ko');
  await expect.poll(rows).toEqual(['order 1', 'order 2']);
  await page.getByLabel('Ship date from').fill(later(24 * 8).slice(0, 10));
  await expect.poll(rows).toEqual(['order 2']);
  await page.reload();
  await expect.poll(rows).toEqual(['order 2']);
  await expect.poll(() => page.getByRole('combobox', { name: 'Pet' }).inputValue()).toBe('Koi');
  expect(new URL(page.url()).search).toMatch(`?state=open&pet=${koi}&from=`);
});

testListening('an order shows its history, also after it was cancelled', async ({ address, pet, order, call }) => {
  const name = `<b onclick=alert(1)>${'\u{1f420}'.repeat(30)}</b>`;
  const fish = await pet({ name, quantity: 9 });
  await order(fish, 2);
  await call(updateOrder, { orderId: 1, body: { complete: true } }, { note: 'paid in cash' });
  const page = await open(address, '/board/orders/1');
  await page.getByText('paid in cash').waitFor();
  await page.getByText('Placed order 1 for').waitFor();
  await expect.poll(() => page.locator('main b[onclick]').count()).toBe(0);
  await page.getByRole('button', { name: 'More order 1' }).click();
  await page.getByRole('button', { name: 'Reopen' }).click();
  await press(page, 'Enter');
  await page.getByRole('button', { name: 'More order 1' }).click();
  await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
  await page.keyboard.type('changed her mind');
  await press(page, 'Enter');
  await page.getByRole('definition').getByText('cancelled').waitFor();
  await expect.poll(() => page.getByRole('main').getByText('Cancelled order 1').count()).toBe(1);
  // Undo opens it again.
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  await press(page, 'u');
  await page.getByRole('dialog').getByText('Cancelled order 1').waitFor();
  await press(page, 'Enter');
  await page.getByRole('definition').getByText('open', { exact: true }).waitFor();
  await expectFocus(page, 'Order 1');
  await expect.poll(() => page.getByRole('button', { name: 'Reopen' }).count()).toBe(0);
  await expectNarrow(page);
  await goTo(page, '/orders/99');
  await page.getByText('Order 99 was not found.').waitFor();
});
