import { StoreError, type ErrorCode } from '../domain/errors.js';

/**
 * What to do next: a sentence, or a command line of petstore as its words without "petstore". `pipedTo` is a second
 * command that reads the output of the first. `addedFlags` means the refused command line with these flags at its end.
 */
export type Hint =
  | { readonly command: readonly string[]; readonly pipedTo?: readonly string[] }
  | { readonly addedFlags: readonly string[] }
  | { readonly advice: string };

/** A refusal of the program itself, with its own hint; the refusals of the shop get theirs from `cli/hints.ts`. */
export class HintedError extends StoreError {
  readonly hint: Hint;

  constructor(code: ErrorCode, message: string, hint: Hint) {
    super(code, message);
    this.hint = hint;
  }
}

/** A word as a shell takes it. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}
