import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';

/** What a page did that no page of the board may do. */
interface Watched {
  readonly problems: string[];
}

/** A browser of one test file; each test opens contexts of its own in it. */
export interface TestBrowser {
  /**
   * A new context, as of a browser that was never here. It is closed after the test, which fails if a page of it wrote an error
   * to the console, broke its security policy, or sent a request to another origin.
   */
  readonly context: (address: string, options?: BrowserContextOptions, allowed?: RegExp) => Promise<BrowserContext>;
  /** A page of a new context at a path of a server. */
  readonly open: (address: string, path?: string, options?: BrowserContextOptions, allowed?: RegExp) => Promise<Page>;
}

/** The Chromium of the npm package, unpacked into the temporary folder by the first test file that needs it; the others wait. */
async function packagedChromium(): Promise<{ readonly executablePath: string; readonly args: readonly string[] }> {
  // Tells the package to unpack its libraries too, and must be set before it is loaded.
  process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs20.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  delete process.env['AWS_LAMBDA_JS_RUNTIME'];
  const lock = join(tmpdir(), 'petstore-test-chromium');
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      await sleep(100);
    }
  }
  try {
    return { executablePath: await chromium.executablePath(), args: chromium.args };
  } finally {
    rmSync(lock, { recursive: true });
  }
}

/** The flags of the package that would weaken what is tested, or that only its home, a cloud function, needs. */
const unwanted = /^--(disable-web-security|allow-running-insecure-content|disable-site-isolation-trials|single-process|disable-features=.*)$/;

async function launch(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const own = process.env['PETSTORE_BROWSER'];
  if (own !== undefined) return chromium.launch({ executablePath: own });
  const { executablePath, args } = await packagedChromium();
  return chromium.launch({ executablePath, args: args.filter((one) => !unwanted.test(one)), headless: true });
}

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

/** The browser of a test file: Chromium from the npm package, or the one that PETSTORE_BROWSER names. It starts with the first page. */
export function testBrowser(): TestBrowser {
  let starting: Promise<Browser> | undefined;
  afterAll(async () => (await starting)?.close());
  const context: TestBrowser['context'] = async (address, options = {}, allowed) => {
    const opened = await (await (starting ??= launch())).newContext({ baseURL: address, timezoneId: 'UTC', locale: 'en-GB', ...options });
    opened.setDefaultTimeout(10_000);
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
