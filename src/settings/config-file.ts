import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, resolve } from 'node:path';
import { StoreError } from '../domain/errors.js';
import { quoted } from '../domain/shell-word.js';
import { defaultConfiguration, lastingPlace } from './store-address.js';
import { actorOf, colourOf, formatOf, lineOf, notEmpty, profileNameOf, truthOf, waitOf } from './setting-values.js';

type Value = string | number | boolean;

/** What is known of a key of the file: the type of its value in JSON, and what refuses a value that makes no sense. */
interface Key {
  readonly type: 'string' | 'number' | 'boolean';
  readonly check: (text: string, name: string, folder: string) => unknown;
}

const store: Key = { type: 'string', check: (text, name, folder) => lastingPlace(notEmpty(lineOf(text, name), name), folder) };
const line: Key = { type: 'string', check: (text, name) => notEmpty(lineOf(text, name), name) };
const actor: Key = { type: 'string', check: actorOf };
const format: Key = { type: 'string', check: formatOf };

/** The settings that the file may hold, under the names of their flags. */
const settingKeys = {
  store,
  actor,
  format,
  color: { type: 'string', check: colourOf },
  pager: { type: 'string', check: lineOf },
  wait: { type: 'number', check: waitOf },
  'no-input': { type: 'boolean', check: truthOf },
  profile: { type: 'string', check: profileNameOf },
} as const satisfies Readonly<Record<string, Key>>;

const profileKeys = {
  store,
  actor,
  format,
  tokenFile: line,
  tokenCommand: line,
  readonly: { type: 'boolean', check: truthOf },
} as const satisfies Readonly<Record<string, Key>>;

/** The name of a lasting setting. */
export type SettingName = keyof typeof settingKeys;
/** The names of the lasting settings. */
export const settingNames = Object.keys(settingKeys) as readonly SettingName[];

/** A shop by a name, and what goes with it. */
export interface Profile {
  readonly store: string;
  readonly actor?: string;
  readonly format?: string;
  /** The file that holds the token of its server. */
  readonly tokenFile?: string;
  /** The command line that prints it. */
  readonly tokenCommand?: string;
  /** Whether commands may only look. */
  readonly readonly?: boolean;
}

/** What a file of settings says. */
export interface Configuration {
  readonly path: string;
  readonly settings: Readonly<Partial<Record<SettingName, Value>>>;
  readonly profiles: ReadonlyMap<string, Profile>;
}

/** The file that settings and profiles are kept in. */
export function configurationPath(environment: Readonly<Record<string, string | undefined>>): string {
  const named = environment['PETSTORE_CONFIG'];
  return named === undefined ? defaultConfiguration() : resolve(notEmpty(named, 'PETSTORE_CONFIG', 'unset PETSTORE_CONFIG'));
}

const maximumSize = 1 << 20;
const mend = 'Mend it in an editor, or name another file with PETSTORE_CONFIG.';

function refusal(path: string, problem: string, hint = mend): StoreError {
  return new StoreError('usage', `The settings in ${path} cannot be used: ${problem}.`, hint);
}

/** The text of the file; nothing where there is none, which costs one look. */
function textOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || path === devNull) return '';
    if (!found.isFile()) throw refusal(path, found.isDirectory() ? 'it is a folder' : 'it is no file');
    if (found.size > maximumSize) throw refusal(path, `it has ${found.size} bytes, and at most ${maximumSize} are read`);
    // It names commands to run.
    if (process.platform !== 'win32' && (found.mode & 0o002) !== 0) throw refusal(path, 'everybody may change it', `chmod 600 ${quoted(path)}`);
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) throw refusal(path, 'it is not UTF-8');
    // Some editors put a mark before the text.
    return bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw refusal(path, code === 'EACCES' || code === 'EPERM' ? 'it may not be read' : `it cannot be read (${code})`);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of JSON as people may read it; one may lie deeper than can be written out. */
function spelt(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return JSON.stringify(value).slice(0, 100);
}

/** The one value of a key, checked; `within` says where it stands. */
function valueOf(path: string, keys: Readonly<Record<string, Key>>, [name, value]: readonly [string, unknown], within = ''): Value {
  const place = `"${within}${name.slice(0, 100)}"`;
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (key === undefined) throw refusal(path, `${place} is not a setting; there are ${Object.keys(keys).join(', ')}${within === '' ? ', profiles' : ''}`);
  if (typeof value !== key.type) throw refusal(path, `${place} takes a ${key.type}, not ${spelt(value)}`);
  try {
    key.check(String(value), `${within}${name}`, dirname(path));
  } catch (error) {
    if (error instanceof StoreError) throw refusal(path, `${place}: ${error.message.replace(/\.$/, '')}`);
    throw error;
  }
  return value as Value;
}

function profileOf(path: string, name: string, content: unknown): Profile {
  const within = `profiles.${name}.`;
  if (!isRecord(content)) throw refusal(path, `"profiles.${name}" takes an object`);
  const profile = Object.fromEntries(Object.entries(content).map(([key, value]) => [key, valueOf(path, profileKeys, [key, value], within)] as const));
  if (profile['store'] === undefined || profile['store'] === '') throw refusal(path, `"${within}store" is missing`);
  if (profile['tokenFile'] !== undefined && profile['tokenCommand'] !== undefined)
    throw refusal(path, `"profiles.${name}" has a tokenFile and a tokenCommand, and only one can be used`);
  return profile as unknown as Profile;
}

function profilesOf(path: string, content: unknown): Configuration['profiles'] {
  if (!isRecord(content)) throw refusal(path, '"profiles" takes an object of profiles by their names');
  return new Map(
    Object.entries(content).map(([name, profile]) => {
      try {
        return [profileNameOf(name), profileOf(path, name, profile)];
      } catch (error) {
        if (error instanceof StoreError && !error.message.includes(path)) throw refusal(path, error.message.replace(/\.$/, ''));
        throw error;
      }
    }),
  );
}

/** The configuration that the text of a file means; refuses one that makes no sense with `usage`, naming file and key. */
export function configurationOf(path: string, text: string): Configuration {
  if (text.trim() === '') return { path, settings: {}, profiles: new Map() };
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw refusal(path, `it is not JSON (${(error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 200)})`);
  }
  if (!isRecord(content)) throw refusal(path, 'it is no JSON object');
  const { profiles = {}, ...settings } = content;
  return {
    path,
    settings: Object.fromEntries(Object.entries(settings).map((entry) => [entry[0], valueOf(path, settingKeys, entry)] as const)),
    profiles: profilesOf(path, profiles),
  };
}

/** Reads the file of settings and profiles; one that is not there says nothing. */
export function readConfiguration(path: string): Configuration {
  return configurationOf(path, textOf(path));
}

/** The profile of a name; refuses one that there is not with `usage`. */
export function profileNamed({ path, profiles }: Configuration, name: string): Profile {
  const profile = profiles.get(name);
  if (profile !== undefined) return profile;
  const known = [...profiles.keys()];
  throw new StoreError(
    'usage',
    `There is no profile "${name.slice(0, 100)}" in ${path}${known.length === 0 ? '' : `; it has ${known.slice(0, 20).join(', ')}`}.`,
    known.length === 0 ? 'petstore profile add --help' : 'petstore profile list',
  );
}

/** A setting by its name; refuses another word with `usage`. */
export function settingNamed(name: string): SettingName {
  if (Object.hasOwn(settingKeys, name)) return name as SettingName;
  throw new StoreError('usage', `"${name}" is not a setting; there are ${settingNames.join(', ')}.`, 'petstore help settings');
}

/** The value that a text means for a setting; refuses one that makes no sense with `usage`. */
export function settingValue(name: SettingName, text: string): Value {
  const { type, check } = settingKeys[name];
  const lasting = name === 'store' ? lastingPlace(text).store : text;
  if (text.trim() === '' && name !== 'pager') throw new StoreError('usage', `${name} takes a value.`, `petstore config set ${name} --unset`);
  (check as Key['check'])(lasting, name, '');
  return type === 'number' ? Number(lasting) : type === 'boolean' ? lasting === 'true' : lasting;
}
