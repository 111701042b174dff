import { missingFlag, readFlags, toggle, type Flags, type FlagValues, type NoFlags } from './flags.js';
import { type Arguments, type ArgumentValues, type NoArguments, readArguments } from './arguments.js';
import type { Prompt } from './prompts/prompt.js';
import type { Context, Command } from './command.js';
import { type Columns, chosenColumns } from './output/view.js';
import { StoreError } from '../domain/errors.js';
import { HintedError } from '../settings/hint.js';
import type { AnyOperation } from '../domain/operations.js';

/** The values of a command's arguments and flags by name. */
export type CommandValues<A extends Arguments, F extends Flags> = ArgumentValues<A> & FlagValues<F>;

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
export interface CommandDeclaration<A extends Arguments, F extends Flags>
  extends Pick<Command, 'path' | 'summary' | 'examples'>, Partial<Pick<Command, 'aliases'>> {
  readonly arguments?: A & { readonly [Name in keyof A]: Fitting<A[Name], A, F> };
  readonly flags?: F & { readonly [Name in keyof F]: Name extends keyof A ? { readonly long: 'An argument has this name.' } : Fitting<F[Name], A, F> };
}

/** What a command declares that does not call one operation. */
interface CommandOptions extends Partial<Pick<Command, 'fields' | 'mutates' | 'exits' | 'worksWithBrokenSettings' | 'writesText' | 'globalPrompts'>> {
  readonly operations?: readonly unknown[];
  /** The columns of the records it shows: their names are its fields, and an unknown field is refused before anything is read. */
  readonly columns?: Columns<never>;
}

/** A declaration whose types were checked already; `run` gets the values of the arguments and flags that it declares. */
interface CheckedDeclaration extends CommandOptions, Omit<CommandDeclaration<NoArguments, NoFlags>, 'arguments' | 'flags'> {
  readonly arguments?: Arguments;
  readonly flags?: Flags;
  readonly run: (context: Context, values: never, words: readonly string[]) => Promise<number | void>;
}

function checkRequiredFlags(flags: Flags, values: Readonly<Record<string, unknown>>): void {
  for (const [name, { long, required }] of Object.entries(flags)) if (required !== undefined && values[name] === undefined) throw missingFlag(long, required);
}

/** What a command has that does not declare it. */
const defaults = {
  aliases: [],
  arguments: {},
  flags: {},
  globalPrompts: {},
  operations: [],
  fields: [],
  mutates: false,
  exits: [],
  worksWithBrokenSettings: false,
  writesText: false,
} as const;

/** Builds a command; `command`, `changeCommand`, `listCommand` and the like check its types. */
export function buildCommand({ columns, run, ...declaration }: CheckedDeclaration): Command {
  const declared = { ...defaults, ...declaration };
  const { arguments: all, flags } = declared;
  return {
    ...declared,
    operations: declared.operations as readonly AnyOperation[],
    fields: columns?.all.map(({ name }) => name) ?? declared.fields,
    run: async (context, words, flagTexts) => {
      const flagValues = readFlags(flags, flagTexts, { now: context.io.now(), zone: context.zone });
      if (columns !== undefined) chosenColumns(columns, context.settings.fields, 'tsv');
      checkRequiredFlags(flags, flagValues);
      const values = { ...flagValues, ...(await readArguments(all, { words, stdin: context.io.stdin, call: context.call })) };
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
  throw new StoreError('input_required', `Nothing to change: give ${flagNames}.`);
}

/** Refuses a line that has both an argument and the flag that stands for it, with `usage`, or neither, with `input_required`. */
export function requireEither(argument: unknown, flag: true | undefined, both: string, next: readonly string[]): void {
  if (argument !== undefined && flag === true) throw new StoreError('usage', `Give ${both}, not both.`);
  if (argument === undefined && flag === undefined) throw new HintedError('input_required', `Give ${both}.`, { command: next });
}

const watchFlag = toggle({ long: 'watch', summary: 'draw it again at every change, until Ctrl-C' });

/** The same command with the flag --watch. */
export function watchable(drawn: Command): Command {
  return {
    ...drawn,
    flags: { ...drawn.flags, watch: watchFlag },
    run: async (context, words, { watch: isWatched, ...flags }) => {
      if (isWatched !== true) return drawn.run(context, words, flags);
      const { watch } = await import('./watch.js');
      return watch(context, (frame) => drawn.run(frame, words, flags));
    },
  };
}
