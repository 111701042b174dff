import envPaths from 'env-paths';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { StoreError } from './domain/errors.js';
import { isFormat, formats, type Format } from './cli/formats.js';
import { didYouMean } from './domain/suggest.js';
import { nameProblem, tidy } from './domain/text.js';

/** The global flags as they were typed. */
export interface GlobalFlags {
  readonly store?: string;
  readonly format?: string;
  readonly fields?: string;
  readonly json?: string | true;
  readonly actor?: string;
  readonly quiet?: boolean;
  readonly color?: string | false;
  readonly input?: boolean;
  readonly wait?: string;
  readonly debug?: boolean;
  readonly insecure?: boolean;
}

/** The variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What flags, environment and defaults come to; read once for each command. */
export interface Settings {
  /** Where the shop lives: the path of a file, or the address of a server or of a PostgreSQL database. */
  readonly store: string;
  /** The same as people may read it, without a password. */
  readonly where: string;
  /** What opens the door of a server. */
  readonly token: string | undefined;
  /** Whether a token may travel to another machine unencrypted. */
  readonly insecure: boolean;
  /** The format asked for; undefined leaves it to the terminal or the pipe. */
  readonly format: Format | undefined;
  readonly fields: readonly string[] | undefined;
  readonly actor: string;
  /** The name given with --actor, which a reading command takes as a filter. */
  readonly givenActor: string | undefined;
  readonly quiet: boolean;
  readonly colour: 'auto' | 'always' | 'never';
  /** Whether questions may be asked. */
  readonly input: boolean;
  /** Seconds to wait for a locked store. */
  readonly wait: number;
  readonly debug: boolean;
}

/** The file a shop lives in when nothing else is said. */
export function defaultStore(): string {
  return join(envPaths('petstore', { suffix: '' }).data, 'shop.db');
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

function storeOf(text: string | undefined): string {
  if (text === undefined || text === '') return defaultStore();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1];
  if (scheme === undefined) return resolve(text);
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
  if (!/^postgres(ql)?:/i.test(store)) return store;
  const url = new URL(store);
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href;
}

/** A place that a command names besides the shop it works on. */
export interface Place {
  readonly store: string;
  /** The same as people may read it, without a password. */
  readonly where: string;
}

/** The place that a text means; refuses one where no shop can live with `usage`. */
export function placeOf(text: string): Place {
  const store = storeOf(text);
  return { store, where: readable(store) };
}

function tokenOf(text: string | undefined): string | undefined {
  const token = text?.trim();
  if (token === undefined || token === '') return undefined;
  if (/^[\x21-\x7e]{1,200}$/.test(token)) return token;
  throw new StoreError('usage', 'PETSTORE_TOKEN holds no token: a token is one word of printable characters.');
}

function formatOf({ format, json }: GlobalFlags, environment: Environment): Format | undefined {
  if (json !== undefined) return 'json';
  const text = format ?? (environment['PETSTORE_FORMAT'] || undefined);
  if (text === undefined || isFormat(text)) return text;
  throw new StoreError('usage', `"${text}" is not a format${didYouMean(text, formats)}`, `The formats are ${formats.join(', ')}.`);
}

function actorOf(text: string): string {
  const actor = tidy(text);
  const problem = nameProblem(actor);
  if (problem !== undefined) throw new StoreError('validation_failed', `actor: ${problem}.`, 'Name yourself with --actor <name>.');
  return actor;
}

function waitOf(text: string | undefined): number {
  const seconds = Number(text ?? 5);
  if (text?.trim() !== '' && seconds >= 0 && seconds <= 3600) return seconds;
  throw new StoreError('usage', `--wait takes a number of seconds from 0 to 3600, not "${text}".`);
}

function colourOf(color: string | false | undefined): Settings['colour'] {
  if (color === false) return 'never';
  if (color === undefined || color === 'auto') return 'auto';
  if (color === 'always' || color === 'never') return color;
  throw new StoreError('usage', `--color takes auto, always or never, not "${color}"${didYouMean(color, ['auto', 'always', 'never'])}`);
}

/** The settings of one command: flags before the environment before the defaults. */
export function readSettings(flags: GlobalFlags, environment: Environment): Settings {
  const fields = flags.fields ?? (typeof flags.json === 'string' ? flags.json : undefined);
  const noInput = flags.input === false || Boolean(environment['PETSTORE_NO_INPUT']) || Boolean(environment['CI']);
  return {
    ...placeOf(flags.store ?? environment['PETSTORE_STORE'] ?? ''),
    token: tokenOf(environment['PETSTORE_TOKEN']),
    insecure: flags.insecure === true,
    format: formatOf(flags, environment),
    fields: fields?.split(',').map((field) => field.trim()),
    actor: actorOf(flags.actor ?? (environment['PETSTORE_ACTOR'] || loginName())),
    givenActor: flags.actor,
    quiet: flags.quiet === true,
    colour: colourOf(flags.color),
    input: !noInput,
    wait: waitOf(flags.wait),
    debug: flags.debug === true,
  };
}
