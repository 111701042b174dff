import { userInfo } from 'node:os';
import { isJson } from './output-format.js';
import { actorOf, colourOf, formatOf, lineOf, notEmpty, profileNameOf, truthOf, waitOf } from './setting-values.js';
import { defaultStorePath, savedStoreAddress } from './store-address.js';

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

/** A named shop with its own defaults. */
export interface Profile {
  readonly store: string;
  readonly actor?: string;
  readonly format?: string;
  /** The file that holds the token of its server. */
  readonly tokenFile?: string;
  /** The command line that prints the token. */
  readonly tokenCommand?: string;
  /** Refuses every command that changes the shop. */
  readonly readonly?: boolean;
}

/** The JSON type of a key in the config file and the check of its value. */
export interface KeyRule {
  readonly type: 'string' | 'number' | 'boolean';
  readonly check: (text: string, name: string, folder: string) => unknown;
}

/** Where the value of a setting comes from, as a text. */
export interface SettingRule {
  /** The flag that was typed, and the value that it means; undefined without one. */
  readonly flag?: (flags: GlobalFlags) => readonly [name: string, text: string | undefined];
  /** Its variables; the first that is set counts. */
  readonly variables?: readonly string[];
  /** The value that the text of a variable means; without it the text, which must not be empty. */
  readonly ofVariable?: (text: string) => string | undefined;
  readonly ofProfile?: (profile: Profile) => string | undefined;
  /** Its key in the config file, which has its name; absent where the file cannot hold it. */
  readonly key?: KeyRule;
  readonly byDefault?: string | ((environment: Environment) => string);
}

const storeKey: KeyRule = { type: 'string', check: (text, name, folder) => savedStoreAddress(notEmpty(lineOf(text, name), name), folder) };
const lineKey: KeyRule = { type: 'string', check: (text, name) => notEmpty(lineOf(text, name), name) };
const actorKey: KeyRule = { type: 'string', check: actorOf };
const formatKey: KeyRule = { type: 'string', check: formatOf };
const truthKey: KeyRule = { type: 'boolean', check: truthOf };

const trueUnlessEmpty = (text: string): string | undefined => (text === '' ? undefined : 'true');

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** Every setting, in the order in which they are listed. */
export const settingTable = {
  store: {
    flag: ({ store }) => ['--store', store === undefined ? undefined : notEmpty(store, '--store')],
    variables: ['PETSTORE_STORE'],
    ofProfile: ({ store }) => store,
    key: storeKey,
    byDefault: () => defaultStorePath(),
  },
  profile: {
    flag: ({ profile }) => (profile === false ? ['--no-profile', ''] : ['--profile', profile === undefined ? undefined : notEmpty(profile, '--profile')]),
    variables: ['PETSTORE_PROFILE'],
    key: { type: 'string', check: profileNameOf },
  },
  token: { variables: ['PETSTORE_TOKEN'], ofProfile: ({ tokenFile, tokenCommand }) => tokenFile ?? tokenCommand },
  actor: { flag: ({ actor }) => ['--actor', actor], variables: ['PETSTORE_ACTOR'], ofProfile: ({ actor }) => actor, key: actorKey, byDefault: loginName },
  format: {
    flag: ({ format, json, jq }) => {
      if (json !== undefined) return ['--json', 'json'];
      // --jq filters JSON.
      return jq === undefined || isJson(format) ? ['--format', format] : ['--jq', 'json'];
    },
    variables: ['PETSTORE_FORMAT'],
    ofProfile: ({ format }) => format,
    key: formatKey,
  },
  color: {
    flag: ({ color }) => (color === false ? ['--no-color', 'never'] : ['--color', color]),
    key: { type: 'string', check: colourOf },
    byDefault: 'auto',
  },
  pager: {
    flag: ({ pager }) => ['--no-pager', pager === false ? '' : undefined],
    variables: ['PETSTORE_PAGER', 'PAGER'],
    // An empty variable means no pager, so it is not refused.
    ofVariable: (text) => text,
    key: { type: 'string', check: lineOf },
    byDefault: ({ TERM: terminal }) => (terminal === 'dumb' ? '' : 'less'),
  },
  wait: { flag: ({ wait }) => ['--wait', wait], key: { type: 'number', check: waitOf }, byDefault: '5' },
  utc: {
    flag: ({ utc }) => ['--utc', utc === true ? 'true' : undefined],
    variables: ['PETSTORE_UTC'],
    ofVariable: trueUnlessEmpty,
    key: truthKey,
    byDefault: 'false',
  },
  'no-input': {
    flag: ({ input }) => ['--no-input', input === false ? 'true' : undefined],
    variables: ['PETSTORE_NO_INPUT', 'CI'],
    ofVariable: trueUnlessEmpty,
    key: truthKey,
    byDefault: 'false',
  },
  // Neither a flag, a profile nor the config file overrides the variable.
  'read-only': { variables: ['PETSTORE_READ_ONLY'], ofVariable: trueUnlessEmpty, byDefault: 'false' },
} as const satisfies Readonly<Record<string, SettingRule>>;

/** The name of a setting. */
export type SettingName = keyof typeof settingTable;

/** The name of a setting that the config file can hold. */
export type SavedName = Exclude<SettingName, 'token' | 'read-only'>;

/** The keys of the config file by their names. */
export const savedKeys = Object.fromEntries(
  Object.entries<SettingRule>(settingTable).flatMap(([name, { key }]) => (key === undefined ? [] : [[name, key]])),
) as Readonly<Record<SavedName, KeyRule>>;

/** The keys of a profile in the config file, with their rules. */
export const profileKeys: Readonly<Record<keyof Profile, KeyRule>> = {
  store: storeKey,
  actor: actorKey,
  format: formatKey,
  tokenFile: lineKey,
  tokenCommand: lineKey,
  readonly: truthKey,
};
