import type { Command } from '../command.js';
import { flagSpelling, flagSummary, type FlagUsage } from '../flags.js';
import { formats } from '../../settings/output-format.js';

/** A flag taken apart: what it is called, what value it takes, and which values it knows. */
export interface FlagEntry {
  readonly name: string;
  /** The letter that stands for it. */
  readonly short?: string;
  readonly spelling: string;
  readonly summary: string;
  /** What stands for its value: "status" of `--status <status>`; absent where it takes none. */
  readonly value?: string;
  /** Whether it may stand without its value. */
  readonly valueOptional?: boolean;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly repeated: boolean;
  /** Whether every command takes it. */
  readonly global: boolean;
}

/** One argument of a command. */
export interface ArgumentEntry {
  readonly name: string;
  readonly required: boolean;
  readonly repeated: boolean;
}

/** What the first words of verbs of two words, such as `batch list`, stand for. */
export const nestedSummaries: Readonly<Record<string, string>> = { batch: 'the bulk imports so far' };

/** The flags every command takes; the settings read the variables that stand in for some. */
export const globalFlags: readonly FlagUsage[] = [
  { long: 'store', value: 'where', summary: 'the file, server or database the shop lives in', variables: ['PETSTORE_STORE'], names: 'file' },
  { long: 'profile', short: 'P', value: 'name', summary: 'the profile to use; goes before the environment', variables: ['PETSTORE_PROFILE'], names: 'profile' },
  { long: 'no-profile', summary: 'use no profile' },
  { long: 'format', value: 'format', summary: 'table, tsv, csv, json, ndjson, ids or count', variables: ['PETSTORE_FORMAT'], choices: formats },
  { long: 'fields', value: 'a,b', summary: 'the columns to show, in this order', names: 'field' },
  { long: 'json', value: 'a,b', valueOptional: true, summary: 'the same as --format json [--fields a,b]', names: 'field' },
  { long: 'actor', value: 'name', summary: 'who the ledger names', default: 'the login name', variables: ['PETSTORE_ACTOR'] },
  { long: 'quiet', short: 'q', summary: 'no notes or progress; errors stay' },
  { long: 'color', value: 'when', summary: 'auto, always or never', choices: ['auto', 'always', 'never'] },
  { long: 'no-color', summary: 'no colour' },
  { long: 'no-input', summary: 'never ask a question' },
  { long: 'no-pager', summary: 'never show a long table page by page', variables: ['PETSTORE_PAGER', 'PAGER'] },
  { long: 'wait', value: 'seconds', summary: 'how long to wait for a locked store', default: '5' },
  { long: 'insecure', summary: 'send the token to another machine over plain http' },
  { long: 'debug', summary: 'timings and stack traces on standard error' },
];

/** The other words a verb answers to. */
export const verbAliases: Readonly<Record<string, string>> = { list: 'ls', view: 'show', delete: 'rm' };

/** Whether a word that was typed means a word of a command. */
export function isSpelt(word: string, text: string | undefined): boolean {
  return word === text || (text !== undefined && verbAliases[word] === text);
}

/** The command that words name, of one group; the first of them is the name of that. */
export function commandNamed(commands: readonly Command[], [, ...typed]: readonly string[]): Command | undefined {
  const named = commands.filter((command) => command.path.slice(1).every((verb, index) => isSpelt(verb, typed[index])));
  return named.toSorted((one, other) => other.path.length - one.path.length)[0];
}

/** The arguments of a command. */
export function argumentEntries({ arguments: own }: Pick<Command, 'arguments'>): readonly ArgumentEntry[] {
  return Object.entries(own).map(([name, { required, repeated }]) => ({ name, required, repeated }));
}

/** Every flag that all commands take, with those that commander adds. */
export const everyGlobalFlag: readonly FlagUsage[] = [
  ...globalFlags,
  { long: 'help', short: 'h', summary: 'show help' },
  { long: 'version', short: 'V', summary: 'show the version' },
];

function flagEntry(flag: FlagUsage, repeated: boolean, global: boolean): FlagEntry {
  const { long, short, value, valueOptional, choices, default: byDefault } = flag;
  return {
    name: `--${long}`,
    ...(short !== undefined && { short: `-${short}` }),
    spelling: flagSpelling(flag),
    summary: flagSummary(flag),
    ...(value !== undefined && { value, valueOptional: valueOptional === true }),
    ...(choices && { choices }),
    ...(byDefault !== undefined && { default: byDefault }),
    repeated,
    global,
  };
}

/** The flags that every command takes. */
export function globalFlagEntries(): readonly FlagEntry[] {
  return everyGlobalFlag.map((flag) => flagEntry(flag, false, true));
}

/** The flags of a command itself. */
export function ownFlagEntries({ flags }: Pick<Command, 'flags'>): readonly FlagEntry[] {
  return Object.values(flags).map((flag) => flagEntry(flag, flag.repeated, false));
}
