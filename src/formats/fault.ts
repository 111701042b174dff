import { type ErrorCode, type ReadingAdvice, type RefusalOptions, StoreError } from '../domain/errors.js';
import { joinItems } from '../domain/values/text.js';

/** The name of an input that is no file, in messages. */
export const standardInput = 'standard input';
/** The names that are no file names. */
const describedInputs = new Set([standardInput, 'the body', 'the edited file']);
const longestExcerpt = 60;

/** The name of the input at the start of a sentence; a file name is not capitalized. */
export function subjectOf(name: string): string {
  return describedInputs.has(name) ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}

/** A refusal of the whole input; `rest` follows the name of the input ("recount.csv is empty."). */
export function inputFault(code: ErrorCode, name: string, rest: string, next?: string | ReadingAdvice): StoreError {
  return new StoreError(code, sentence(`${subjectOf(name)} ${rest}`), optionsOf(next));
}

/** A physical line of an input. */
export interface InputLine {
  /** The name of the input in messages. */
  readonly name: string;
  readonly line: number;
}

/** A refusal of the whole input for one physical line; `rest` follows its number ("Line 3 of recount.csv is not valid UTF-8."). */
export function lineFault(code: ErrorCode, { name, line }: InputLine, rest: string, next?: string | ReadingAdvice): StoreError {
  return new StoreError(code, sentence(`Line ${line} of ${name} ${rest}`), optionsOf(next));
}

/** The options of an error: the advice as a sentence, or how to read the file. */
function optionsOf(next: string | ReadingAdvice | undefined): RefusalOptions {
  return typeof next === 'object' ? { details: { readAs: next } } : { advice: next };
}

function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

/** Shortens a piece of the input for a message: one line, at most 60 characters. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, longestExcerpt * 2)
    .trim()
    .replaceAll(/\s+/g, ' ');
  return line.length > longestExcerpt ? `${line.slice(0, longestExcerpt - 1)}…` : line;
}

/** Column names for a message, each in quotes. */
export function quotedNames(names: readonly string[]): string {
  return joinItems(names.map((name) => `"${excerpt(name)}"`));
}
