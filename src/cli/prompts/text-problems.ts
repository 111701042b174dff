import { StoreError } from '../../domain/errors.js';
import { nameProblem, normalizeText, noteProblem } from '../../domain/values/text.js';

/** The problem of a value as a sentence, or undefined. */
export function sentence(subject: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${subject} ${problem}.`;
}

/** The problem of a text as a name, or undefined. */
export function namingProblem(text: string): string | undefined {
  return sentence('A name', nameProblem(normalizeText(text)));
}

/** The message of the refusal that a check throws, or undefined. */
export function refusalText(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}

/** The problem of a text as a description or a note, or undefined. */
export function descriptionProblem(text: string): string | undefined {
  return sentence('It', noteProblem(normalizeText(text)));
}

/** Whether a text that names no pet looks like a code, not like a part of a name. */
export function looksLikeCode(text: string): boolean {
  return /^[^\s:]{4,64}$/.test(text) && /[0-9]/.test(text);
}
