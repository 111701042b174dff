import { dirname, resolve } from 'node:path';
import { tellSettings, type Environment, type GlobalFlags, type Told } from './settings.js';
import { dropProfile, keepProfile, keepSetting } from './edit-config.js';
import { configurationPath, readConfiguration, type Configuration, type Profile } from './config-file.js';
import { lastingPlace, placeOf } from './store-address.js';

/** The file of settings and profiles, for the commands that show and change it. */
export interface ConfigurationDoor {
  readonly path: (environment: Environment) => string;
  readonly read: (environment: Environment) => Configuration;
  readonly tell: (flags: GlobalFlags, environment: Environment) => readonly Told[];
  /** Keeps a setting, or takes it out where no text is given. */
  readonly keep: (environment: Environment, name: string, text: string | undefined) => Configuration;
  readonly keepProfile: (environment: Environment, name: string, profile: Profile, replace: boolean) => Configuration;
  readonly dropProfile: (environment: Environment, name: string) => Configuration;
  /** A store as the file keeps it; refuses one with a password. */
  readonly lasting: (store: string) => string;
  /** A path as the file keeps it, the same from every folder. */
  readonly pathOf: (path: string) => string;
  /** A store of the file as people may read it. */
  readonly shown: (configuration: Configuration, store: string) => string;
}

/** The file of settings and profiles of this process. */
export const configuration: ConfigurationDoor = {
  path: configurationPath,
  read: (environment) => readConfiguration(configurationPath(environment)),
  tell: tellSettings,
  keep: (environment, name, text) => keepSetting(configurationPath(environment), name, text),
  keepProfile: (environment, name, profile, replace) => keepProfile(configurationPath(environment), name, profile, replace),
  dropProfile: (environment, name) => dropProfile(configurationPath(environment), name),
  lasting: (store) => lastingPlace(store).store,
  pathOf: (path) => resolve(path),
  shown: ({ path }, store) => placeOf(store, dirname(path)).where,
};
