import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../settings/setting-table.js';
import { system } from '../system.js';
import type { Io } from './io.js';

/** The command line that opens an address: the first of BROWSER, a list separated by colons in which `%s` stands for the address, or the program of the system. */
export function browserCommand(
  address: string,
  { BROWSER = '' }: Environment,
  { opener, browserSeparator } = system,
): readonly [file: string, ...rest: string[]] {
  const preferred = browserSeparator === undefined ? BROWSER : BROWSER.split(browserSeparator)[0];
  const words = (preferred ?? '').split(/\s+/).filter((word) => word !== '');
  const [file = opener[0], ...rest] = words.length > 0 ? words : opener;
  const hasPlaceholder = rest.some((word) => word.includes('%s'));
  return hasPlaceholder ? [file, ...rest.map((word) => word.replaceAll('%s', () => address))] : [file, ...rest, address];
}

/** A program that fails within this time did not show the page. */
const failureMs = 10_000;

/** How long the page for the browser stays: as long as the code in it is valid, because a browser can take long to start. */
const pageMs = 60_000;

/** A page that leads a browser to an address. */
export interface LeadingPage {
  /** The address of its file. */
  readonly url: string;
  readonly remove: () => void;
}

/** Writes a page that leads to an address into a file that only this user can read. */
export function writeLeadingPage(address: string): LeadingPage {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-open-'));
  const file = join(folder, 'board.html');
  const escaped = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const page = `<!doctype html>
<meta charset="utf-8">
<title>Shop board</title>
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${escaped}">
<a href="${escaped}">Open the shop board</a>
`;
  writeFileSync(file, page, { mode: 0o600, flag: 'wx' });
  return { url: pathToFileURL(file).href, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Opens an address in a browser, without a shell. The command line, which other users can see, has only the file of a page that
 * leads to the address. `onFailure` gets the reason, such as the program that cannot be started or fails at once. Returns a function that
 * removes the page, which is otherwise removed after a minute.
 */
export function openInBrowser(address: string, { environment, now }: Pick<Io, 'environment' | 'now'>, onFailure: (reason: string) => void): () => void {
  let page: LeadingPage;
  try {
    page = writeLeadingPage(address);
  } catch (error) {
    onFailure(error instanceof Error ? error.message : String(error));
    return () => undefined;
  }
  const [file, ...rest] = browserCommand(page.url, environment);
  const startedAt = now();
  const child = spawn(file, rest, { stdio: 'ignore', detached: true });
  child.once('error', () => onFailure(file));
  child.once('exit', (code) => {
    if (code !== 0 && now() - startedAt < failureMs) onFailure(file);
  });
  child.unref();
  setTimeout(page.remove, pageMs).unref();
  return page.remove;
}
