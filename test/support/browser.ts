import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const { version } = JSON.parse(readFileSync(new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** Unpacks the Chromium of the npm package, with its libraries and fonts, into a folder. */
async function unpackChromium(folder: string): Promise<void> {
  const before = { ...process.env };
  // Where the package unpacks to; and it unpacks its libraries only in a certain cloud.
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' });
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    await chromium.executablePath();
  } finally {
    // The package sets variables, such as LD_LIBRARY_PATH, for every child of this process.
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** The folder of the unpacked Chromium. The first test file that needs it unpacks it, which takes two seconds; each version once on a machine. */
async function chromiumFolder(): Promise<string> {
  const folder = join(tmpdir(), `petstore-chromium-${version}`);
  if (existsSync(folder)) return folder;
  const part = mkdtempSync(`${folder}-`);
  await unpackChromium(part);
  const fonts = join(part, 'fonts/fonts.conf');
  writeFileSync(fonts, readFileSync(fonts, 'utf8').replaceAll('/tmp/', `${folder}/`));
  try {
    renameSync(part, folder);
  } catch {
    // Another process was faster.
    rmSync(part, { recursive: true });
  }
  return folder;
}

/** A sandbox needs rights that a container does not have; the pages are our own. Without hinting, text looks the same on every machine. */
const flags = ['--no-sandbox', '--no-zygote', '--in-process-gpu', '--disable-webgl', '--font-render-hinting=none'];

async function launch(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const own = process.env['PETSTORE_BROWSER'];
  if (own !== undefined) return chromium.launch({ executablePath: own });
  const folder = await chromiumFolder();
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') };
  return chromium.launch({ executablePath: join(folder, 'chromium'), args: flags, env: env as Record<string, string> });
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
