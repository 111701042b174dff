import { dirname, resolve } from 'node:path';
import { listSettings, type Environment, type GlobalFlags, type SettingWithSource } from './settings.js';
import { removeProfile, saveProfile, saveSetting } from './edit-config.js';
import { configPath, readConfig, type Configuration, type Profile } from './config-file.js';
import { savedStoreAddress, storeAddress } from './store-address.js';

/** Reads and changes the config file, for the commands `config` and `profile`. Refuses a file it cannot use with `usage`. */
export interface ConfigStore {
  readonly path: (environment: Environment) => string;
  readonly read: (environment: Environment) => Configuration;
  /** Every setting with its value and the source of the value. */
  readonly list: (flags: GlobalFlags, environment: Environment) => readonly SettingWithSource[];
  /** Saves a setting, or removes it when `text` is undefined. */
  readonly set: (environment: Environment, name: string, text: string | undefined) => Configuration;
  readonly saveProfile: (environment: Environment, name: string, profile: Profile, replace: boolean) => Configuration;
  readonly removeProfile: (environment: Environment, name: string) => Configuration;
  /** A store address in the form that the file holds; refuses a password with `usage`. */
  readonly savedStore: (store: string) => string;
  readonly absolutePath: (path: string) => string;
  /** A store address from the file for display: no password. */
  readonly displayStore: (configuration: Configuration, store: string) => string;
}

/** The config file that the environment names. */
export const configStore: ConfigStore = {
  path: configPath,
  read: (environment) => readConfig(configPath(environment)),
  list: listSettings,
  set: (environment, name, text) => saveSetting(configPath(environment), name, text),
  saveProfile: (environment, name, profile, replace) => saveProfile(configPath(environment), name, profile, replace),
  removeProfile: (environment, name) => removeProfile(configPath(environment), name),
  savedStore: (store) => savedStoreAddress(store).store,
  absolutePath: (path) => resolve(path),
  displayStore: ({ path }, store) => storeAddress(store, dirname(path)).where,
};
