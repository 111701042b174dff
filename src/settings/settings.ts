import { dirname } from 'node:path';
import { configPath, profileNamed, readConfig, type Configuration } from './config-file.js';
import { type Format } from './output-format.js';
import { settingTable, type Environment, type GlobalFlags, type Profile, type SettingName, type SettingRule } from './setting-table.js';
import { actorOf, colourOf, formatOf, notEmpty, tokenOf, waitOf, type Colour } from './setting-values.js';
import { resolvePath, sameStore, storeAddress, type StoreAddress } from './store-address.js';

/** Where a profile keeps the token of its server. */
export interface TokenSource {
  readonly profile: string;
  readonly file?: string;
  readonly command?: string;
}

/** The settings of one command, from flags, environment, profile, config file and defaults. */
export interface Settings {
  /** The path of a file, or the address of a server or of a PostgreSQL database. */
  readonly store: string;
  /** The same for display: no password. */
  readonly where: string;
  /** The active profile, if it names this store. */
  readonly profile: string | undefined;
  /** What allows only reads: PETSTORE_READ_ONLY, of every shop, or the active profile, of its shop; undefined where changes are allowed. */
  readonly readOnly: 'variable' | 'profile' | undefined;
  /** The access token for a server. */
  readonly token: string | undefined;
  /** Where to read the token when it is not in the environment. */
  readonly tokenSource: TokenSource | undefined;
  /** Allows sending a token unencrypted to another machine. */
  readonly insecure: boolean;
  /** The output format; undefined for the default, which depends on whether output is a terminal. */
  readonly format: Format | undefined;
  readonly fields: readonly string[] | undefined;
  readonly actor: string;
  /** The value of --actor, which commands that read use as a filter. */
  readonly givenActor: string | undefined;
  readonly quiet: boolean;
  readonly colour: Colour;
  /** Whether questions may be asked. */
  readonly mayAsk: boolean;
  /** The command line of the pager; undefined for none. */
  readonly pager: string | undefined;
  /** Whether days and times are those of UTC, not of the local zone. */
  readonly utc: boolean;
  /** How long to wait for a locked store. */
  readonly waitSeconds: number;
  readonly debug: boolean;
}

/** A setting and the source of its value: a flag, a variable, "profile NAME", "config file" or "default". */
export interface SettingWithSource {
  readonly name: SettingName;
  readonly value: string | undefined;
  readonly source: string;
}

/** The profile that a setting names, and whether --profile named it: only then it overrides the environment. */
interface ActiveProfile {
  readonly name: string;
  readonly profile: Profile;
  readonly byFlag: boolean;
}

/** What settings are read from. */
interface Sources {
  readonly flags: GlobalFlags;
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly active?: ActiveProfile;
}

/** The value of a setting, in the order of precedence. */
function settingOf(name: SettingName, { flags, environment, configuration, active }: Sources): SettingWithSource {
  const { flag, variables = [], ofVariable, ofProfile, byDefault }: SettingRule = settingTable[name];
  const fromVariables = variables.map((variable) => {
    const text = environment[variable];
    // Otherwise an empty variable would silently mean the default.
    return [variable, text === undefined ? undefined : ofVariable === undefined ? notEmpty(text, variable, `unset ${variable}`) : ofVariable(text)] as const;
  });
  const fromProfile = [`profile ${active?.name}`, active && ofProfile?.(active.profile)] as const;
  const saved = name === 'token' || name === 'read-only' ? undefined : configuration.settings[name];
  const ranked = [
    flag?.(flags) ?? ['', undefined],
    ...(active?.byFlag === true ? [fromProfile, ...fromVariables] : [...fromVariables, fromProfile]),
    ['config file', saved?.toString()] as const,
  ];
  const [source, value] = ranked.find(([, text]) => text !== undefined) ?? ['default', typeof byDefault === 'function' ? byDefault(environment) : byDefault];
  return { name, value, source };
}

/** The store in use, and the value of each setting. */
interface Resolved {
  readonly settings: Readonly<Record<SettingName, SettingWithSource>>;
  readonly address: StoreAddress;
  /** The active profile if it names this store. Its token must not be sent to any other store. */
  readonly ownProfile: ActiveProfile | undefined;
  readonly folder: string;
}

function resolve(flags: GlobalFlags, environment: Environment, useConfigFile: boolean): Resolved {
  const path = configPath(environment);
  const configuration = useConfigFile ? readConfig(path) : { path, settings: {}, profiles: new Map<string, Profile>() };
  const withoutProfile: Sources = { flags, environment, configuration };
  const { value: name = '', source: namedBy } = settingOf('profile', withoutProfile);
  const active = useConfigFile && name !== '' ? { name, profile: profileNamed(configuration, name), byFlag: namedBy === '--profile' } : undefined;
  const sources: Sources = { ...withoutProfile, ...(active && { active }) };
  const folder = dirname(path);
  const store = settingOf('store', sources);
  // A relative path in the config file starts at the folder of that file.
  const address = storeAddress(store.value ?? '', /^(--|PETSTORE_)/.test(store.source) ? undefined : folder);
  const ownProfile = active !== undefined && sameStore(storeAddress(active.profile.store, folder).store, address.store) ? active : undefined;
  // A token belongs to its store, and is not used with another one.
  const sourcesOf = (one: SettingName): Sources => (one === 'token' && ownProfile === undefined ? withoutProfile : sources);
  const all = (Object.keys(settingTable) as readonly SettingName[]).map((one) => [one, settingOf(one, sourcesOf(one))] as const);
  return { settings: Object.fromEntries(all) as Resolved['settings'], address, ownProfile, folder };
}

function tokenSourceOf({ ownProfile, folder }: Resolved): TokenSource | undefined {
  if (ownProfile === undefined) return undefined;
  const { tokenFile, tokenCommand } = ownProfile.profile;
  if (tokenFile !== undefined) return { profile: ownProfile.name, file: resolvePath(folder, tokenFile) };
  return tokenCommand === undefined ? undefined : { profile: ownProfile.name, command: tokenCommand };
}

function readOnlyBy({ settings, ownProfile }: Resolved): Settings['readOnly'] {
  if (settings['read-only'].value === 'true') return 'variable';
  return ownProfile?.profile.readonly === true ? 'profile' : undefined;
}

/** The profile in use, which may not exist, and what names it; undefined where none is. */
export function profileInUse(flags: GlobalFlags, environment: Environment): SettingWithSource {
  return settingOf('profile', { flags, environment, configuration: readConfig(configPath(environment)) });
}

/** Every setting with its value and source; a token shows as "set". */
export function listSettings(flags: GlobalFlags, environment: Environment): readonly SettingWithSource[] {
  const { settings, address } = resolve(flags, environment, true);
  return Object.values(settings).map((found) => {
    if (found.name === 'store') return { ...found, value: address.where };
    return found.name === 'token' && found.value !== undefined ? { ...found, value: 'set' } : found;
  });
}

/**
 * The settings of one command; precedence: flags, environment, profile, config file, defaults. `useConfigFile: false` ignores
 * the config file, for the commands that repair it. Refuses invalid values with `usage` or `validation_failed`.
 */
export function readSettings(flags: GlobalFlags, environment: Environment, useConfigFile = true): Settings {
  const found = resolve(flags, environment, useConfigFile);
  const { address, ownProfile } = found;
  const { token, format, actor, color, pager, wait, utc, 'no-input': noInput } = found.settings;
  const mayAsk = noInput.value !== 'true';
  const fields = flags.fields ?? (typeof flags.json === 'string' ? flags.json : undefined);
  return {
    ...address,
    profile: ownProfile?.name,
    readOnly: readOnlyBy(found),
    token: token.source === 'PETSTORE_TOKEN' ? tokenOf(token.value, 'PETSTORE_TOKEN') : undefined,
    tokenSource: token.source === 'PETSTORE_TOKEN' ? undefined : tokenSourceOf(found),
    insecure: flags.insecure === true,
    format: format.value === undefined ? undefined : formatOf(format.value),
    fields: fields?.split(',').map((field) => field.trim()),
    actor: actorOf(actor.value ?? ''),
    givenActor: flags.actor,
    quiet: flags.quiet === true,
    colour: colourOf(color.value ?? '', '--color'),
    mayAsk,
    // A pager waits for keys as a question does.
    pager: !mayAsk || /^(cat)?$/.test(pager.value?.trim() ?? '') ? undefined : pager.value,
    utc: utc.value === 'true',
    waitSeconds: waitOf(wait.value ?? '', '--wait'),
    debug: flags.debug === true,
  };
}
