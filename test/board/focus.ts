import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Waits until what has the focus has this text: the page moves the focus after it has drawn, which a loaded machine does late. */
export async function expectFocus(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(text);
}

/** Waits until this field has the focus. */
export async function expectFieldFocus(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe(name);
}

/** Presses keys one after the other. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
