import { chownSync, closeSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../domain/errors.js';
import { quoted } from '../domain/shell-word.js';
import { configurationOf, profileNamed, readConfiguration, settingNamed, settingValue, type Configuration, type Profile } from './config-file.js';
import { profileNameOf } from './setting-values.js';

const patience = 3000;
const pause = 20;

/** The file itself where its name is a link, so that a change leaves the link as it is. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function failure(path: string, error: unknown): StoreError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new StoreError('usage', `The settings in ${path} cannot be written (${code}).`, 'Name another file with PETSTORE_CONFIG.');
}

/** Refuses what may not be replaced: a device, such as the one that stands for no settings. */
function mustBeFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false) throw new StoreError('usage', `No settings can be kept in ${path}: it is no file.`, 'Name another file with PETSTORE_CONFIG.');
}

/** Makes the new file, which is the lock as well: while it is there nobody else makes one. */
function lock(path: string): void {
  for (let waited = 0; ; waited += pause) {
    try {
      return closeSync(openSync(path, 'wx', 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw failure(path.replace(/\.lock$/, ''), error);
      if (waited >= patience)
        throw new StoreError(
          'usage',
          `Another petstore is changing the settings, or died over it: ${path} is there.`,
          `If none is, remove it: rm ${quoted(path)}`,
        );
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
}

function textOf({ settings, profiles }: Configuration): string {
  return `${JSON.stringify({ ...settings, ...(profiles.size > 0 && { profiles: Object.fromEntries(profiles) }) }, null, 2)}\n`;
}

/** Gives the new file to the owner of the old one, where whoever runs this may: root, who works for somebody else. */
function keepOwner(path: string, fresh: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.uid === statSync(fresh).uid) return;
  try {
    chownSync(fresh, found.uid, found.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** Changes the file of settings, one process after the other; it is replaced whole, and readable by its owner alone. */
function changed(path: string, change: (configuration: Configuration) => Configuration): Configuration {
  const target = targetOf(path);
  const fresh = `${target}.lock`;
  try {
    mustBeFile(target);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw error instanceof StoreError ? error : failure(path, error);
  }
  lock(fresh);
  try {
    const after = change(readConfiguration(path));
    const text = textOf(after);
    configurationOf(path, text);
    writeFileSync(fresh, text, { flush: true });
    keepOwner(target, fresh);
    // From here on the lock may be that of another process.
    renameSync(fresh, target);
    return after;
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error instanceof StoreError ? error : failure(path, error);
  }
}

/** Keeps a setting, or takes it out where no text is given. */
export function keepSetting(path: string, word: string, text: string | undefined): Configuration {
  const name = settingNamed(word);
  const value = text === undefined ? undefined : settingValue(name, text);
  return changed(path, (configuration) => {
    if (name === 'profile' && text !== undefined) profileNamed(configuration, text);
    const { [name]: _, ...others } = configuration.settings;
    return { ...configuration, settings: value === undefined ? others : { ...configuration.settings, [name]: value } };
  });
}

/** Keeps a new profile, or another one under a name that is taken where that is asked for. */
export function keepProfile(path: string, name: string, profile: Profile, replace: boolean): Configuration {
  profileNameOf(name);
  return changed(path, (configuration) => {
    if (configuration.profiles.has(name) && !replace)
      throw new StoreError('usage', `There is a profile ${name} already.`, 'Take its place with --replace, or choose another name.');
    return { ...configuration, profiles: new Map([...configuration.profiles, [name, profile]]) };
  });
}

/** Takes a profile out, and out of use. */
export function dropProfile(path: string, name: string): Configuration {
  return changed(path, (configuration) => {
    profileNamed(configuration, name);
    const { profile, ...others } = configuration.settings;
    return {
      ...configuration,
      settings: profile === name ? others : configuration.settings,
      profiles: new Map([...configuration.profiles].filter(([one]) => one !== name)),
    };
  });
}
