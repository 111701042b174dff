import type { Call } from '../domain/call.js';
import { StoreError } from '../domain/errors.js';
import { HintedError } from '../settings/hint.js';
import { joinItems } from '../domain/values/text.js';
import type { Completer } from './completion/completers.js';
import { allBytes, type Io } from './io.js';
import type { AnyPrompt, Askable, Prompt } from './prompts/prompt.js';

/** What the reader of an argument can use besides its text. */
export interface ReadContext {
  /** The argument as the subject of a sentence: "The quantity". */
  readonly subject: string;
  /** The texts of all arguments of the command, in order. */
  readonly words: readonly string[];
  readonly stdin: Io['stdin'];
  /** Calls an operation; opens the shop at the first call. */
  readonly call: Call;
}

/** Turns the text of an argument into its value; refuses with `usage`, or where it names no record with the code for it. */
type Read<T> = (text: string, context: ReadContext) => Promise<T> | T;

/** An argument of a command; `T` is the value that the command gets. */
export interface Argument<T, P extends AnyPrompt = AnyPrompt> extends Askable<P> {
  readonly required: boolean;
  readonly repeated: boolean;
  /** Turns the texts that were typed for it into its value; refuses with `usage`. */
  readonly parse: (texts: readonly string[], context: ReadContext) => Promise<T> | T;
  readonly complete?: Completer;
  /** Where it is repeated, whether `-` stands for values on standard input, separated by white space. */
  readonly dashReadsStdin?: true;
}

/** The arguments of a command by name, in the order in which they are typed. */
export type Arguments = Readonly<Record<string, Argument<unknown>>>;

/** A command without arguments. */
export type NoArguments = Readonly<Record<never, Argument<unknown>>>;

/** The values of a command's arguments. */
export type ArgumentValues<A extends Arguments> = { readonly [Name in keyof A]: A[Name] extends Argument<infer T> ? T : never };

/** A required argument; `optional` and `repeated` derive others from it. */
export interface SingleArgument<T, P extends AnyPrompt = AnyPrompt> extends Argument<T, P> {
  readonly read: Read<T>;
}

/** Declares a required argument. */
export function argument<T, Given = unknown, Name extends string = never>(
  options: Omit<SingleArgument<T, Prompt<Given, Name>>, 'required' | 'repeated' | 'parse'>,
): SingleArgument<T, Prompt<Given, Name>> {
  return { ...options, required: true, repeated: false, parse: ([text = ''], context) => options.read(text, context) };
}

/** The same argument, which may be left out. */
export function optional<T, P extends AnyPrompt>(one: SingleArgument<T, P>): Argument<T | undefined, P> {
  return { ...one, required: false, parse: ([text], context) => (text === undefined ? undefined : one.read(text, context)) };
}

/** One or more arguments of the same kind; only the last argument of a command can be repeated. */
export function repeated<T, P extends AnyPrompt>(one: SingleArgument<T, P>): Argument<readonly T[], P> {
  return {
    ...one,
    repeated: true,
    parse: async (texts, context) => {
      const words = one.dashReadsStdin === true && texts.includes('-') ? await withStdin(texts, context.stdin) : texts;
      const values: T[] = [];
      for (const word of words) values.push(await one.read(word, context));
      return values;
    },
  };
}

/** The same argument, which is asked for only while these other values are missing too. */
export function askedOnlyWithout<T, Given, Name extends string>(
  one: SingleArgument<T, Prompt<Given, Name>>,
  others: readonly string[],
): SingleArgument<T, Prompt<Given, Name>> {
  return { ...one, ...(one.prompt && { prompt: { ...one.prompt, onlyWithout: others } }) };
}

/** Whether `-` among the words of a line stands for values on standard input. */
export function readsStdin(all: Arguments, words: readonly string[]): boolean {
  return words.includes('-') && Object.values(all).some(({ repeated: several, dashReadsStdin }) => several && dashReadsStdin === true);
}

/** Words with those of standard input in place of each `-`. */
async function withStdin(words: readonly string[], stdin: Io['stdin']): Promise<readonly string[]> {
  const read = (await allBytes(stdin.bytes(), 64, 'Standard input has'))
    .toString('utf8')
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.flatMap((word) => (word === '-' ? read : [word]));
}

type Reading = Omit<ReadContext, 'subject'>;

/** Reads one argument of a line, the one with this index. */
export function readArgument(name: string, one: Argument<unknown>, index: number, reading: Reading): unknown {
  return one.parse(reading.words.slice(index, one.repeated ? undefined : index + 1), { ...reading, subject: `The ${name}` });
}

/** Reads the arguments of a line in order; refuses with `usage`. */
export async function readArguments(all: Arguments, reading: Reading): Promise<Readonly<Record<string, unknown>>> {
  const values: Record<string, unknown> = {};
  for (const [index, [name, one]] of Object.entries(all).entries()) values[name] = await readArgument(name, one, index, reading);
  return values;
}

/** An argument as a usage line shows it: `<pet>`, `[file]`, `<id...>`. */
export function argumentUsage(name: string, { required, repeated: several }: Pick<Argument<unknown>, 'required' | 'repeated'>): string {
  const text = several ? `${name}...` : name;
  return required ? `<${text}>` : `[${text}]`;
}

/** The refusal of a command line that lacks these arguments. Where the first is a record, the hint is its list and an example; otherwise the help. */
export function argumentsMissing(
  { path, arguments: all, examples }: { readonly path: readonly string[]; readonly arguments: Arguments; readonly examples: readonly string[] },
  names: readonly string[],
): StoreError {
  const [first = ''] = names;
  const missing = all[first]?.prompt?.missing;
  const message = names.length > 1 ? `The ${joinItems(names)} are missing.` : (missing?.question ?? `The ${first} is missing.`);
  if (missing === undefined) return new HintedError('usage', message, { command: [...path, '--help'] });
  // An example with --yes would delete without a question.
  const example = examples.find((line) => !line.includes('--yes')) ?? examples[0];
  return new StoreError('usage', message, { advice: `See ${missing.list}. For example: ${example}` });
}
