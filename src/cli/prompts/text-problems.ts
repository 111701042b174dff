import { nameProblem, normalizeText } from '../../domain/values/text.js';

/** The problem of a value as a sentence, or undefined. */
export function sentence(subject: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${subject} ${problem}.`;
}

/** The problem of a text as a name, or undefined. */
export function namingProblem(text: string): string | undefined {
  return sentence('A name', nameProblem(normalizeText(text)));
}
