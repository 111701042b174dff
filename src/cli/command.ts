import type { AnyOperation } from '../domain/operations.js';
import { StoreError, type ErrorCode } from '../domain/errors.js';
import type { CallOptions } from '../domain/call.js';
import type { Shop } from '../domain/shop.js';
import type { GlobalFlags, Settings } from '../settings/settings.js';
import { flag, ledgerNote, toggle, type Flags, type FlagValues } from './flags.js';
import { argumentUsage, type Arguments } from './arguments.js';
import type { Io } from './io.js';
import type { Setup } from './program-setup.js';
import type { Paint } from './output/colours.js';
import type { Asks } from './prompts/questions.js';

/** What a command works with. */
export interface Context {
  readonly io: Io;
  readonly settings: Settings;
  /** The global flags as they were typed. */
  readonly given: GlobalFlags;
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

/** A command: what is typed for it, and what it does. */
export interface Command {
  /** The words that name it: ['pet', 'view']. */
  readonly path: Path;
  readonly arguments: Arguments;
  readonly summary: string;
  /** The operations it asks. */
  readonly does: readonly AnyOperation[];
  readonly flags: Flags;
  /** What it asks for where somebody is there to be asked. */
  readonly asks: Asks;
  /** The field names it can show. */
  readonly fields: readonly string[];
  readonly mutates: boolean;
  /** How it may end beside what every command does and what its operations refuse. */
  readonly endings: readonly Ending[];
  /** It shows or mends the settings, and so works with settings that make no sense. */
  readonly mends: boolean;
  /** Its --format is a value to keep and does not say how the answer looks. */
  readonly keepsFormat: boolean;
  readonly examples: readonly string[];
  /** What its figures mean and how they are worked out, line by line. */
  readonly figures?: readonly string[];
  readonly run: (context: Context, args: readonly string[], flags: Readonly<Record<string, unknown>>) => Promise<number | void>;
}

/** The exit code of a question that was answered with: there is something to do. */
export const somethingPending = 8 as const;

/** How a command may end: a refusal by its code, or an answer by its exit code. */
export type Ending = ErrorCode | typeof somethingPending;

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

/** The path, the arguments and the texts of a command, and its questions. */
export interface Spoken {
  readonly path: Path;
  readonly arguments?: Arguments;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly figures?: readonly string[];
  /** Questions by the name of a flag's value or of an argument: what was not given is asked for at a terminal. */
  readonly asks?: Asks;
}

/** Declares a command written by hand. */
export function command<F extends Flags>(
  spoken: Spoken & {
    readonly does?: readonly unknown[];
    readonly flags?: F;
    readonly fields?: readonly string[];
    readonly mutates?: boolean;
    readonly endings?: readonly Ending[];
    readonly mends?: boolean;
    readonly keepsFormat?: boolean;
    readonly run: (context: Context, args: readonly string[], flags: FlagValues<F>) => Promise<number | void>;
  },
): Command {
  const {
    arguments: own = {},
    does = [],
    flags = {},
    asks = {},
    fields = [],
    mutates = false,
    endings = [],
    mends = false,
    keepsFormat = false,
    run,
    ...words
  } = spoken;
  return {
    ...words,
    arguments: own,
    does: does as readonly AnyOperation[],
    flags,
    asks,
    fields,
    mutates,
    endings,
    mends,
    keepsFormat,
    run: run as Command['run'],
  };
}

/** Refuses an edit that names nothing to change. */
export function something(values: readonly unknown[], flagNames: string): void {
  if (values.some((value) => value !== undefined)) return;
  throw new StoreError('input_required', `There is nothing to change: give ${flagNames}.`);
}

/** The value of a flag that a command cannot do without; refuses with `input_required`, naming the flag. */
export function required<T>(value: T | undefined, flagName: string): T {
  if (value === undefined) throw new StoreError('input_required', `${flagName} is missing.`, { advice: `Give it with ${flagName}.` });
  return value;
}

/** A command as it is typed: `inventory set <pet> <quantity>`. */
export function usageOf({ path, arguments: own }: Pick<Command, 'path' | 'arguments'>): string {
  return [...path, ...Object.entries(own).map(([name, one]) => argumentUsage(name, one))].join(' ');
}
