import type { Dialogue, MissingRecord, Prompt, Line } from './prompt.js';
import type { listPickers } from './list-pickers.js';
import { numberProblem } from '../../domain/values/numbers.js';
import type { OrderFilter } from '../../domain/orders/order-table.js';
import type { PetStatus } from '../../domain/pets/pet-status.js';
import { normalizeText } from '../../domain/values/text.js';
import { commandText } from '../command-text.js';
import { unitCount } from '../readers.js';
import { descriptionProblem, namingProblem, refusalText, sentence } from './text-problems.js';

/** What is said where a record is missing that a command lists. */
export function listed(question: string, ...command: readonly string[]): MissingRecord {
  return { question, list: commandText(command) };
}

/** Asks for a name. */
export function namePrompt(message: string): Prompt {
  return { ask: ({ line }) => line({ message, problem: namingProblem }) };
}

/** Asks for a description or a note; an empty answer leaves it out. */
export function notePrompt(message: string): Prompt {
  return {
    followUp: true,
    ask: async ({ line }) => {
      const text = await line({ message, problem: descriptionProblem });
      return normalizeText(text) === '' ? undefined : text;
    },
  };
}

/** The problem of a text as a number of a kind, or undefined. */
export function numberTextProblem(kind: Parameters<typeof numberProblem>[0], text: string, read = unitCount): string | undefined {
  if (text.trim() === '') return 'Enter a whole number.';
  return refusalText(() => read(text, 'The answer')) ?? sentence('It', numberProblem(kind, Number(text)));
}

/** Asks for a line of text that has a default; the default is left out of the command line. */
export async function lineOrDefault({ line }: Dialogue, question: Omit<Line, 'fallback'> & { readonly fallback: string }): Promise<string | undefined> {
  const text = await line(question);
  return text === question.fallback ? undefined : text;
}

/** Asks whether to set a flag. */
export function yesNoPrompt(message: string): Prompt {
  return { followUp: true, ask: async ({ yesNo }) => ((await yesNo(message)) ? true : undefined) };
}

/** The path of a file as an argument: one with a leading dash would be read as a flag. */
function filePath(text: string): string {
  return text.trim().replace(/^-/, './-');
}

/** Asks for a text that is not empty; `problem` is that of a text, or undefined. */
export function textPrompt(message: string, problem: (text: string) => string | undefined = () => undefined): Prompt {
  return { ask: ({ line }) => line({ message, problem: (text) => (text.trim() === '' ? 'It is empty.' : problem(text)) }) };
}

/** Asks for the name of an existing file. */
export function filePrompt(message: string): Prompt {
  return {
    ask: async ({ line, isFile }) =>
      filePath(await line({ message, problem: (text) => (isFile(filePath(text)) ? undefined : `There is no file "${text.trim()}".`) })),
  };
}

interface PetPromptOptions<Given> {
  /** Only pets of this status. */
  readonly status?: PetStatus;
  /** A last choice of no pet. */
  readonly none?: (given: Given) => string | undefined;
  /** Whether it offers to add a pet, or stock, where there is no pet to choose. */
  readonly offersMissing?: true;
}

/** Lets people choose a pet by id or part of its name. */
export function petPrompt<Given = unknown>(message: string, { status, none, offersMissing }: PetPromptOptions<Given> = {}): Prompt<Given> {
  return {
    missing: listed(message, 'pet', 'list'),
    // Loaded late: most commands ask nothing.
    ask: async (dialogue, given) =>
      (await import('./pickers.js')).pickPet(dialogue, message, { status, last: none?.(given), offersMissing: offersMissing === true }),
  };
}

/** Lets people choose a category by id or part of its name; with `offersNew` they can create one. */
export function categoryPrompt(message: string, { offersNew }: { readonly offersNew?: true } = {}): Prompt {
  return {
    missing: listed(message, 'category', 'list'),
    ask: async (dialogue) => (await import('./pickers.js')).pickCategory(dialogue, message, { offersNew: offersNew === true }),
  };
}

/** Lets people choose an order by its id or the name of its pet, of one kind only if a filter is given. */
export function orderPrompt(message: string, filter: Pick<OrderFilter, 'complete' | 'draft'> = {}): Prompt {
  return { missing: listed(message, 'order', 'list'), ask: async (dialogue) => (await import('./pickers.js')).pickOrder(dialogue, message, filter) };
}

/** Lets people choose a record of a short list; `missing` is what is said where nothing can be asked. */
export function listPrompt(kind: keyof typeof listPickers, missing?: MissingRecord): Prompt {
  return { ...(missing && { missing }), ask: async (dialogue) => (await import('./list-pickers.js')).listPickers[kind](dialogue) };
}

/** A value that can be changed: what it is called, and how its new value is asked for. */
interface Changeable<Given> {
  readonly label: string;
  readonly ask: Prompt<Given>['ask'];
}

/**
 * Asks what to change, and for its new value. It belongs to the first of these values, and is asked only while all of them are
 * missing.
 */
export function changePrompt<Name extends string, Given = unknown>(values: Readonly<Record<Name, Changeable<Given>>>): Prompt<Given, Name> {
  const entries = Object.entries<Changeable<Given>>(values);
  return {
    onlyWithout: entries.map(([name]) => name),
    ask: async (dialogue, given) => {
      const choices = entries.map(([name, { label, ask }]) => ({ name: label, value: { name, ask } }));
      const { name, ask } = await dialogue.choose('What would you like to change?', choices);
      const answer = await ask(dialogue, given);
      return { [name]: answer } as Readonly<Partial<Record<Name, string>>>;
    },
  };
}
