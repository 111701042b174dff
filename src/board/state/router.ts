import { computed, signal } from '@preact/signals';
import { after } from './clock.js';
import { basePath } from './server/base-path.js';

const root = `${basePath}/board`;

/** The address of the page: the path below the board, such as `/pets/7`, and the query. */
interface PageAddress {
  readonly path: string;
  readonly query: URLSearchParams;
}

function readAddress(): PageAddress {
  const path = location.pathname.slice(root.length).replace(/\/$/, '');
  return { path: path === '' ? '/' : path, query: new URLSearchParams(location.search) };
}

/** The present address of the page. */
export const pageAddress = signal<PageAddress>(readAddress());

/** A parameter of the present address. */
export function queryValue(name: string): string | undefined {
  return pageAddress.value.query.get(name) ?? undefined;
}

/** Whether the page is on a screen on the wall: large type, no controls. */
export const isWall = computed(() => pageAddress.value.query.has('wall'));

/** Parameters of an address; those that are undefined or empty are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function searchOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' || value === false ? [] : [[name, String(value)]]));
  const search = new URLSearchParams(given);
  return search.size > 0 ? `?${search.toString()}` : '';
}

/** The address of a screen, for `href`. */
export function href(path: string, query: Query = {}): string {
  return `${root}${path === '/' ? '/' : path}${searchOf(query)}`;
}

/** The address of the present screen with some parameters changed; a change of filters starts at the first page. */
export function hrefWith(changes: Query): string {
  const { path, query } = pageAddress.value;
  return href(path, { ...Object.fromEntries(query), cursor: undefined, ...changes });
}

/** Keeps with the present address how far it is scrolled, for the way back to it. */
function keepScroll(): void {
  history.replaceState({ top: scrollY } satisfies Kept, '');
}

interface Kept {
  readonly top: number;
}

const longestWaitMs = 5000;
let stopRestoring = (): void => undefined;

/** Scrolls to where the present address was left, as soon as what it shows is as long as it was then. */
function restoreScroll(): void {
  stopRestoring();
  const top = (history.state as Kept | null)?.top ?? 0;
  const observer = new ResizeObserver(() => {
    scrollTo(0, top);
    if (scrollY >= top - 1) stopRestoring();
  });
  const cancel = after(longestWaitMs, () => stopRestoring());
  stopRestoring = () => {
    cancel();
    observer.disconnect();
  };
  observer.observe(document.body);
}

/** Goes to an address without loading the page again. */
export function go(address: string, { isReplacing = false }: { readonly isReplacing?: boolean } = {}): void {
  if (isReplacing) history.replaceState(null, '', address);
  else {
    keepScroll();
    history.pushState(null, '', address);
  }
  pageAddress.value = readAddress();
  if (!isReplacing) scrollTo(0, 0);
}

/** The link of the board that a click follows in this page; others are left to the browser. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.defaultPrevented) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return undefined;
  if (link.hash !== '' || !`${link.pathname}/`.startsWith(`${root}/`)) return undefined;
  return link;
}

/** Whether a dialog may be left: after a question, if something was typed into it other than a token. */
export function mayLeave(dialog: Element): boolean {
  return !dialog.matches('[data-typed]:not([data-opaque=true])') || confirm('Discard what you typed?');
}

/** Follows links of the board and the buttons of the browser. */
export function startRouting(): void {
  history.scrollRestoration = 'manual';
  restoreScroll();
  addEventListener('pagehide', keepScroll);
  addEventListener('wheel', () => stopRestoring(), { passive: true });
  document.addEventListener('input', ({ target }) => {
    if (target instanceof Element) target.closest('dialog')?.toggleAttribute('data-typed', true);
  });
  let isReturning = false;
  addEventListener('popstate', () => {
    if (isReturning) return void (isReturning = false);
    const dialog = document.querySelector<HTMLDialogElement>('dialog[open]:not([data-opaque=true])');
    if (dialog !== null) {
      // The way back closes the dialog first, like Esc, and the page stays where it was.
      isReturning = true;
      history.forward();
      if (mayLeave(dialog)) dialog.close();
      return undefined;
    }
    pageAddress.value = readAddress();
    restoreScroll();
    return undefined;
  });
  document.addEventListener('click', (event) => {
    const link = linkOf(event);
    if (link === undefined) return;
    event.preventDefault();
    go(link.href);
  });
}
