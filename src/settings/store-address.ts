import envPaths from 'env-paths';
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { StoreError } from '../domain/errors.js';
import { databaseAt, isDatabase } from '../domain/values/address-kind.js';

/** A place where a shop lives, or may. */
export interface Place {
  /** The path of a file, or the address of a server or of a PostgreSQL database. */
  readonly store: string;
  /** The same as people may read it, without a password. */
  readonly where: string;
}

/** The file a shop lives in when nothing else is said. */
export function defaultStore(): string {
  return join(envPaths('petstore', { suffix: '' }).data, 'shop.db');
}

/** The file of settings and profiles when nothing else is said. */
export function defaultConfiguration(): string {
  return join(envPaths('petstore', { suffix: '' }).config, 'config.json');
}

/** A path as a file of settings has it: below the home folder after "~/", and otherwise below the folder given. */
export function pathFrom(folder: string, path: string): string {
  return /^~[/\\]/.test(path) ? join(homedir(), path.slice(2)) : resolve(folder, path);
}

function schemeOf(text: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1];
}

function storeOf(text: string, folder: string | undefined): string {
  if (text.trim() === '') throw new StoreError('usage', 'A shop is named by the path of a file or an address, not by an empty text.', 'petstore help stores');
  const scheme = schemeOf(text);
  if (scheme === undefined) return folder === undefined ? resolve(text) : pathFrom(folder, text);
  if (/^https?$/i.test(scheme) && URL.canParse(text)) return addressOf(new URL(text));
  if (/^postgres(ql)?$/i.test(scheme)) return databaseOf(text);
  throw new StoreError(
    'usage',
    `A shop cannot live at ${scheme}:// addresses; give the path of a file, the http(s):// address of a server, or the postgres:// address of a database.`,
    'petstore help stores',
  );
}

/** The address of a server; refuses what would be sent along or passed over without a word. */
function addressOf({ href, username, password, search, hash }: URL): string {
  if (username !== '' || password !== '')
    throw new StoreError('usage', 'The address of a server holds no name or password.', 'Put the token into PETSTORE_TOKEN.');
  if (search !== '' || hash !== '') throw new StoreError('usage', `The address of a server ends with its path, not with "${search}${hash}".`);
  return href;
}

/** The address of a database; what is wrong with one is said without it, because it may hold a password. */
function databaseOf(text: string): string {
  if (URL.canParse(text)) return text;
  throw new StoreError(
    'usage',
    'The address of a database looks like postgres://user:password@host:5432/name; other characters in the password are percent-encoded.',
    'petstore help stores',
  );
}

/** A store as people may read it: passwords go, and with them everything else that a database is told. */
function readable(store: string): string {
  if (!isDatabase(store)) return store;
  const url = new URL(store);
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href;
}

/** What a file is known by, whatever its path; undefined where none can be seen. */
function fileAt(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Whether two stores are one shop: the same address of a server, the same database, or the same file by whatever path. */
export function sameStore(one: string, other: string): boolean {
  if (one === other) return true;
  if (isDatabase(one) && isDatabase(other)) return databaseAt(one) === databaseAt(other);
  if (schemeOf(one) !== undefined || schemeOf(other) !== undefined) return false;
  const file = fileAt(one);
  return file !== undefined && file === fileAt(other);
}

/** The place that a text means, a path from a folder or from the present one; refuses one where no shop can live with `usage`. */
export function placeOf(text: string, folder?: string): Place {
  const store = storeOf(text, folder);
  return { store, where: readable(store) };
}

/** The same for a text that is kept in a file; refuses a password with `usage`. */
export function lastingPlace(text: string, folder?: string): Place {
  const place = placeOf(text, folder);
  if (!isDatabase(place.store)) return place;
  const { password, searchParams } = new URL(place.store);
  if (password === '' && !searchParams.has('password')) return place;
  throw new StoreError(
    'usage',
    'The address holds a password, and passwords are not kept in a file of settings.',
    'Leave it out of the address, and give it by PGPASSWORD or in ~/.pgpass.',
  );
}
