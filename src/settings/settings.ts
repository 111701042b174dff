import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { isJson, type Format } from './output-format.js';
import { configPath, profileNamed, readConfig, type Configuration, type Profile, type SettingName } from './config-file.js';
import { defaultStorePath, resolvePath, sameStore, storeAddress, type StoreAddress } from './store-address.js';
import { firstSet, variable, type SourceValue, type SourceValues } from './source-value.js';
import { actorOf, colourOf, formatOf, notEmpty, tokenOf, waitOf, type Colour } from './setting-values.js';

/** The global flags as they were typed. */
export interface GlobalFlags {
  /** Whether TSV and CSV begin with the column names; undefined for the default of the format. */
  readonly header?: boolean | undefined;
  readonly store?: string;
  /** False with --no-profile. */
  readonly profile?: string | false;
  readonly format?: string;
  readonly fields?: string;
  readonly json?: string | true;
  /** The jq expression that filters the JSON of the command. */
  readonly jq?: string;
  readonly actor?: string;
  readonly quiet?: boolean;
  readonly color?: string | false;
  readonly input?: boolean;
  readonly pager?: boolean;
  readonly wait?: string;
  readonly utc?: boolean;
  readonly debug?: boolean;
  readonly insecure?: boolean;
}

/** The variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

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
  /** Whether that profile allows only reads. */
  readonly readOnly: boolean;
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
  readonly name: SettingName | 'token';
  readonly value: string | undefined;
  readonly source: string;
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** What settings are read from. */
interface Sources {
  readonly flags: GlobalFlags;
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly active: { readonly name: string; readonly profile: Profile; readonly byFlag: boolean } | undefined;
}

/** The active profile: from the flag, the environment or the config file. */
function activeProfile(flags: GlobalFlags, environment: Environment, configuration: Configuration): Sources['active'] {
  if (flags.profile === false) return undefined;
  const typed = flags.profile === undefined ? undefined : notEmpty(flags.profile, '--profile');
  const name = typed ?? variable('PETSTORE_PROFILE', environment['PETSTORE_PROFILE'])[1] ?? configuration.settings.profile;
  if (typeof name !== 'string') return undefined;
  return { name, profile: profileNamed(configuration, name), byFlag: typed !== undefined };
}

/** The order of precedence. A profile chosen with --profile overrides the environment; one chosen elsewhere does not. */
function effective({ configuration, active }: Sources, name: SettingWithSource['name'], values: SourceValues): SettingWithSource {
  const { flag, environment = [], profile } = values;
  const fromProfile: SourceValue = [`profile ${active?.name}`, profile];
  const saved = name === 'token' ? undefined : configuration.settings[name];
  const ranked = [...(flag ? [flag] : []), ...(active?.byFlag === true ? [fromProfile, ...environment] : [...environment, fromProfile])];
  const [source, value] = firstSet([...ranked, ['config file', saved === undefined ? undefined : String(saved)]]) ?? ['default', values.default];
  return { name, value, source };
}

const disabled = (typed: boolean | undefined): string | undefined => (typed === false ? 'true' : undefined);

const listedSettings = [
  'store',
  'profile',
  'token',
  'actor',
  'format',
  'color',
  'pager',
  'wait',
  'utc',
  'no-input',
] as const satisfies readonly SettingWithSource['name'][];

/** The format that the flags ask for; --jq filters JSON. */
function formatFlag({ format, json, jq }: GlobalFlags): SourceValue {
  if (json !== undefined) return ['--json', 'json'];
  return jq === undefined || isJson(format) ? ['--format', format] : ['--jq', 'json'];
}

/** The values of every setting by source. */
function sourceValuesOf({ flags, environment, active }: Sources): Readonly<Record<SettingWithSource['name'], SourceValues>> {
  const profile = active?.profile;
  const promptsDisabled = environment['PETSTORE_NO_INPUT'] || environment['CI'] ? 'true' : undefined;
  return {
    store: {
      flag: ['--store', flags.store === undefined ? undefined : notEmpty(flags.store, '--store')],
      environment: [variable('PETSTORE_STORE', environment['PETSTORE_STORE'])],
      profile: profile?.store,
    },
    profile: {
      flag: flags.profile === false ? ['--no-profile', ''] : ['--profile', flags.profile],
      environment: [variable('PETSTORE_PROFILE', environment['PETSTORE_PROFILE'])],
    },
    token: {
      environment: [variable('PETSTORE_TOKEN', environment['PETSTORE_TOKEN'])],
      profile: profile?.tokenFile ?? profile?.tokenCommand,
    },
    actor: {
      flag: ['--actor', flags.actor],
      environment: [variable('PETSTORE_ACTOR', environment['PETSTORE_ACTOR'])],
      profile: profile?.actor,
    },
    format: {
      flag: formatFlag(flags),
      environment: [variable('PETSTORE_FORMAT', environment['PETSTORE_FORMAT'])],
      profile: profile?.format,
    },
    color: { flag: flags.color === false ? ['--no-color', 'never'] : ['--color', flags.color], default: 'auto' },
    pager: {
      flag: ['--no-pager', flags.pager === false ? '' : undefined],
      // An empty variable means no pager, so it is not refused.
      environment: [
        ['PETSTORE_PAGER', environment['PETSTORE_PAGER']],
        ['PAGER', environment['PAGER']],
      ],
      default: environment['TERM'] === 'dumb' ? '' : 'less',
    },
    wait: { flag: ['--wait', flags.wait], default: '5' },
    utc: {
      flag: ['--utc', flags.utc === true ? 'true' : undefined],
      environment: [['PETSTORE_UTC', environment['PETSTORE_UTC'] ? 'true' : undefined]],
      default: 'false',
    },
    'no-input': {
      flag: ['--no-input', disabled(flags.input)],
      environment: [[environment['PETSTORE_NO_INPUT'] ? 'PETSTORE_NO_INPUT' : 'CI', promptsDisabled]],
      default: 'false',
    },
  };
}

function sourcesOf(flags: GlobalFlags, environment: Environment, useConfigFile: boolean): Sources {
  const path = configPath(environment);
  const configuration = useConfigFile ? readConfig(path) : { path, settings: {}, profiles: new Map<string, Profile>() };
  return { flags, environment, configuration, active: useConfigFile ? activeProfile(flags, environment, configuration) : undefined };
}

/** The store in use, and a look-up for the other settings. */
interface Resolved {
  readonly settingOf: (name: SettingWithSource['name']) => SettingWithSource;
  readonly address: StoreAddress;
  /** The active profile if it names this store. Its token must not be sent to any other store. */
  readonly ownProfile: Sources['active'];
  readonly folder: string;
}

function resolve(sources: Sources): Resolved {
  const { active, configuration } = sources;
  const values = sourceValuesOf(sources);
  const folder = dirname(configuration.path);
  const { value = defaultStorePath(), source } = effective(sources, 'store', values.store);
  // A relative path in the config file starts at the folder of that file.
  const address = storeAddress(value, source.startsWith('-') || source === 'PETSTORE_STORE' ? undefined : folder);
  const ownProfile = active !== undefined && sameStore(storeAddress(active.profile.store, folder).store, address.store) ? active : undefined;
  // A token belongs to its store, and is not used with another one.
  const isForeign = (name: SettingWithSource['name']): boolean => ownProfile === undefined && name === 'token';
  const settingOf = (name: SettingWithSource['name']): SettingWithSource =>
    effective(sources, name, isForeign(name) ? { ...values[name], profile: undefined } : values[name]);
  return { settingOf, address, ownProfile, folder };
}

function tokenSourceOf({ ownProfile, folder }: Resolved): TokenSource | undefined {
  if (ownProfile === undefined) return undefined;
  const { tokenFile, tokenCommand } = ownProfile.profile;
  if (tokenFile !== undefined) return { profile: ownProfile.name, file: resolvePath(folder, tokenFile) };
  return tokenCommand === undefined ? undefined : { profile: ownProfile.name, command: tokenCommand };
}

/** Every setting with its value and source; a token shows as "set". */
export function listSettings(flags: GlobalFlags, environment: Environment): readonly SettingWithSource[] {
  const { settingOf, address } = resolve(sourcesOf(flags, environment, true));
  return listedSettings.map((name) => {
    const found = settingOf(name);
    if (name === 'store') return { ...found, value: address.where };
    if (name === 'actor') return { ...found, value: found.value ?? loginName() };
    return name === 'token' && found.value !== undefined ? { ...found, value: 'set' } : found;
  });
}

/**
 * The settings of one command; precedence: flags, environment, profile, config file, defaults. `useConfigFile: false` ignores
 * the config file, for the commands that repair it. Refuses invalid values with `usage` or `validation_failed`.
 */
export function readSettings(flags: GlobalFlags, environment: Environment, useConfigFile = true): Settings {
  const found = resolve(sourcesOf(flags, environment, useConfigFile));
  const { settingOf, address, ownProfile } = found;
  const token = settingOf('token');
  const format = settingOf('format').value;
  const pager = settingOf('pager');
  const mayAsk = settingOf('no-input').value !== 'true';
  const fields = flags.fields ?? (typeof flags.json === 'string' ? flags.json : undefined);
  return {
    ...address,
    profile: ownProfile?.name,
    readOnly: ownProfile?.profile.readonly === true,
    token: token.source === 'PETSTORE_TOKEN' ? tokenOf(token.value, 'PETSTORE_TOKEN') : undefined,
    tokenSource: token.source === 'PETSTORE_TOKEN' ? undefined : tokenSourceOf(found),
    insecure: flags.insecure === true,
    format: format === undefined ? undefined : formatOf(format),
    fields: fields?.split(',').map((field) => field.trim()),
    actor: actorOf(settingOf('actor').value ?? loginName()),
    givenActor: flags.actor,
    quiet: flags.quiet === true,
    colour: colourOf(settingOf('color').value ?? 'auto', '--color'),
    mayAsk,
    // A pager waits for keys as a question does.
    pager: !mayAsk || /^(cat)?$/.test(pager.value?.trim() ?? '') ? undefined : pager.value,
    utc: settingOf('utc').value === 'true',
    waitSeconds: waitOf(settingOf('wait').value ?? '', '--wait'),
    debug: flags.debug === true,
  };
}
