import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What axe found on a page in one of its colour schemes. */
export interface Violation {
  readonly colorScheme: 'light' | 'dark';
  readonly rule: string;
  readonly elements: readonly string[];
}

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[] }[];
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const colourRules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

export type ColourScheme = Violation['colorScheme'];

let source: string | undefined;

/** The part of a page that somebody can use: the open dialog, which makes the screen behind it inert, or everything. */
const usable = "document.querySelector('dialog[open]') ?? document";

/**
 * What axe finds on a page: everything in the first colours, and in the second what depends on them, which is most of the time of a
 * check. A screen behind a dialog is not checked again.
 */
export async function violationsOf(page: Page, ...schemes: readonly ColourScheme[]): Promise<readonly Violation[]> {
  source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Scripts that tools evaluate are not subject to the security policy of the page.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(source);
  const found: Violation[] = [];
  for (const [index, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // None of these rules reads the text of the stylesheets.
    const runOnly = index === 0 ? standards : colourRules;
    const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false });
    const { violations } = await page.evaluate<AxeResult>(`axe.run(${usable}, ${options}).then(({ violations }) => ({ violations }))`);
    for (const { id, nodes } of violations) {
      found.push({ colorScheme, rule: id, elements: nodes.map(({ html, failureSummary = '' }) => `${html} ${failureSummary}`) });
    }
  }
  return found;
}

/** Expects that axe finds nothing on a page, in its light colours; accessible.test.ts checks both of every screen. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page, 'light')).toEqual([]);
}

/** Expects that a page does not scroll sideways at 320 CSS pixels, as with 400 % zoom on a screen of 1280. */
export async function expectNarrow(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  if (size) await page.setViewportSize(size);
}
