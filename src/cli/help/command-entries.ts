import { meaningOf, type ErrorCode } from '../../domain/errors.js';
import type { AnyOperation } from '../../domain/operations.js';
import { ruleRefusals } from '../../domain/refusals.js';
import { usageOf, type Command } from '../command.js';
import type { Flag } from '../flags.js';
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

/** A flag of every command: how it is written, what it is for, and the words it takes. */
export type GlobalFlag = readonly [spelling: string, summary: string, choices?: readonly string[]];

/** What the first words of verbs of two words, such as `batch list`, stand for. */
export const nestedSummaries: Readonly<Record<string, string>> = { batch: 'the bulk imports so far' };

/** The flags every command takes; the settings read the variables that stand in for some. */
export const globalFlags: readonly GlobalFlag[] = [
  ['--store <where>', 'the file, server or database the shop lives in (PETSTORE_STORE)'],
  ['-P, --profile <name>', 'the profile to use; goes before the environment (PETSTORE_PROFILE)'],
  ['--no-profile', 'use no profile'],
  ['--format <format>', 'table, tsv, csv, json, ndjson, ids or count (PETSTORE_FORMAT)', formats],
  ['--fields <a,b>', 'the columns to show, in this order'],
  ['--json [a,b]', 'the same as --format json [--fields a,b]'],
  ['--actor <name>', 'who the ledger names (default: the login name) (PETSTORE_ACTOR)'],
  ['-q, --quiet', 'no notes or progress; errors stay'],
  ['--color <when>', 'auto, always or never', ['auto', 'always', 'never']],
  ['--no-color', 'no colour'],
  ['--no-input', 'never ask a question'],
  ['--no-pager', 'never show a long table page by page (PETSTORE_PAGER, PAGER)'],
  ['--wait <seconds>', 'how long to wait for a locked store (default: 5)'],
  ['--insecure', 'send the token to another machine over plain http'],
  ['--debug', 'timings and stack traces on standard error'],
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

type Spelt = Pick<Flag<unknown>, 'spelling' | 'summary' | 'repeated'> & { readonly choices?: readonly string[] | undefined };

function flagEntry({ spelling, summary, repeated, choices }: Spelt, global: boolean): FlagEntry {
  const [, short, name = '', open, value] = /^(?:(-\w), )?(--[\w-]+)(?: ([<[])(.+)[>\]])?$/.exec(spelling) ?? [];
  const byDefault = /\(default: ([^)]+)\)/.exec(summary)?.[1];
  return {
    name,
    ...(short !== undefined && { short }),
    spelling,
    summary,
    ...(value !== undefined && { value, valueOptional: open === '[' }),
    ...(choices && { choices }),
    ...(byDefault !== undefined && { default: byDefault }),
    repeated,
    global,
  };
}

/** The flags that every command takes. */
export function globalFlagEntries(): readonly FlagEntry[] {
  const help = { spelling: '-h, --help', summary: 'show help', repeated: false };
  const version = { spelling: '-V, --version', summary: 'show the version', repeated: false };
  const own = globalFlags.map(([spelling, summary, choices]) => ({ spelling, summary, choices, repeated: false }));
  return [...own, help, version].map((flag) => flagEntry(flag, true));
}

/** The flags of a command itself. */
export function ownFlagEntries({ flags }: Pick<Command, 'flags'>): readonly FlagEntry[] {
  return Object.values(flags).map((flag) => flagEntry(flag, false));
}

/** A command as a program may read about it. */
export interface CommandEntry {
  readonly command: string;
  readonly usage: string;
  readonly summary: string;
  readonly aliases: readonly string[];
  readonly arguments: readonly ArgumentEntry[];
  readonly flags: readonly FlagEntry[];
  readonly fields: readonly string[];
  readonly mutates: boolean;
  readonly stability: 'stable' | 'beta' | 'experimental';
  /** The operations of the HTTP interface behind it. */
  readonly operations: readonly string[];
  readonly exitCodes: readonly number[];
  readonly examples: readonly string[];
}

/** The other spellings of a command: its noun and its verb by their other names. */
function aliasesOf(path: readonly string[], nounAliases: readonly string[]): readonly string[] {
  const [noun = '', ...verbs] = path;
  const verb = verbs.at(-1);
  const other = verb === undefined ? undefined : verbAliases[verb];
  const endings = [verbs, ...(other === undefined ? [] : [[...verbs.slice(0, -1), other]])];
  return [noun, ...nounAliases].flatMap((one) => endings.map((ending) => [one, ...ending].join(' '))).filter((words) => words !== path.join(' '));
}

/** How any command may end: failed, called wrongly, given settings out of range, without its shop, or interrupted. */
const everyCommand: readonly ErrorCode[] = ['internal_error', 'usage', 'validation_failed', 'store_missing', 'cancelled'];

/** What an operation may be refused with, by the rules of the shop or by a server. */
function refusalsOf(operation: AnyOperation): readonly ErrorCode[] {
  const repeated: readonly ErrorCode[] = operation.kind === 'write' ? ['idempotency_in_progress'] : [];
  return [...ruleRefusals(operation), ...repeated, 'unauthenticated'];
}

/** Every exit code of a command, each once, in order. */
function exitCodesOf({ does, endings }: Command): readonly number[] {
  const codes = [...everyCommand, ...endings, ...does.flatMap(refusalsOf)];
  const exitCodes = codes.map((code) => (typeof code === 'number' ? code : meaningOf(code).exitCode));
  return [...new Set([0, ...exitCodes])].toSorted((one, other) => one - other);
}

const settled = ['experimental', 'beta', 'stable'] as const;

/** Everything there is to say about a command; `nounAliases` are the other names of its first word. */
export function commandEntry(command: Command, nounAliases: readonly string[]): CommandEntry {
  const { path } = command;
  const own = ownFlagEntries(command);
  return {
    command: path.join(' '),
    usage: `petstore ${usageOf(command)}`,
    summary: command.summary,
    aliases: aliasesOf(path, nounAliases),
    arguments: argumentEntries(command),
    flags: [...own, ...globalFlagEntries()],
    fields: command.fields,
    mutates: command.mutates,
    stability: settled.find((one) => command.does.some(({ stability }) => stability === one)) ?? 'stable',
    operations: command.does.map(({ id }) => id),
    exitCodes: exitCodesOf(command),
    examples: command.examples,
  };
}
