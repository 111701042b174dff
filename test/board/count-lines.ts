import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { listCountLines } from '../../src/domain/counts/list-count-lines.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import type { TestShop } from '../support/test-shop.js';

/** Starts a count of every pet; answers its id. */
export async function countOf({ call }: Pick<TestShop, 'call'>, body: Parameters<typeof startCount.run>[1]['body'] | object = {}): Promise<number> {
  return (await call(startCount, { body })).id;
}

/** The lines that count for a pet, oldest first: "7: 12", "7: +3", with "-" in front of those that were undone. */
export async function linesOf({ call }: Pick<TestShop, 'call'>, countId: number): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await call(listCountLines, { countId, sort: 'id', limit: 500, cursor });
    texts.push(...page.items.map(({ petId, number, adds, undone }) => `${undone ? '-' : ''}${petId}: ${adds ? '+' : ''}${number}`));
    if (page.next === undefined) return texts;
    cursor = page.next;
  }
}

/** Waits until the field of a count has the focus. */
export async function expectEntryFocus(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-entry'))).toBe(true);
}

/** A scanner at a page: it types a text as fast as it can, with Return for each `\n`, and waits for nothing. */
export async function scannerAt(page: Page): Promise<(text: string) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const press = (character: string): readonly Promise<unknown>[] => {
    const isReturn = character === '\n';
    const key = isReturn ? { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 } : { key: character };
    return [
      session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key, text: isReturn ? '\r' : character }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
    ];
  };
  return async (text) => void (await Promise.all([...text].flatMap(press)));
}
