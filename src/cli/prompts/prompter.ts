import { StoreError } from '../../domain/errors.js';
import type { Settings } from '../../settings/settings.js';
import type { Io } from '../io.js';

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
