import { closeSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../domain/errors.js';
import { quoted } from './hint.js';
import { parseConfig, profileNamed, readConfig, settingNamed, settingValue, type Configuration } from './config-file.js';
import { replaceFile } from './replace-file.js';
import type { Profile } from './setting-table.js';
import { profileNameOf } from './setting-values.js';
import { makeFolder } from '../system.js';

const lockTimeoutMs = 3000;
const lockRetryMs = 20;

/** The file behind a symbolic link: replacing the link itself would break it. */
function linkTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function failure(path: string, error: unknown): StoreError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new StoreError('usage', `The settings in ${path} cannot be written (${code}).`, { advice: 'Name another file with PETSTORE_CONFIG.' });
}

/** Refuses to replace a device: PETSTORE_CONFIG=/dev/null means no settings. */
function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false)
    throw new StoreError('usage', `Cannot save settings in ${path}: it is not a file.`, { advice: 'Name another file with PETSTORE_CONFIG.' });
}

/** Makes the lock, a file: the exclusive open fails while another process has it. */
function acquireLock(path: string): void {
  for (let waited = 0; ; waited += lockRetryMs) {
    try {
      return closeSync(openSync(path, 'wx', 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw failure(path.replace(/\.lock$/, ''), error);
      if (waited >= lockTimeoutMs)
        throw new StoreError('usage', `Another petstore is changing the settings, or left its lock behind: ${path}.`, {
          advice: `If no other petstore is running, remove it: rm ${quoted(path)}`,
        });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockRetryMs);
    }
  }
}

function textOf({ settings, profiles }: Configuration): string {
  return `${JSON.stringify({ ...settings, ...(profiles.size > 0 && { profiles: Object.fromEntries(profiles) }) }, null, 2)}\n`;
}

/** Replaces the config file atomically under a lock, with mode 0600. Refuses with `usage` a lock that stays taken and a file that cannot be written. */
function updateConfig(path: string, change: (configuration: Configuration) => Configuration): Configuration {
  const target = linkTarget(path);
  const lockPath = `${target}.lock`;
  try {
    requireFile(target);
    makeFolder(dirname(target));
  } catch (error) {
    throw error instanceof StoreError ? error : failure(path, error);
  }
  acquireLock(lockPath);
  try {
    const updated = change(readConfig(path));
    const text = textOf(updated);
    parseConfig(path, text);
    replaceFile(target, text, { draft: `${target}.new`, mode: 0o600 });
    return updated;
  } catch (error) {
    throw error instanceof StoreError ? error : failure(path, error);
  } finally {
    rmSync(lockPath, { force: true });
  }
}

/** Saves a setting, or removes it when `text` is undefined; refuses an unknown name or an invalid value with `usage`. */
export function saveSetting(path: string, word: string, text: string | undefined): Configuration {
  const name = settingNamed(word);
  const value = text === undefined ? undefined : settingValue(name, text);
  return updateConfig(path, (configuration) => {
    if (name === 'profile' && text !== undefined) profileNamed(configuration, text);
    const { [name]: _, ...others } = configuration.settings;
    return { ...configuration, settings: value === undefined ? others : { ...configuration.settings, [name]: value } };
  });
}

/** Saves a profile; refuses a name in use with `usage` unless `replace` is set. */
export function saveProfile(path: string, name: string, profile: Profile, replace: boolean): Configuration {
  profileNameOf(name);
  return updateConfig(path, (configuration) => {
    if (configuration.profiles.has(name) && !replace)
      throw new StoreError('usage', `Profile ${name} already exists.`, { advice: 'Replace it with --replace, or choose another name.' });
    return { ...configuration, profiles: new Map([...configuration.profiles, [name, profile]]) };
  });
}

/** Removes a profile, also as the default one; refuses an unknown name with `usage`. */
export function removeProfile(path: string, name: string): Configuration {
  return updateConfig(path, (configuration) => {
    profileNamed(configuration, name);
    const { profile, ...others } = configuration.settings;
    return {
      ...configuration,
      settings: profile === name ? others : configuration.settings,
      profiles: new Map([...configuration.profiles].filter(([one]) => one !== name)),
    };
  });
}
