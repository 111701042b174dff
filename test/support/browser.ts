import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** What a page did that no page of the board may do. */
interface Watched {
  readonly problems: string[];
}

/** A browser; each test opens contexts of its own in it. */
export interface TestBrowser {
  /**
   * A new context, as of a browser that was never here. It is closed after the test, which fails if a page of it wrote an error
   * to the console, broke its security policy, or sent a request to another origin.
   */
  readonly context: (address: string, options?: BrowserContextOptions, allowed?: RegExp) => Promise<BrowserContext>;
  /** A page of a new context at a path of a server. */
  readonly open: (address: string, path?: string, options?: BrowserContextOptions, allowed?: RegExp) => Promise<Page>;
}

interface Chromium {
  readonly launchChromium: () => Promise<Browser>;
}

const { launchChromium } = (await import(new URL('../../.config/chromium.js', import.meta.url).href)) as Chromium;

/** Runs in every page. */
const reportViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  console.error('policy:', violatedDirective, blockedURI, sample))`;

// The answers of operations are refusals that the page shows; a browser reports them to the console as well.
const isRefusalOfOperation = (message: ConsoleMessage): boolean =>
  message.text().startsWith('Failed to load resource') && !new URL(message.location().url).pathname.includes('/board/');

/** Collects what the pages of a context must not do. */
function watch(context: BrowserContext, address: string): Watched {
  const problems: string[] = [];
  const { origin } = new URL(address);
  context.on('console', (message) => {
    if (message.type() === 'error' && !isRefusalOfOperation(message)) problems.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => void problems.push(`error: ${error.error().stack}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:', 'about:'].includes(url.protocol)) problems.push(`request to ${url.href}`);
  });
  return { problems };
}

let starting: Promise<Browser> | undefined;

/**
 * Chromium from the npm package, or the browser that PETSTORE_BROWSER names. It starts with the first page and serves every test
 * file of this process; playwright ends it with the process.
 */
async function runningBrowser(): Promise<Browser> {
  if (starting !== undefined && !(await starting).isConnected()) starting = undefined;
  return (starting ??= launchChromium());
}

/** Without motion a page that waits is not drawn again and again. */
const defaults = { timezoneId: 'UTC', locale: 'en-GB', reducedMotion: 'reduce' } as const;

/** The browser of a test file. */
export function testBrowser(): TestBrowser {
  const context: TestBrowser['context'] = async (address, options = {}, allowed) => {
    const opened = await (await runningBrowser()).newContext({ baseURL: address, ...defaults, ...options });
    opened.setDefaultTimeout(30_000);
    await opened.addInitScript({ content: reportViolations });
    const { problems } = watch(opened, address);
    onTestFinished(async () => {
      await opened.close();
      expect(problems.filter((one) => allowed?.test(one) !== true)).toEqual([]);
    });
    return opened;
  };
  return {
    context,
    open: async (address, path = '/board/', options = {}, allowed = undefined) => {
      const page = await (await context(address, options, allowed)).newPage();
      await page.goto(`${address}${path}`);
      return page;
    },
  };
}
