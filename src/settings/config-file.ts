import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync, type Stats } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, resolve } from 'node:path';
import { StoreError } from '../domain/errors.js';
import { HintedError, quoted } from './hint.js';
import { profileKeys, savedKeys, type KeyRule, type Profile, type SavedName } from './setting-table.js';
import { defaultConfigPath, savedStoreAddress } from './store-address.js';
import { notEmpty, profileNameOf } from './setting-values.js';

type Value = string | number | boolean;

/** The parsed config file. */
export interface Configuration {
  readonly path: string;
  readonly settings: Readonly<Partial<Record<SavedName, Value>>>;
  readonly profiles: ReadonlyMap<string, Profile>;
}

/** The path of the config file: PETSTORE_CONFIG, or the default of the platform. */
export function configPath(environment: Readonly<Record<string, string | undefined>>): string {
  const named = environment['PETSTORE_CONFIG'];
  return named === undefined ? defaultConfigPath() : resolve(notEmpty(named, 'PETSTORE_CONFIG', 'unset PETSTORE_CONFIG'));
}

const maximumSize = 1 << 20;
const repairAdvice = 'Fix it in an editor, or name another file with PETSTORE_CONFIG.';

function refusal(path: string, problem: string, advice = repairAdvice): StoreError {
  return new StoreError('usage', `The settings in ${path} cannot be used: ${problem}.`, { advice });
}

/** Refuses with `usage` a file that others could write to: it contains command lines that are run (pager, tokenCommand). */
function checkWriters(path: string, { uid, mode }: Stats): void {
  const user = process.getuid?.();
  if (user === undefined) return;
  if (uid !== user && uid !== 0) {
    throw new StoreError('usage', `${path} belongs to another user (${uid}), who could change the commands that it names.`, {
      advice: `Make it yours with "chown ${user} ${quoted(path)}", or name another file with PETSTORE_CONFIG.`,
    });
  }
  if ((mode & 0o022) !== 0) throw new StoreError('usage', `Other users can write to ${path}.`, { advice: `chmod 600 ${quoted(path)}` });
}

/** The text of the file, or an empty text when it does not exist. */
function textOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || path === devNull) return '';
    if (!found.isFile()) throw refusal(path, found.isDirectory() ? 'it is a folder' : 'it is not a file');
    if (found.size > maximumSize) throw refusal(path, `it has ${found.size} bytes, and at most ${maximumSize} are read`);
    checkWriters(path, found);
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) throw refusal(path, 'it is not UTF-8');
    // Some editors write a byte order mark.
    return bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw refusal(path, code === 'EACCES' || code === 'EPERM' ? 'permission denied' : `it cannot be read (${code})`);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON value for a message. Nested values are not written out: very deep ones would overflow the stack. */
function describeJson(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return JSON.stringify(value).slice(0, 100);
}

/** Runs the check of a value; its refusal then names the file, and begins with `prefix`. */
function checkWithin(path: string, prefix: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (error instanceof StoreError) throw refusal(path, `${prefix}${error.message.replace(/\.$/, '')}`);
    throw error;
  }
}

/** The value of one key after its check; `within` is the prefix of the key in messages. */
function checkedValue(path: string, keys: Readonly<Record<string, KeyRule>>, [name, value]: readonly [string, unknown], within = ''): Value {
  const keyText = `"${within}${name.slice(0, 100)}"`;
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (key === undefined) throw refusal(path, `${keyText} is not a setting; there are ${Object.keys(keys).join(', ')}${within === '' ? ', profiles' : ''}`);
  if (typeof value !== key.type) throw refusal(path, `${keyText} takes a ${key.type}, not ${describeJson(value)}`);
  checkWithin(path, `${keyText}: `, () => key.check(String(value), `${within}${name}`, dirname(path)));
  return value as Value;
}

function profileOf(path: string, name: string, content: unknown): Profile {
  const within = `profiles.${name}.`;
  if (!isRecord(content)) throw refusal(path, `"profiles.${name}" takes an object`);
  const profile = Object.fromEntries(Object.entries(content).map(([key, value]) => [key, checkedValue(path, profileKeys, [key, value], within)] as const));
  if (profile['store'] === undefined || profile['store'] === '') throw refusal(path, `"${within}store" is missing`);
  if (profile['tokenFile'] !== undefined && profile['tokenCommand'] !== undefined)
    throw refusal(path, `"profiles.${name}" has both tokenFile and tokenCommand; use only one`);
  return profile as unknown as Profile;
}

function profilesOf(path: string, content: unknown): Configuration['profiles'] {
  if (!isRecord(content)) throw refusal(path, '"profiles" must be an object of profiles by name');
  return new Map(
    Object.entries(content).map(([name, profile]) => {
      checkWithin(path, '', () => profileNameOf(name));
      return [name, profileOf(path, name, profile)];
    }),
  );
}

/** Parses the text of a config file; refuses an invalid one with `usage`, naming file and key. */
export function parseConfig(path: string, text: string): Configuration {
  if (text.trim() === '') return { path, settings: {}, profiles: new Map() };
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw refusal(path, `it is not JSON (${(error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 200)})`);
  }
  if (!isRecord(content)) throw refusal(path, 'it is not a JSON object');
  const { profiles = {}, ...settings } = content;
  return {
    path,
    settings: Object.fromEntries(Object.entries(settings).map((entry) => [entry[0], checkedValue(path, savedKeys, entry)] as const)),
    profiles: profilesOf(path, profiles),
  };
}

/** Reads the config file; a missing one is empty. Refuses an invalid one with `usage`. */
export function readConfig(path: string): Configuration {
  return parseConfig(path, textOf(path));
}

/** The profile with this name; refuses an unknown name with `usage`. */
export function profileNamed({ path, profiles }: Configuration, name: string): Profile {
  const profile = profiles.get(name);
  if (profile !== undefined) return profile;
  const known = [...profiles.keys()];
  throw new HintedError(
    'usage',
    `There is no profile "${name.slice(0, 100)}" in ${path}${known.length === 0 ? '' : `; it has ${known.slice(0, 20).join(', ')}`}.`,
    { command: known.length === 0 ? ['profile', 'add', '--help'] : ['profile', 'list'] },
  );
}

/** Checks the name of a setting; refuses an unknown one with `usage`. */
export function settingNamed(name: string): SavedName {
  if (Object.hasOwn(savedKeys, name)) return name as SavedName;
  throw unknownSetting(name, Object.keys(savedKeys));
}

/** The refusal of a name that is not among those of some settings. */
export function unknownSetting(name: string, names: readonly string[]): StoreError {
  return new HintedError('usage', `"${name}" is not a setting; there are ${names.join(', ')}.`, { command: ['help', 'settings'] });
}

/** The value of a setting from its text; refuses an invalid one with `usage`. */
export function settingValue(name: SavedName, text: string): Value {
  const { type, check } = savedKeys[name];
  const saved = name === 'store' ? savedStoreAddress(text).store : text;
  if (text.trim() === '' && name !== 'pager') throw new HintedError('usage', `${name} takes a value.`, { command: ['config', 'set', name, '--unset'] });
  check(saved, name, '');
  return type === 'number' ? Number(saved) : type === 'boolean' ? saved === 'true' : saved;
}
