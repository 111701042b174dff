import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, ConsoleMessage, Page, Request } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** What a page shows, and how. */
type Media = Pick<BrowserContextOptions, 'viewport' | 'forcedColors' | 'reducedMotion'>;

/** A browser. A test fails if a page of it wrote an error to the console, broke its security policy, or sent a request to another origin. */
export interface TestBrowser {
  /** A new context, as of a browser that was never here; it is closed after the test. Only for what `open` cannot undo: scripts, clocks, zones. */
  readonly context: (address: string, options?: BrowserContextOptions, allowed?: RegExp) => Promise<BrowserContext>;
  /** An empty page as of a browser that was never here. The next test gets it again, because a new one takes longer than most tests. */
  readonly blank: (address: string, allowed?: RegExp, media?: Media) => Promise<Page>;
  /** Such a page at a path of a server. */
  readonly open: (address: string, path?: string, media?: Media, allowed?: RegExp) => Promise<Page>;
  /** The same in a new context. */
  readonly openNew: (address: string, path: string, options?: BrowserContextOptions, allowed?: RegExp) => Promise<Page>;
}

/** What the pages of a context did that no page of the board may do, and the server that they may send requests to. */
interface Watched {
  origin: string;
  readonly problems: string[];
  /** The last requests, with their answers: said when a test fails. */
  readonly requests: string[];
}

/** A page that tests use one after the other. */
interface ReusedPage extends Watched {
  readonly page: Page;
  readonly session: CDPSession;
}

interface Chromium {
  readonly launchChromium: () => Promise<Browser>;
}

const { launchChromium } = (await import(new URL('../../.config/chromium.js', import.meta.url).href)) as Chromium;

const keptRequests = 40;

/** Says what the pages of a failed test showed and asked for. */
async function report(opened: BrowserContext, { requests }: Watched): Promise<void> {
  for (const page of opened.pages()) {
    const text = await page.locator('body').innerText({ timeout: 1000 }).catch(String);
    console.error(`${page.url()} shows:\n${text.slice(0, 2000)}`);
  }
  console.error(`Its last requests, in ms:\n${requests.join('\n')}`);
}

/** Runs in every page. */
const reportViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  console.error('policy:', violatedDirective, blockedURI, sample))`;

// The answers of operations are refusals that the page shows; a browser reports them to the console as well.
const isRefusalOfOperation = (message: ConsoleMessage): boolean =>
  message.text().startsWith('Failed to load resource') && !new URL(message.location().url).pathname.includes('/board/');

/** Collects what the pages of a context must not do. */
function watch(context: BrowserContext, address: string): Watched {
  const watched: Watched = { origin: new URL(address).origin, problems: [], requests: [] };
  const { problems, requests } = watched;
  const started = Date.now();
  const keep = (sign: string, request: Request): void => {
    requests.push(`${Date.now() - started} ${sign} ${request.method()} ${request.url()}`);
    if (requests.length > keptRequests) requests.shift();
  };
  context.on('response', (response) => keep(String(response.status()), response.request()));
  context.on('requestfailed', (request) => keep(request.failure()?.errorText ?? 'failed', request));
  context.on('console', (message) => {
    if (message.type() === 'error' && !isRefusalOfOperation(message)) problems.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => void problems.push(`error: ${error.error().stack}`));
  context.on('request', (request) => {
    keep('>', request);
    const url = new URL(request.url());
    if (url.origin !== watched.origin && !['data:', 'blob:', 'about:'].includes(url.protocol)) problems.push(`request to ${url.href}`);
  });
  return watched;
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
const defaultMedia = { viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce', forcedColors: 'none' } as const;

async function newContext(address: string, options: BrowserContextOptions): Promise<{ readonly opened: BrowserContext; readonly watched: Watched }> {
  const opened = await (await runningBrowser()).newContext({ timezoneId: 'UTC', locale: 'en-GB', ...defaultMedia, ...options });
  opened.setDefaultTimeout(60_000);
  await opened.addInitScript({ content: reportViolations });
  return { opened, watched: watch(opened, address) };
}

function expectNone(problems: readonly string[], allowed: RegExp | undefined): void {
  expect(problems.filter((one) => allowed?.test(one) !== true)).toEqual([]);
}

/** The pages that no test uses now. */
const unused: ReusedPage[] = [];

async function newPage(address: string): Promise<ReusedPage> {
  const { opened, watched } = await newContext(address, {});
  const page = await opened.newPage();
  return Object.assign(watched, { page, session: await opened.newCDPSession(page) });
}

/** Makes a page as if no test had used it. */
async function clear({ page, session, origin }: ReusedPage): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await Promise.all([context.unrouteAll({ behavior: 'ignoreErrors' }), page.unrouteAll({ behavior: 'ignoreErrors' })]);
  await context.setOffline(false);
  // One that answers would refuse to leave a page with unsent lines.
  page.removeAllListeners('dialog');
  // Clears what the page keeps after the page has ended, which may store something until then.
  await page.goto('about:blank');
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await context.clearCookies();
}

async function blank(address: string, allowed?: RegExp, media: Media = {}): Promise<Page> {
  const kept = unused.pop();
  const reused = kept?.page.context().browser()?.isConnected() === true ? kept : await newPage(address);
  const { page, problems } = reused;
  reused.origin = new URL(address).origin;
  const { viewport, ...emulated } = { ...defaultMedia, ...media };
  await page.setViewportSize(viewport ?? defaultMedia.viewport);
  await page.emulateMedia({ media: null, colorScheme: null, ...emulated });
  onTestFinished(async ({ task }) => {
    const hasFailed = task.result?.state === 'fail';
    if (hasFailed) await report(page.context(), reused);
    await (hasFailed ? page.context().close() : clear(reused));
    const found = problems.splice(0);
    if (!hasFailed) unused.push(reused);
    expectNone(found, allowed);
  });
  return page;
}

const context: TestBrowser['context'] = async (address, options = {}, allowed = undefined) => {
  const { opened, watched } = await newContext(address, { baseURL: address, ...options });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await report(opened, watched);
    await opened.close();
    expectNone(watched.problems, allowed);
  });
  return opened;
};

async function at(page: Page, url: string): Promise<Page> {
  await page.goto(url);
  return page;
}

/** The browser of a test file. */
export function testBrowser(): TestBrowser {
  return {
    blank,
    context,
    open: async (address, path = '/board/', media = {}, allowed = undefined) => at(await blank(address, allowed, media), `${address}${path}`),
    openNew: async (address, path, options = {}, allowed = undefined) => at(await (await context(address, options, allowed)).newPage(), `${address}${path}`),
  };
}
