import { dirname, resolve } from 'node:path';
import { configPath, readConfig, type Configuration } from './config-file.js';
import { removeProfile, saveProfile, saveSetting } from './edit-config.js';
import type { Environment, Profile } from './setting-table.js';
import { listSettings } from './settings.js';
import { savedStoreAddress, storeAddress } from './store-address.js';

/** Reads and changes the config file that the environment names. Refuses a file it cannot use with `usage`. */
export const configStore = {
  path: configPath,
  read: (environment: Environment): Configuration => readConfig(configPath(environment)),
  /** Every setting with its value and the source of the value. */
  list: listSettings,
  /** Saves a setting, or removes it when `text` is undefined. */
  set: (environment: Environment, name: string, text: string | undefined): Configuration => saveSetting(configPath(environment), name, text),
  saveProfile: (environment: Environment, name: string, profile: Profile, replace: boolean): Configuration =>
    saveProfile(configPath(environment), name, profile, replace),
  removeProfile: (environment: Environment, name: string): Configuration => removeProfile(configPath(environment), name),
  /** A store address in the form that the file holds; refuses a password with `usage`. */
  savedStore: (store: string): string => savedStoreAddress(store).store,
  absolutePath: (path: string): string => resolve(path),
  /** A store address from the file for display: no password. */
  displayStore: ({ path }: Configuration, store: string): string => storeAddress(store, dirname(path)).where,
} as const;

/** What `config` and `profile` need of the config file. */
export type ConfigStore = typeof configStore;
