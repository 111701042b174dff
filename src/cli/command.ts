import { actionNeededExitCode, readOnlyExitCode } from './exit-codes.js';
import type { AnyOperation } from '../domain/operations.js';
import type { Call } from '../domain/call.js';
import type { ErrorCode, StoreError } from '../domain/errors.js';
import type { Shop } from '../domain/shop.js';
import type { GlobalFlags } from '../settings/setting-table.js';
import type { Settings } from '../settings/settings.js';
import { wordFlags, type Flags, type FlagTexts } from './flags.js';
import { argumentUsage, type Arguments } from './arguments.js';
import type { Io } from './io.js';
import type { Askable } from './prompts/prompt.js';
import type { Setup } from './program-setup.js';
import type { Paint } from './output/colours.js';
import type { TimeZone } from '../domain/values/time-zone.js';

/** What a command can use. */
export interface Context {
  readonly io: Io;
  readonly settings: Settings;
  /** The global flags as they were typed. */
  readonly globalFlags: GlobalFlags;
  /** Opens the shop of the settings, on the first call only. */
  readonly shop: () => Promise<Shop>;
  /** Calls an operation of it; opens it at the first call. */
  readonly call: Call;
  /** What the layers above the command line provide: settings, maintenance, the server, documents. */
  readonly setup: Setup;
  /** The colours of standard output. */
  readonly paint: Paint;
  /** The zone of the days and times that people type and read. */
  readonly zone: TimeZone;
  /** Writes a line to standard error, unless --quiet; it is not part of the result. */
  readonly note: (line: string) => Promise<void>;
  /** What to do next after a refusal, as it is shown. */
  readonly hintFor: (error: StoreError) => string | undefined;
  /** Asks for a confirmation; refuses with `confirmation_required` if it cannot ask, with `cancelled` on a no. */
  readonly confirm: (question: string, flags: { readonly yes: true | undefined; readonly dryRun: true | undefined }) => Promise<void>;
}

/** The words that name a command. */
export type Path = readonly [string, ...string[]];

/** How a command can end: a refusal by its code, or an exit code of its own. */
export type CommandExit = ErrorCode | typeof actionNeededExitCode | typeof readOnlyExitCode;

/** A command: its words, arguments and flags, and what it does. */
export interface Command {
  /** The words that name it: ['pet', 'view']. */
  readonly path: Path;
  /** Other words for the last one of the path. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly arguments: Arguments;
  readonly flags: Flags;
  /** The global flags that it asks for at a terminal, because it cannot do without them. */
  readonly globalPrompts: Readonly<Partial<Record<'store', Askable & { readonly long: string }>>>;
  /** The operations that it calls. */
  readonly operations: readonly AnyOperation[];
  /** The field names that --fields and --json take. */
  readonly fields: readonly string[];
  readonly mutates: boolean;
  /** How it can end, besides the ends of every command and the refusals of its operations. */
  readonly exits: readonly CommandExit[];
  /** Whether it runs even if the config file is invalid: it shows or changes the settings. */
  readonly worksWithBrokenSettings: boolean;
  /** Whether it writes plain text in every format, which --jq cannot filter. */
  readonly writesText: boolean;
  readonly examples: readonly string[];
  /** Runs it with the texts of its arguments and flags; answers its exit code, 0 by default. */
  readonly run: (context: Context, words: readonly string[], flags: FlagTexts) => Promise<number | void>;
}

/** A command with the arguments and flags of a command line. */
export interface Matched {
  /** The command line as the parser reads it: without a `--` that a package manager passed on, and a --json at its end. */
  readonly argv: readonly string[];
  readonly command: Command;
  /** Can be more than the command takes; which is refused before it runs. */
  readonly args: readonly string[];
  readonly flags: FlagTexts;
  readonly globalFlags: GlobalFlags;
}

/** What a command takes behind its words: `<pet>`, `[quantity]`. */
export function argumentsUsage({ arguments: all, flags }: Pick<Command, 'arguments' | 'flags'>): readonly string[] {
  const words = wordFlags(flags).map(([name]) => argumentUsage(name, { required: false, repeated: false }));
  return [...Object.entries(all).map(([name, one]) => argumentUsage(name, one)), ...words];
}

/** A command as a usage line shows it: `inventory set <pet> <quantity>`. */
export function usageOf(command: Pick<Command, 'path' | 'arguments' | 'flags'>): string {
  return [...command.path, ...argumentsUsage(command)].join(' ');
}
