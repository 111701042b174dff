import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The parts of a result of axe that a test shows. */
interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What axe checks on a page: everything in its light colours, and in its dark colours what depends on them. */
const checks = [
  { colorScheme: 'light', runOnly: standards },
  { colorScheme: 'dark', runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
] as const;

let source: string | undefined;

/** Expects that axe finds nothing on a page, in its light and its dark colours. */
export async function expectAccessible(page: Page): Promise<void> {
  source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Scripts that tools evaluate are not subject to the security policy of the page.
  await page.evaluate(source);
  for (const { colorScheme, runOnly } of checks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
    const found = await page.evaluate<readonly Violation[]>(`axe.run(${options}).then(({ violations }) => violations)`);
    const shown = found.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`) }));
    expect({ colorScheme, violations: shown }).toEqual({ colorScheme, violations: [] });
  }
}

/** Expects that a page does not scroll sideways at 320 CSS pixels, as with 400 % zoom on a screen of 1280. */
export async function expectNarrow(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  if (size) await page.setViewportSize(size);
}
