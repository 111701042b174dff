import type { Command } from '../command.js';
import { completeFields, completeFiles, completeProfiles } from '../completion/completers.js';
import { flagSpelling, flagSummary, type FlagUsage } from '../flags.js';
import { formats } from '../../settings/output-format.js';
import { settingTable } from '../../settings/setting-table.js';

/** A flag as `petstore commands` lists it. */
export interface FlagEntry {
  readonly name: string;
  readonly short?: string;
  readonly spelling: string;
  readonly summary: string;
  /** The name of its value: "status" of `--status <status>`; absent where it takes none. */
  readonly value?: string;
  /** Whether its value can be left out. */
  readonly valueOptional?: boolean;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly repeated: boolean;
  /** Whether every command has it. */
  readonly global: boolean;
}

const { store, profile, format, actor, pager, wait, utc } = settingTable;

/** The flags of every command. */
export const globalFlagUsages: readonly FlagUsage[] = [
  { long: 'store', value: 'where', summary: 'the file, server or database of the shop', variables: store.variables, complete: completeFiles },
  {
    long: 'profile',
    short: 'P',
    value: 'name',
    summary: 'the profile to use; overrides the environment',
    variables: profile.variables,
    complete: completeProfiles,
  },
  { long: 'no-profile', summary: 'use no profile' },
  { long: 'format', value: 'format', summary: 'table, tsv, csv, json, ndjson, ids or count', variables: format.variables, choices: formats },
  { long: 'fields', value: 'a,b', summary: 'the columns to show, in this order', complete: completeFields },
  { long: 'json', value: 'a,b', valueOptional: true, summary: 'the same as --format json [--fields a,b]', complete: completeFields },
  { long: 'jq', value: 'expression', summary: 'filter the JSON with a jq expression; strings are written without quotes' },
  { long: 'header', summary: 'begin TSV with the column names, as CSV does' },
  { long: 'no-header', summary: 'write CSV and exports without the column names' },
  { long: 'actor', value: 'name', summary: 'the name recorded in the ledger', default: 'the login name', variables: actor.variables },
  { long: 'quiet', short: 'q', summary: 'no notes or progress; errors stay' },
  { long: 'color', value: 'when', summary: 'auto, always or never', choices: ['auto', 'always', 'never'] },
  { long: 'no-color', summary: 'no colour' },
  { long: 'no-input', summary: 'never ask a question or wait for a key' },
  { long: 'no-pager', summary: 'never page long tables', variables: pager.variables },
  { long: 'wait', value: 'seconds', summary: 'how long to wait for a locked store', default: wait.byDefault },
  { long: 'utc', summary: 'read and show days and times in UTC instead of local time', variables: utc.variables },
  { long: 'insecure', summary: 'allow sending the token over unencrypted http' },
  { long: 'debug', summary: 'timings and stack traces on standard error' },
];

/** Whether a word that was typed names the word of a command's path at an index, itself or as an alias. */
export function isWordOf({ path, aliases }: Pick<Command, 'path' | 'aliases'>, index: number, typed: string | undefined): boolean {
  return typed !== undefined && (path[index] === typed || (index === path.length - 1 && index > 0 && aliases.includes(typed)));
}

/** The command of a group that words name; the first word is the name of the group. */
export function commandNamed(commands: readonly Command[], [, ...typed]: readonly string[]): Command | undefined {
  const named = commands.filter((command) => command.path.slice(1).every((_, index) => isWordOf(command, index + 1, typed[index])));
  return named.toSorted((one, other) => other.path.length - one.path.length)[0];
}

/** The flags of every command, with those that commander adds. */
export const everyGlobalFlag: readonly FlagUsage[] = [
  ...globalFlagUsages,
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

/** The entries of the flags of every command. */
export function globalFlagEntries(): readonly FlagEntry[] {
  return everyGlobalFlag.map((flag) => flagEntry(flag, false, true));
}

/** The entries of a command's own flags. */
export function ownFlagEntries({ flags }: Pick<Command, 'flags'>): readonly FlagEntry[] {
  return Object.values(flags).map((flag) => flagEntry(flag, flag.repeated, false));
}
