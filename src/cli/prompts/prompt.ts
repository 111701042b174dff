import { StoreError } from '../../domain/errors.js';
import type { Settings, SettingWithSource } from '../../settings/settings.js';
import type { Io } from '../io.js';
import type { Call } from '../../domain/call.js';
import type { Shop } from '../../domain/shop.js';
import type { LocalClock } from '../../domain/values/typed-time.js';

/** The refusal of a person who answers no, or leaves a question. */
export function cancelled(): StoreError {
  return new StoreError('cancelled', 'Cancelled; nothing was changed.');
}

/** One of several answers. */
export interface Choice<T> {
  readonly value: T;
  readonly name: string;
}

/** The choices that a search found; `total` counts those that are not shown too. */
export interface Found<T> {
  readonly choices: readonly Choice<T>[];
  readonly total: number;
}

/** A question for a line of text. */
export interface Line {
  readonly message: string;
  /** The answer if only Return is pressed. */
  readonly fallback?: string;
  /** The problem of a text as a sentence, or undefined. */
  readonly problem: (text: string) => string | undefined;
}

/** Asks questions at a terminal; each refuses with `cancelled` on Ctrl-C, Ctrl-D or Esc. */
export interface Prompter {
  readonly line: (line: Line) => Promise<string>;
  /** Lets people choose from the results of a search. */
  readonly pick: <T>(message: string, source: (term: string) => Promise<Found<T>>) => Promise<T>;
  /** Lets people choose from a list, in which the choice with the index `first` is selected. */
  readonly choose: <T>(message: string, choices: readonly Choice<T>[], first?: number) => Promise<T>;
  /** Asks a yes-or-no question; Return alone answers `byDefault`, or no without it. */
  readonly yesNo: (question: string, byDefault?: boolean) => Promise<boolean>;
}

/** Whether questions may be asked: at a terminal, and not with --no-input. */
export function canAsk({ stdin, stderr }: Io, { mayAsk }: Pick<Settings, 'mayAsk'>): boolean {
  return mayAsk && stdin.isTerminal && stderr.isTerminal;
}

/** Answers by the name of an argument or a flag, as they would be typed; true sets a flag without a value. */
export type Answers = Readonly<Record<string, string | true | undefined>>;

/** What a prompt can use to ask. */
export interface Dialogue extends Prompter {
  readonly call: Call;
  /** Opens the shop, on the first call only. */
  readonly shop: () => Promise<Shop>;
  /**
   * Runs another command, which asks for what it lacks, before the one that asks; its result goes to standard error. Absent where
   * the command that asks makes no change.
   */
  readonly runFirst?: (words: readonly string[]) => Promise<void>;
  readonly isFile: (path: string) => boolean;
  /** The saved profiles, with their shops as they are shown: without the passwords of addresses. */
  readonly profiles: () => readonly { readonly name: string; readonly where: string }[];
  /** The settings with their present values. */
  readonly settings: () => readonly Pick<SettingWithSource, 'name' | 'value'>[];
  /** The present time, and the zone of times that are typed and shown. */
  readonly clock: LocalClock;
  /** The width of the terminal in cells. */
  readonly columns: number;
}

/** What is said where a record is missing and nothing can be asked. */
export interface MissingRecord {
  /** "Which category?" */
  readonly question: string;
  /** The command that lists such records: "petstore category list". */
  readonly list: string;
}

/**
 * Asks for the value of an argument or a flag that is missing on the command line. `Given` are the values of the command that
 * it needs to know, each undefined while it is missing; `Name` are the names that it answers, where it answers several.
 */
export interface Prompt<Given = unknown, Name extends string = never> {
  /** What is said where nothing can be asked. */
  readonly missing?: MissingRecord;
  /** It is asked only together with other prompts: where only this value is missing, nothing is asked. */
  readonly followUp?: true;
  /** It is asked only while these other values of the command are missing too. */
  readonly onlyWithout?: readonly string[];
  /** It is asked before the other prompts of its command. */
  readonly first?: true;
  /** Its answer, or answers by name; undefined leaves the default of the command. */
  readonly ask: (dialogue: Dialogue, given: Given) => Promise<string | true | undefined | Readonly<Partial<Record<Name, string>>>>;
}

/** A prompt of any command. */
export type AnyPrompt = Prompt<never, string>;

/** What arguments and flags have in common when their value is missing. */
export interface Askable<P extends AnyPrompt = AnyPrompt> {
  readonly prompt?: P;
  /** Whether its answer holds only for this run: it is left out of the line that is shown to run the command again. */
  readonly thisRunOnly?: true;
}
