import { expect } from 'vitest';
import { expectNarrow } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { goTo } from './accessibility.js';
import { testListening } from '../support/server.js';

const { open } = testBrowser();

testListening('a pet shows its stock, its orders and its history', async ({ address, pet, order, adjust, clock }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  clock.pass(60_000);
  await adjust(koi, -3);
  clock.pass(60_000);
  await adjust(koi, 12);
  await order(koi, 2);
  const page = await open(address, `/board/pets/${koi}`);
  await page.getByRole('heading', { level: 1, name: 'Koi' }).waitFor();
  await page.getByRole('rowheader', { name: 'order 1', exact: true }).waitFor();
  await page.getByText('Wrote off 3 ×').waitFor();
  await expectNarrow(page);
  await page.getByRole('button', { name: 'Sell Koi' }).click();
  await page.getByRole('textbox', { name: 'Units' }).fill('4');
  await page.keyboard.press('Enter');
  await page.getByText('Sold 4 × Koi, 43 available (order 2).').waitFor();
  await page.getByRole('definition').getByText('45', { exact: true }).waitFor();
  await page.getByRole('rowheader', { name: 'order 2', exact: true }).waitFor();
  // A change by somebody else shows, and a dialog keeps the focus and what was typed.
  await page.getByRole('button', { name: 'More Koi' }).click();
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  await page.keyboard.type('4');
  await adjust(koi, -5);
  await page.getByRole('definition').getByText('40', { exact: true }).waitFor();
  await page.keyboard.type('1');
  await expect.poll(() => page.getByRole('textbox', { name: 'Units counted' }).inputValue()).toBe('41');
});

testListening('the fields of a pet and of its category are edited, and a refusal keeps what was typed', async ({ address, pet, category }) => {
  const [fish, dogs] = [await category('Fish'), await category('Dogs')];
  const koi = await pet({ name: 'Koi', categoryId: fish });
  const page = await open(address, `/board/pets/${koi}`);
  await page.getByRole('button', { name: 'More Koi' }).click();
  await page.getByRole('button', { name: 'Edit pet' }).click();
  await page.getByLabel('Name').fill(' ');
  await page.getByLabel('Category').selectOption('Dogs');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await expect.poll(() => page.getByLabel('Category').inputValue()).toBe(String(dogs));
  await page.getByLabel('Name').fill("Koi's son");
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: "Koi's son" }).waitFor();
  // Its category is edited where its pets are listed.
  await page.getByRole('link', { name: 'Dogs' }).click();
  await page.getByRole('button', { name: 'More of the shop' }).click();
  await page.getByRole('button', { name: 'Edit category' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Hounds');
  await page.keyboard.press('Enter');
  await page.getByText('Changed category Hounds.').waitFor();
  await page.getByRole('cell', { name: 'Hounds' }).waitFor();
  // What was changed is looked up before it can be undone.
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  await page.keyboard.press('u');
  await page.getByRole('heading', { name: 'Undo the edit of category Hounds (back to "Dogs")' }).waitFor();
});

testListening('a pet is deleted, unless an order needs it', async ({ address, pet, order }) => {
  const rex = await pet({ name: 'Rex' });
  await order(rex, 1);
  const page = await open(address, `/board/pets/${rex}`);
  const remove = async (): Promise<void> => {
    await page.getByRole('button', { name: 'More Rex' }).click();
    await page.getByRole('button', { name: 'Delete pet' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete pet' }).click();
  };
  await remove();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'order 1' }).first().click();
  await page.getByRole('button', { name: 'More order 1' }).click();
  await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
  await page.keyboard.press('Enter');
  await page.getByRole('definition').getByText('cancelled').waitFor();
  await page.goBack();
  await remove();
  await page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor();
  await goTo(page, `/pets/${rex}`);
  await page.getByText(`Pet ${rex} was not found.`).waitFor();
});
