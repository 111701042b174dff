import type { AnyOperation } from '../domain/operations.js';
import { StoreError, type ErrorCode } from '../domain/errors.js';
import type { CallOptions } from '../domain/call.js';
import type { Shop } from '../domain/shop.js';
import type { GlobalFlags, Settings } from '../settings/settings.js';
import { flag, ledgerNote, toggle, type Flags, type FlagValues, type NoFlags } from './flags.js';
import { argumentUsage, readArguments, type Arguments, type ArgumentValues, type NoArguments } from './arguments.js';
import type { Io } from './io.js';
import type { Setup } from './program-setup.js';
import type { Paint } from './output/colours.js';
import { chosen, type Columns } from './output/view.js';
import type { Prompt } from './prompts/prompt.js';

/** What a command works with. */
export interface Context {
  readonly io: Io;
  readonly settings: Settings;
  /** The global flags as they were typed. */
  readonly globalFlags: GlobalFlags;
  readonly shop: () => Promise<Shop>;
  /** What lies outside a shop: its settings, maintenance, server and documents. */
  readonly setup: Setup;
  /** The colours of standard output. */
  readonly paint: Paint;
  /** Says something beside the result, on standard error, unless --quiet. */
  readonly note: (line: string) => Promise<void>;
  /** Asks before something that cannot be taken back; refuses with `confirmation_required` where it cannot ask. */
  readonly confirm: (question: string, flags: { readonly yes: true | undefined; readonly dryRun: true | undefined }) => Promise<void>;
}

/** The words that name a command. */
export type Path = readonly [string, ...string[]];

/** The exit code of a command that found something to do: a file that would change something, or a list that is not empty. */
export const actionNeededExitCode = 8 as const;

/** How a command can end: a refusal by its code, or an exit code of its own. */
export type CommandExit = ErrorCode | typeof actionNeededExitCode;

/** A command: its words, arguments and flags, and what it does. */
export interface Command {
  /** The words that name it: ['pet', 'view']. */
  readonly path: Path;
  /** Other words for the last one of the path. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly arguments: Arguments;
  readonly flags: Flags;
  /** The operations that it calls. */
  readonly operations: readonly AnyOperation[];
  /** The field names that --fields and --json take. */
  readonly fields: readonly string[];
  readonly mutates: boolean;
  /** How it can end, besides the ends of every command and the refusals of its operations. */
  readonly exits: readonly CommandExit[];
  /** Whether it runs even if the config file is invalid: it shows or changes the settings. */
  readonly worksWithBrokenSettings: boolean;
  /** Whether it saves --format instead of writing its result in that format. */
  readonly savesFormat: boolean;
  readonly examples: readonly string[];
  /** What its figures mean and how they are calculated, line by line. */
  readonly figures?: readonly string[];
  /** Runs it with the texts of its arguments and the values of its flags; answers its exit code, 0 by default. */
  readonly run: (context: Context, words: readonly string[], flags: Readonly<Record<string, unknown>>) => Promise<number | void>;
}

/** The flags of every command that changes the shop. */
export const mutationFlags = {
  dryRun: toggle({ long: 'dry-run', short: 'n', summary: 'do everything but keep nothing' }),
  yes: toggle({ long: 'yes', short: 'y', summary: 'do not ask for confirmation' }),
  key: flag({ long: 'key', value: 'key', summary: 'idempotency key: a repeat changes nothing', read: keyText }),
  note: flag({ long: 'note', value: 'text', summary: 'a note for the ledger', read: ledgerNote }),
};

function keyText(value: string, name: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(value)) return value;
  throw new StoreError('usage', `${name} takes 1 to 255 printable ASCII characters.`);
}

/** What the flags of a mutation say about the request. */
export function callOptions(context: Context, { dryRun, key, note }: FlagValues<typeof mutationFlags>): CallOptions {
  return {
    dryRun,
    key,
    note,
    onReplay: () => void context.note(`Already done under the key "${key}"; nothing was changed.`),
  };
}

/** The values of a command's arguments and flags by name. */
export type CommandValues<A extends Arguments, F extends Flags> = ArgumentValues<A> & FlagValues<F>;

/** The same while some are missing. */
type PartialValues<A extends Arguments, F extends Flags> = { readonly [Name in keyof A | keyof F]: CommandValues<A, F>[Name] | undefined };

/**
 * Accepts an argument or a flag whose prompt needs and answers only values of its command. `never` and `string` are the types of
 * a prompt that needs none and answers only its own value.
 */
type Fitting<Value, A extends Arguments, F extends Flags> = Value extends { readonly prompt?: Prompt<infer Given, infer Name> }
  ? [Given] extends [never]
    ? FittingNames<Name, A, F>
    : PartialValues<A, F> extends Given
      ? FittingNames<Name, A, F>
      : { readonly prompt: 'The prompt needs a value that the command does not have.' }
  : unknown;

type FittingNames<Name extends string, A extends Arguments, F extends Flags> = string extends Name
  ? unknown
  : [Name] extends [keyof A | keyof F]
    ? unknown
    : { readonly prompt: 'The prompt answers a value that the command does not have.' };

/** What every command declares. */
export interface CommandDeclaration<A extends Arguments, F extends Flags> {
  readonly path: Path;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly arguments?: A & { readonly [Name in keyof A]: Fitting<A[Name], A, F> };
  readonly flags?: F & { readonly [Name in keyof F]: Fitting<F[Name], A, F> };
  readonly examples: readonly string[];
  readonly figures?: readonly string[];
}

/** What a command declares that does not call one operation. */
interface CommandOptions {
  readonly operations?: readonly unknown[];
  /** The columns of the records it shows: their names are its fields, and an unknown field is refused before anything is read. */
  readonly columns?: Columns<never>;
  readonly fields?: readonly string[];
  readonly mutates?: boolean;
  readonly exits?: readonly CommandExit[];
  readonly worksWithBrokenSettings?: boolean;
  readonly savesFormat?: boolean;
}

/** A declaration whose types were checked already; `run` gets the values of the arguments and flags that it declares. */
interface CheckedDeclaration extends CommandOptions, Omit<CommandDeclaration<NoArguments, NoFlags>, 'arguments' | 'flags'> {
  readonly arguments?: Arguments | undefined;
  readonly flags?: Flags | undefined;
  readonly run: (context: Context, values: never, words: readonly string[]) => Promise<number | void>;
}

/** Builds a command; `command`, `changeCommand`, `listCommand` and the like check its types. */
export function buildCommand(declaration: CheckedDeclaration): Command {
  const { path, aliases = [], summary, examples, figures, flags = {}, operations = [], columns, fields = [], mutates = false, exits = [] } = declaration;
  const { arguments: all = {}, worksWithBrokenSettings = false, savesFormat = false, run } = declaration;
  return {
    path,
    aliases,
    summary,
    arguments: all,
    flags,
    operations: operations as readonly AnyOperation[],
    fields: columns?.all.map(({ name }) => name) ?? fields,
    mutates,
    exits,
    worksWithBrokenSettings,
    savesFormat,
    examples,
    ...(figures && { figures }),
    run: async (context, words, flagValues) => {
      if (columns !== undefined) chosen(columns, context.settings.fields, 'tsv');
      const values = { ...flagValues, ...(await readArguments(all, words, context.io.stdin)) };
      return run(context, values as never, words);
    },
  };
}

/** Declares a command that does not fit one of the usual shapes. */
export function command<A extends Arguments = NoArguments, F extends Flags = NoFlags>(
  declaration: CommandDeclaration<A, F> & CommandOptions & { readonly run: (context: Context, values: CommandValues<A, F>) => Promise<number | void> },
): Command {
  return buildCommand(declaration);
}

/** Refuses with `input_required` an edit that changes nothing: no flag was given. */
export function requireChange(values: readonly unknown[], flagNames: string): void {
  if (values.some((value) => value !== undefined)) return;
  throw new StoreError('input_required', `There is nothing to change: give ${flagNames}.`);
}

/** The value of a flag that a command cannot do without; refuses with `input_required`, naming the flag. */
export function required<T>(value: T | undefined, flagName: string): T {
  if (value === undefined) throw new StoreError('input_required', `${flagName} is missing.`, { advice: `Give it with ${flagName}.` });
  return value;
}

/** A command as a usage line shows it: `inventory set <pet> <quantity>`. */
export function usageOf({ path, arguments: all }: Pick<Command, 'path' | 'arguments'>): string {
  return [...path, ...Object.entries(all).map(([name, one]) => argumentUsage(name, one))].join(' ');
}
