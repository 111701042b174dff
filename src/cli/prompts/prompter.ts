/** One of several answers: how it reads in the list, and once it is chosen. */
export interface Choice<T> {
  readonly value: T;
  readonly name: string;
  readonly short?: string;
}

/** A question that is answered with a line of text. */
export interface Line {
  readonly message: string;
  /** The answer to Return alone. */
  readonly fallback?: string;
  /** What is wrong with a text as it stands, as a sentence. */
  readonly problem: (text: string) => string | undefined;
}

/** Asks people; every question refuses with `cancelled` when it is turned down. */
export interface Prompter {
  readonly line: (line: Line) => Promise<string>;
  /** Lets somebody choose from what a search finds. */
  readonly pick: <T>(message: string, source: (term: string) => Promise<readonly Choice<T>[]>) => Promise<T>;
  /** Lets somebody choose from a few, beginning at one of them. */
  readonly choose: <T>(message: string, choices: readonly Choice<T>[], first?: number) => Promise<T>;
  readonly sure: (question: string) => Promise<boolean>;
}
