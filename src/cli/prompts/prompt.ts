import type { Call } from '../../domain/call.js';
import type { ListedSession } from '../../domain/sessions/session-keeper.js';
import type { Token } from '../../domain/tokens/token.js';
import type { SettingWithSource } from '../../settings/settings.js';
import type { Prompter } from './prompter.js';

/** Answers by the name of an argument or a flag, as they would be typed; true sets a flag without a value. */
export type Answers = Readonly<Record<string, string | true | undefined>>;

/** A saved profile. */
export interface ProfileName {
  readonly name: string;
  /** The shop as it is shown: without the password of its address. */
  readonly where: string;
}

/** What a prompt can use to ask. */
export interface Dialogue extends Prompter {
  readonly call: Call;
  /**
   * Runs another command, which asks for what it lacks, before the one that asks; its result goes to standard error. Absent where
   * the command that asks makes no change.
   */
  readonly runFirst?: (words: readonly string[]) => Promise<void>;
  readonly isFile: (path: string) => boolean;
  readonly profiles: () => readonly ProfileName[];
  /** The tokens that are not revoked. */
  readonly tokens: () => Promise<readonly Pick<Token, 'id' | 'name' | 'scopes'>[]>;
  /** The sessions that are valid now. */
  readonly sessions: () => Promise<readonly ListedSession[]>;
  /** The settings with their present values. */
  readonly settings: () => readonly Pick<SettingWithSource, 'name' | 'value'>[];
  /** A local time as lists show it. */
  readonly timeText: (at: string) => string;
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
