import type { Talk, Answers } from './prompter.js';
import { StoreError, type ErrorCode } from '../../domain/errors.js';
import { numberProblem } from '../../domain/values/numbers.js';
import type { OrderFilter } from '../../domain/orders/order-table.js';
import type { PetStatus } from '../../domain/pets/pet-status.js';
import { nameProblem, noteProblem, normalizeText } from '../../domain/values/text.js';
import { wholeNumber } from '../flags.js';

/** How a command asks for a flag or an argument that was not given. */
export interface Question {
  /**
   * `must`: the command cannot do without. `wish`: it can, and where nobody can be asked it does.
   * `detail`: asked only in the course of others.
   */
  readonly need: 'must' | 'wish' | 'detail';
  /** Refusals after which it is asked once more. */
  readonly again?: readonly ErrorCode[];
  /** Its own answer, or several by their names; undefined leaves the default of the command. */
  readonly ask: (talk: Talk) => Promise<Answers | string | true | undefined>;
}

/** The questions of a command by the name of the flag's value or of the argument, in the order in which they are asked. */
export type Asks = Readonly<Record<string, Question>>;

/** A question that is asked only in the course of others. */
export function detail(question: Question): Question {
  return { ...question, need: 'detail' };
}

/** A question for what a command can do without. */
export function wish(question: Question): Question {
  return { ...question, need: 'wish' };
}

/** A question for what a command cannot do without. */
export function must(ask: Question['ask']): Question {
  return { need: 'must', ask };
}

/** What a rule says against a value, as a sentence. */
export function sentence(subject: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${subject} ${problem}.`;
}

/** The sentence of a refusal that a check throws, or undefined. */
export function refusalOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}

/** Asks for a name. */
export function aName(message: string): Question {
  return must(({ line }) => line({ message, problem: (text) => sentence('A name', nameProblem(normalizeText(text))) }));
}

/** Asks for a description or a note, which may be left out. */
export function aNote(message: string): Question {
  return detail(
    must(async ({ line }) => {
      const text = await line({ message, problem: (typed) => sentence('It', noteProblem(normalizeText(typed))) });
      return normalizeText(text) === '' ? undefined : text;
    }),
  );
}

/** What is wrong with a text as a number of a kind. */
export function amountProblem(kind: Parameters<typeof numberProblem>[0], text: string, read = wholeNumber): string | undefined {
  return refusalOf(() => read(text, 'The answer')) ?? sentence('It', numberProblem(kind, Number(text)));
}

/** Asks for a number that has a default. */
export function anAmount(
  message: (talk: Talk) => Promise<string> | string,
  fallback: string,
  problem: (text: string, given: Talk['given']) => string | undefined,
): Question {
  return detail(
    must(async (talk) => {
      const text = await talk.line({ message: await message(talk), fallback, problem: (typed) => problem(typed, talk.given) });
      return text === fallback ? undefined : text;
    }),
  );
}

/** Asks for yes or no. */
export function yesOrNo(message: string): Question {
  return detail(must(async ({ sure }) => ((await sure(message)) ? true : undefined)));
}

/** The path of a file as an argument, which never looks like a flag. */
function pathOf(text: string): string {
  return text.trim().replace(/^-/, './-');
}

/** Asks for the name of a file that is there. */
export function aFile(message: string): Question {
  return must(async ({ line, isFile }) =>
    pathOf(await line({ message, problem: (text) => (isFile(pathOf(text)) ? undefined : `There is no file "${text.trim()}".`) })),
  );
}

/** Lets somebody choose a pet by a part of its name or by its id, of one status only if one is given; `last` is a last choice of none. */
export function aPet(
  message: string,
  { only, last }: { readonly only?: PetStatus; readonly last?: (given: Talk['given']) => string | undefined } = {},
): Question {
  // What searches takes longer to load than a list to show.
  return must(async (talk) => (await import('./pickers.js')).pickPet(talk, message, only, last?.(talk.given)));
}

/** Lets somebody choose a category by a part of its name or by its id. */
export function aCategory(message: string): Question {
  return must(async (talk) => (await import('./pickers.js')).pickCategory(talk, message));
}

/** Lets somebody choose an order by its id or by the name of its pet, one of a kind only if a kind is given. */
export function anOrder(message: string, only: Pick<OrderFilter, 'complete' | 'draft'> = {}): Question {
  return must(async (talk) => (await import('./pickers.js')).pickOrder(talk, message, only));
}
