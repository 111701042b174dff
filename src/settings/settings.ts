import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import type { Format } from './output-format.js';
import { configurationPath, profileNamed, readConfiguration, type Configuration, type Profile, type SettingName } from './config-file.js';
import { defaultStore, pathFrom, placeOf, sameStore } from './store-address.js';
import { actorOf, colourOf, formatOf, notEmpty, tokenOf, waitOf, type Colour } from './setting-values.js';

/** The global flags as they were typed. */
export interface GlobalFlags {
  readonly store?: string;
  /** False leaves every profile out. */
  readonly profile?: string | false;
  readonly format?: string;
  readonly fields?: string;
  readonly json?: string | true;
  readonly actor?: string;
  readonly quiet?: boolean;
  readonly color?: string | false;
  readonly input?: boolean;
  readonly pager?: boolean;
  readonly wait?: string;
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

/** What flags, environment, profile, file and defaults come to; read once for each command. */
export interface Settings {
  /** Where the shop lives: the path of a file, or the address of a server or of a PostgreSQL database. */
  readonly store: string;
  /** The same as people may read it, without a password. */
  readonly where: string;
  /** The profile that names this shop. */
  readonly profile: string | undefined;
  /** Whether that profile lets commands look only. */
  readonly readOnly: boolean;
  /** What opens the door of a server. */
  readonly token: string | undefined;
  /** Where else to ask for it. */
  readonly tokenSource: TokenSource | undefined;
  /** Whether a token may travel to another machine unencrypted. */
  readonly insecure: boolean;
  /** The format asked for; undefined leaves it to the terminal or the pipe. */
  readonly format: Format | undefined;
  readonly fields: readonly string[] | undefined;
  readonly actor: string;
  /** The name given with --actor, which a reading command takes as a filter. */
  readonly givenActor: string | undefined;
  readonly quiet: boolean;
  readonly colour: Colour;
  /** Whether questions may be asked. */
  readonly input: boolean;
  /** The command line that shows long tables page by page; undefined where none is wanted. */
  readonly pager: string | undefined;
  /** Seconds to wait for a locked store. */
  readonly wait: number;
  readonly debug: boolean;
}

/** A setting with where its value comes from: a flag, a variable, "profile NAME", "config file" or "default". */
export interface Told {
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

type Named = readonly [source: string, text: string | undefined];

const first = (named: readonly Named[]): Named | undefined => named.find(([, text]) => text !== undefined);

/** A value, where it stands first: in a flag, then in the environment, in the profile, in the file. */
interface Places {
  readonly flag?: Named;
  readonly environment?: readonly Named[];
  readonly profile?: string | undefined;
  readonly default?: string | undefined;
}

/** What is known before a setting is looked up. */
interface Sources {
  readonly flags: GlobalFlags;
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly chosen: { readonly name: string; readonly profile: Profile; readonly byFlag: boolean } | undefined;
}

/** A variable of ours; refuses an empty one with `usage`: whoever sets it means something, and not the default. */
function variable(name: string, text: string | undefined): Named {
  return [name, text === undefined ? undefined : notEmpty(text, name, `unset ${name}`)];
}

/** The profile in use: that of the flag, of the environment, or of the file; none with --no-profile. */
function chosenOf(flags: GlobalFlags, environment: Environment, configuration: Configuration): Sources['chosen'] {
  if (flags.profile === false) return undefined;
  const typed = flags.profile === undefined ? undefined : notEmpty(flags.profile, '--profile');
  const name = typed ?? variable('PETSTORE_PROFILE', environment['PETSTORE_PROFILE'])[1] ?? configuration.settings.profile;
  if (typeof name !== 'string') return undefined;
  return { name, profile: profileNamed(configuration, name), byFlag: typed !== undefined };
}

/** The order of precedence, said once: a profile named by the flag is a flag, and goes before the environment. */
function told({ configuration, chosen }: Sources, name: Told['name'], places: Places): Told {
  const { flag, environment = [], profile } = places;
  const own: Named = [`profile ${chosen?.name}`, profile];
  const kept = name === 'token' ? undefined : configuration.settings[name];
  const ranked = [...(flag ? [flag] : []), ...(chosen?.byFlag === true ? [own, ...environment] : [...environment, own])];
  const [source, value] = first([...ranked, ['config file', kept === undefined ? undefined : String(kept)]]) ?? ['default', places.default];
  return { name, value, source };
}

const no = (typed: boolean | undefined): string | undefined => (typed === false ? 'true' : undefined);

const tellable = ['store', 'profile', 'token', 'actor', 'format', 'color', 'pager', 'wait', 'no-input'] as const satisfies readonly Told['name'][];

/** What stands where for every setting. */
function placesOf({ flags, environment, chosen }: Sources): Readonly<Record<Told['name'], Places>> {
  const profile = chosen?.profile;
  const unasked = environment['PETSTORE_NO_INPUT'] || environment['CI'] ? 'true' : undefined;
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
      flag: flags.json === undefined ? ['--format', flags.format] : ['--json', 'json'],
      environment: [variable('PETSTORE_FORMAT', environment['PETSTORE_FORMAT'])],
      profile: profile?.format,
    },
    color: { flag: flags.color === false ? ['--no-color', 'never'] : ['--color', flags.color], default: 'auto' },
    pager: {
      flag: ['--no-pager', flags.pager === false ? '' : undefined],
      // Here an empty variable says something: no pager.
      environment: [
        ['PETSTORE_PAGER', environment['PETSTORE_PAGER']],
        ['PAGER', environment['PAGER']],
      ],
      default: environment['TERM'] === 'dumb' ? '' : 'less',
    },
    wait: { flag: ['--wait', flags.wait], default: '5' },
    'no-input': {
      flag: ['--no-input', no(flags.input)],
      environment: [[environment['PETSTORE_NO_INPUT'] ? 'PETSTORE_NO_INPUT' : 'CI', unasked]],
      default: 'false',
    },
  };
}

function sourcesOf(flags: GlobalFlags, environment: Environment, configured: boolean): Sources {
  const path = configurationPath(environment);
  const configuration = configured ? readConfiguration(path) : { path, settings: {}, profiles: new Map<string, Profile>() };
  return { flags, environment, configuration, chosen: configured ? chosenOf(flags, environment, configuration) : undefined };
}

/** What all the sources come to together. */
interface Resolved {
  readonly of: (name: Told['name']) => Told;
  readonly place: ReturnType<typeof placeOf>;
  /** The profile in use, where it names this very shop: what it says of its shop holds for that one alone, and its token goes nowhere else. */
  readonly own: Sources['chosen'];
  readonly folder: string;
}

function resolved(sources: Sources): Resolved {
  const { chosen, configuration } = sources;
  const places = placesOf(sources);
  const folder = dirname(configuration.path);
  const { value = defaultStore(), source } = told(sources, 'store', places.store);
  // A path in the file begins at its folder.
  const place = placeOf(value, source.startsWith('-') || source === 'PETSTORE_STORE' ? undefined : folder);
  const own = chosen !== undefined && sameStore(placeOf(chosen.profile.store, folder).store, place.store) ? chosen : undefined;
  const of = (name: Told['name']): Told => told(sources, name, name === 'token' && own === undefined ? { ...places.token, profile: undefined } : places[name]);
  return { of, place, own, folder };
}

function tokenSourceOf({ own, folder }: Resolved): TokenSource | undefined {
  if (own === undefined) return undefined;
  const { tokenFile, tokenCommand } = own.profile;
  if (tokenFile !== undefined) return { profile: own.name, file: pathFrom(folder, tokenFile) };
  return tokenCommand === undefined ? undefined : { profile: own.name, command: tokenCommand };
}

/** Every setting with its value, and where that comes from; a token is only said to be there. */
export function tellSettings(flags: GlobalFlags, environment: Environment): readonly Told[] {
  const { of, place } = resolved(sourcesOf(flags, environment, true));
  return tellable.map((name) => {
    const found = of(name);
    if (name === 'store') return { ...found, value: place.where };
    if (name === 'actor') return { ...found, value: found.value ?? loginName() };
    return name === 'token' && found.value !== undefined ? { ...found, value: 'set' } : found;
  });
}

/**
 * The settings of one command: flags before the environment, before the profile, before the file, before the defaults.
 * Without `configured` the file and its profiles are left out, for the commands that mend them.
 */
export function readSettings(flags: GlobalFlags, environment: Environment, configured = true): Settings {
  const found = resolved(sourcesOf(flags, environment, configured));
  const { of, place, own } = found;
  const token = of('token');
  const format = of('format').value;
  const pager = of('pager');
  const fields = flags.fields ?? (typeof flags.json === 'string' ? flags.json : undefined);
  return {
    ...place,
    profile: own?.name,
    readOnly: own?.profile.readonly === true,
    token: token.source === 'PETSTORE_TOKEN' ? tokenOf(token.value, 'PETSTORE_TOKEN') : undefined,
    tokenSource: token.source === 'PETSTORE_TOKEN' ? undefined : tokenSourceOf(found),
    insecure: flags.insecure === true,
    format: format === undefined ? undefined : formatOf(format),
    fields: fields?.split(',').map((field) => field.trim()),
    actor: actorOf(of('actor').value ?? loginName()),
    givenActor: flags.actor,
    quiet: flags.quiet === true,
    colour: colourOf(of('color').value ?? 'auto', '--color'),
    input: of('no-input').value !== 'true',
    pager: /^(cat)?$/.test(pager.value?.trim() ?? '') ? undefined : pager.value,
    wait: waitOf(of('wait').value ?? '', '--wait'),
    debug: flags.debug === true,
  };
}
