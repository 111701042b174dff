import { HintedError } from './hint.js';
import envPaths from 'env-paths';
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { StoreError } from '../domain/errors.js';
import { isDatabaseAddress } from '../domain/values/address-kind.js';
import { isSameDatabase, parseDatabaseAddress } from '../domain/values/database-address.js';

/** The address of a store. */
export interface StoreAddress {
  /** The path of a file, or the address of a server or of a PostgreSQL database. */
  readonly store: string;
  /** The same for display: no password. */
  readonly where: string;
}

/** The default store. */
export function defaultStorePath(): string {
  return join(envPaths('petstore', { suffix: '' }).data, 'shop.db');
}

/** The default config file. */
export function defaultConfigPath(): string {
  return join(envPaths('petstore', { suffix: '' }).config, 'config.json');
}

/** Resolves a path in a config file: "~/" is the home folder, other relative paths start at `folder`. */
export function resolvePath(folder: string, path: string): string {
  return /^~[/\\]/.test(path) ? join(homedir(), path.slice(2)) : resolve(folder, path);
}

function schemeOf(text: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1];
}

function normalizedStore(text: string, folder: string | undefined): string {
  if (text.trim() === '') throw new HintedError('usage', 'The store is empty; give the path of a file or an address.', { command: ['help', 'stores'] });
  const scheme = schemeOf(text);
  if (scheme === undefined) return folder === undefined ? resolve(text) : resolvePath(folder, text);
  if (/^https?$/i.test(scheme) && URL.canParse(text)) return serverAddress(new URL(text));
  if (/^postgres(ql)?$/i.test(scheme)) return databaseAddress(text);
  throw new HintedError(
    'usage',
    `${scheme}:// is not an address of a shop; give the path of a file, the http(s):// address of a server, or the postgres:// address of a database.`,
    { command: ['help', 'stores'] },
  );
}

/** The URL of a server; refuses parts that would be sent by accident or silently ignored. */
function serverAddress({ href, username, password, search, hash }: URL): string {
  if (username !== '' || password !== '')
    throw new StoreError('usage', 'The address of a server cannot contain a user name or password.', { advice: 'Put the token in PETSTORE_TOKEN.' });
  if (search !== '' || hash !== '') throw new StoreError('usage', `The address of a server cannot contain "${search}${hash}".`);
  return href;
}

/** The address of a database. The refusal does not repeat it, because it may contain a password. */
function databaseAddress(text: string): string {
  if (parseDatabaseAddress(text)) return text;
  throw new HintedError(
    'usage',
    'The address of a database looks like postgres://user:password@host:5432/name, with a port from 1 to 65535; percent-encode special characters in the password.',
    { command: ['help', 'postgresql'] },
  );
}

/** A store address for display. Removes the password and all connection parameters, which may contain one. */
function where(store: string): string {
  return isDatabaseAddress(store) ? (parseDatabaseAddress(store)?.where ?? '') : store;
}

/** Device and inode of a file; undefined when it cannot be read. */
function fileIdentity(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Whether two addresses are the same store: equal URLs, the same database, or paths of the same file. */
export function sameStore(one: string, other: string): boolean {
  if (one === other) return true;
  if (isDatabaseAddress(one) && isDatabaseAddress(other)) return isSameDatabase(one, other);
  if (schemeOf(one) !== undefined || schemeOf(other) !== undefined) return false;
  const file = fileIdentity(one);
  return file !== undefined && file === fileIdentity(other);
}

/** Parses the address of a store; relative paths start at `folder`, or at the current one. Refuses an unknown scheme or an invalid URL with `usage`. */
export function storeAddress(text: string, folder?: string): StoreAddress {
  const store = normalizedStore(text, folder);
  return { store, where: where(store) };
}

/** Parses an address that will be saved in the config file; also refuses a password with `usage`. */
export function savedStoreAddress(text: string, folder?: string): StoreAddress {
  const address = storeAddress(text, folder);
  if (!isDatabaseAddress(address.store)) return address;
  if (parseDatabaseAddress(address.store)?.password === '') return address;
  throw new StoreError('usage', 'The address contains a password; passwords are not saved in the config file.', {
    advice: 'Remove it from the address; use PGPASSWORD or ~/.pgpass.',
  });
}
