import { expect } from 'vitest';
import { addCountLines } from '../../src/domain/counts/add-count-lines.js';
import { closeCount } from '../../src/domain/counts/close-count.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { isLongRun } from '../support/seeded-random.js';
import { violationsOf, type ColourScheme, type Violation } from '../support/axe.js';
import type { ListeningShop } from '../support/server.js';
import type { Dialog, Locator, Page } from 'playwright-core';

/**
 * Checks the states of a page one after the other, and collects what is wrong in any of them: in light and dark colours by turns unless some
 * are given, in the long run in both.
 */
export interface Checks {
  readonly check: (state: string, ...schemes: readonly ColourScheme[]) => Promise<void>;
  readonly expectNoViolation: () => void;
}

export function checksOf(page: Page): Checks {
  const found: (Violation & { readonly state: string })[] = [];
  let last: ColourScheme = 'dark';
  const next = (): readonly ColourScheme[] => {
    last = last === 'dark' ? 'light' : 'dark';
    return isLongRun ? ['light', 'dark'] : [last];
  };
  return {
    check: async (state, ...schemes) => {
      const chosen = schemes.length === 0 ? next() : schemes;
      found.push(...(await violationsOf(page, ...chosen)).map((violation) => ({ state, ...violation })));
    },
    expectNoViolation: () => expect(found).toEqual([]),
  };
}

/** Opens a screen, without loading the page again, and waits until it has everything that it reads. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/board${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.locator('.waiting, [aria-busy=true]').count()).toBe(0);
}

/** Checks the screens at these paths of the board. */
export async function checkScreens(page: Page, { check }: Checks, paths: readonly string[], ...schemes: readonly ColourScheme[]): Promise<void> {
  for (const path of paths) {
    await goTo(page, path);
    for (const summary of await page.locator('summary').filter({ visible: true }).all()) await summary.click();
    await check(path, ...schemes);
  }
}

export async function* fileOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}

/** A shop with a record in every state. */
export async function fillShop({ category, pet, call, shop, shopOf }: ListeningShop): Promise<void> {
  const fish = await category('Fish');
  const koi = await pet({ name: 'Koi', categoryId: fish, quantity: 40 });
  await pet({ name: 'Rex', quantity: 2, reserved: 3 });
  await pet({ name: 'Bella', hold: true });
  const guppy = await pet({ name: 'Guppy', categoryId: fish, quantity: 3 });
  await call(setLowAt, { petId: guppy, body: { lowAt: 5 } });
  await call(placeOrder, { body: { petId: koi, quantity: 2, shipDate: '2026-11-20T08:00:00Z' } });
  await call(placeOrder, { body: { petId: koi, quantity: 2, shipDate: '2026-11-20T18:00:00Z' } }, { note: 'by phone' });
  await call(placeOrder, { body: { petId: koi, quantity: 4, complete: true } });
  await call(placeOrder, { body: {} });
  await call(cancelOrder, { orderId: (await call(placeOrder, { body: { petId: koi } })).id });
  await shop.importStock({ bytes: fileOf(`petId,delta\n${koi},12\n99,1\n${koi},two\n`), map: new Map() }, { mode: 'keep-going', fileName: 'delivery.csv' });
  await shopOf('keeper').call(holdPet, { petId: guppy });
  await shopOf('keeper').call(adjustInventory, { petId: koi, body: { delta: -1 } }, { note: 'died' });
}

/** Two counts: one that is closed, and one that goes on, with a pet that would have too few units. */
export async function fillCounts({ call }: Pick<ListeningShop, 'call'>): Promise<void> {
  await call(startCount, { body: { petIds: [1], note: 'back room' } });
  await call(addCountLines, { countId: 1, body: { lines: [{ petId: 1, number: 44 }] } });
  await call(closeCount, { countId: 1, body: {} });
  await call(startCount, { body: {} });
  const lines = [
    { petId: 1, number: 40 },
    { petId: 1, number: 3, adds: true },
    { petId: 2, number: 1 },
  ];
  await call(addCountLines, { countId: 2, body: { lines } });
}

/** The code, status and message of a refusal that concerns no field. */
const conflict = { code: 'pet_on_hold', status: 409, message: 'The shop refuses this change.' };

/** Checks a dialog after its change was refused, when it has everything that it opens with; in the long run as it opens too. */
export async function checkDialog(
  page: Page,
  { check }: Checks,
  opening: readonly Locator[],
  title: string,
  { label, text }: { readonly label?: string; readonly text?: string } = {},
): Promise<void> {
  for (const button of opening) await button.click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  await expect.poll(() => dialog.locator('.waiting').count()).toBe(0);
  if (isLongRun) await check(title);
  if (label !== undefined && text !== undefined) await dialog.getByLabel(label, { exact: true }).fill(text);
  else
    await page.route('**/*', (route) => (route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: conflict.status, json: conflict })));
  await dialog.locator('button[type=submit]').click();
  await dialog.getByRole('alert').first().waitFor();
  await check(`${title}, refused`);
  await page.unrouteAll();
  // What was typed is discarded.
  const accept = (question: Dialog): void => void question.accept();
  page.on('dialog', accept);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  page.off('dialog', accept);
}
