import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { Environment } from '../settings/settings.js';
import type { Io } from './io.js';

/** The program that opens an address in the user's browser, by platform, and its first arguments. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // `start` is a command of the shell, which would interpret the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** The command line that opens an address: the first of BROWSER, a list separated by colons in which `%s` stands for the address, or the program of the platform. */
export function browserCommand(address: string, { BROWSER = '' }: Environment, system = platform()): readonly [file: string, ...rest: string[]] {
  const preferred = system === 'win32' ? BROWSER : BROWSER.split(':')[0];
  const words = (preferred ?? '').split(/\s+/).filter((word) => word !== '');
  const [file = 'xdg-open', ...rest] = words.length > 0 ? words : (openers[system] ?? []);
  const hasPlaceholder = rest.some((word) => word.includes('%s'));
  return hasPlaceholder ? [file, ...rest.map((word) => word.replaceAll('%s', () => address))] : [file, ...rest, address];
}

/** A program that fails within this time did not show the page. */
const failureMs = 10_000;

/** Opens an address in a browser, without a shell; `onFailure` gets the name of a program that cannot be started or fails at once. */
export function openInBrowser(address: string, { environment, now }: Pick<Io, 'environment' | 'now'>, onFailure: (program: string) => void): void {
  const [file, ...rest] = browserCommand(address, environment);
  const startedAt = now();
  const child = spawn(file, rest, { stdio: 'ignore', detached: true });
  child.once('error', () => onFailure(file));
  child.once('exit', (code) => {
    if (code !== 0 && now() - startedAt < failureMs) onFailure(file);
  });
  child.unref();
}
