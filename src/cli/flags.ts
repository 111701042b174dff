import type { LocalClock } from '../domain/values/typed-time.js';
import { anyText, idOf, instantAt, petText } from './readers.js';
import type { Edge } from '../domain/values/time.js';
import { completeRecords, completeWords, type Completer } from './completion/completers.js';
import type { AnyPrompt, Askable, Prompt } from './prompts/prompt.js';
import { StoreError } from '../domain/errors.js';
import { didYouMean } from '../domain/values/suggest.js';

/** How a flag is typed, and what help says about it. */
export interface FlagUsage {
  /** Its name without the dashes: 'dry-run'. */
  readonly long: string;
  /** Its short form: 'n'. */
  readonly short?: string;
  /** The name of its value in help: 'status'; absent where it takes none. */
  readonly value?: string;
  /** Whether its value can be left out. */
  readonly valueOptional?: true;
  readonly summary: string;
  /** Whether every command that changes the shop has it; the help of a command names such flags in one line. */
  readonly ofChanges?: true;
  /** Whether the command changes nothing where it is given. */
  readonly readsOnly?: true;
  /** Its default value, as help shows it. */
  readonly default?: string;
  /** The environment variables that set it. */
  readonly variables?: readonly string[];
  readonly choices?: readonly string[];
  readonly complete?: Completer;
}

/** What is said where a required flag is missing. */
export interface MissingFlag {
  /** Asks for its value: "Which category?". */
  readonly question: string;
  /** A value that it takes. */
  readonly example: string;
  /** Where to find its values: "petstore category list shows all". */
  readonly source?: string;
}

/** A flag of a command; `T` is the value that the command gets. */
export interface Flag<T, P extends AnyPrompt = AnyPrompt> extends FlagUsage, Askable<P> {
  /** What is said without it; the command is refused with `input_required`. Absent where it can be left out. */
  readonly required?: MissingFlag;
  /** Turns its text into its value; `flag` is its name in a refusal: "--limit". Refuses with `usage`. */
  readonly read: (text: string, flag: string, clock: LocalClock) => T;
  readonly repeated: boolean;
  /** Whether a word behind the arguments is its value, where the flag itself is not given. */
  readonly takesWord?: true;
}

/** A flag as help shows it: `-L, --limit <n>`. */
export function flagSpelling({ long, short, value, valueOptional }: FlagUsage): string {
  const name = short === undefined ? `--${long}` : `-${short}, --${long}`;
  if (value === undefined) return name;
  return valueOptional === true ? `${name} [${value}]` : `${name} <${value}>`;
}

/** A flag in words, as help shows it: its summary with its default and its variables. */
export function flagSummary({ summary, default: byDefault, variables }: FlagUsage): string {
  return [summary, ...(byDefault === undefined ? [] : [`(default: ${byDefault})`]), ...(variables === undefined ? [] : [`(${variables.join(', ')})`])].join(
    ' ',
  );
}

/** The texts of flags as they were typed, by the name of their value; true for a flag without a value. */
export type FlagTexts = Readonly<Record<string, string | true | readonly string[]>>;

/** The values of a command's flags. Refuses with `usage`. */
export function readFlags(flags: Flags, texts: FlagTexts, clock: LocalClock): Readonly<Record<string, unknown>> {
  const values = Object.entries(flags).flatMap(([name, { long, read }]) => {
    const text = texts[name];
    if (text === undefined) return [];
    if (typeof text === 'object') return [[name, text.flatMap((one) => read(one, `--${long}`, clock))] as const];
    return [[name, read(text === true ? '' : text, `--${long}`, clock)] as const];
  });
  return Object.fromEntries(values);
}

/** The flags of a command by the name of their value. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** A command without flags of its own. */
export type NoFlags = Readonly<Record<never, Flag<unknown>>>;

/** The refusal of a line without a required flag. */
export function missingFlag(long: string, { question, example, source }: MissingFlag): StoreError {
  const advice = [`Add --${long} ${example}`, ...(source === undefined ? [] : [source])].join('; ');
  return new StoreError('input_required', question, { advice: `${advice}.` });
}

/** The flags of a command that take words, in order. */
export function wordFlags(flags: Flags): readonly (readonly [name: string, flag: Flag<unknown>])[] {
  return Object.entries(flags).filter(([, { takesWord }]) => takesWord === true);
}

type FlagValue<One> = One extends Flag<infer T> ? (One extends { readonly required: MissingFlag } ? T : T | undefined) : never;

/** The values of a command's flags; only a required one always has a value. */
export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: FlagValue<F[Name]> };

type ValueUsage<T, Given = never, Name extends string = never> = FlagUsage &
  Askable<Prompt<Given, Name>> & {
    readonly takesWord?: true;
    readonly value: string;
    readonly read: (text: string, flag: string, clock: LocalClock) => T;
  };

type ChoiceUsage<T extends string> = Omit<FlagUsage, 'choices'> & { readonly value: string; readonly choices: readonly T[] };

/** A flag with a value. */
export function flag<T, Given = unknown, Name extends string = never>(usage: ValueUsage<T, Given, Name>): Flag<T, Prompt<Given, Name>> {
  return { ...usage, repeated: false };
}

/** The same flag, which the command cannot do without. */
export function requiredFlag<T, P extends AnyPrompt>(one: Flag<T, P>, missing: MissingFlag): Flag<T, P> & { readonly required: MissingFlag } {
  return { ...one, required: missing };
}

/** A flag that can be repeated. */
export function repeatedFlag<T>({ read, ...usage }: ValueUsage<T>): Flag<readonly T[]> {
  return { ...usage, read: (value, name, clock) => [read(value, name, clock)], repeated: true };
}

/** A flag without a value. */
export function toggle<Given = unknown, Name extends string = never>(
  usage: FlagUsage & Askable<Prompt<Given, Name>> & { readonly value?: never },
): Flag<true, Prompt<Given, Name>> {
  return { ...usage, read: () => true, repeated: false };
}

/** A flag whose value is one of a few words. */
export function choice<const T extends string>(usage: ChoiceUsage<T>): Flag<T> {
  const { choices } = usage;
  const read = (value: string, name: string): T => {
    const found = choices.find((one) => one === value);
    if (found !== undefined) return found;
    throw new StoreError('usage', `${name} takes one of ${choices.join(', ')}, not "${value}"${didYouMean(value, choices)}`);
  };
  return { ...usage, read, repeated: false };
}

/** A flag whose values are each one of a few words, and that can be repeated. */
export function repeatedChoice<const T extends string>(usage: ChoiceUsage<T>): Flag<readonly T[]> {
  const { read } = choice(usage);
  return { ...usage, read: (value, name, clock) => [read(value, name, clock)], repeated: true };
}

/** How a flag takes a pet or a category by its id or name, completed from the shop. */
function recordUsage(noun: 'pet' | 'category', summary: string) {
  return { long: noun, value: noun, summary, read: noun === 'pet' ? petText : anyText, complete: completeRecords(noun) };
}

/** The flag `--pet` or `--category`. */
export function recordFlag(noun: 'pet' | 'category', summary: string): Flag<string> {
  return flag(recordUsage(noun, summary));
}

/** The same flag, which can be repeated. */
export function recordsFlag(noun: 'pet' | 'category', summary: string): Flag<readonly string[]> {
  return repeatedFlag(recordUsage(noun, summary));
}

/** A flag that takes the id of a record, and can be repeated. */
export function idsFlag(noun: 'order' | 'batch', summary: string): Flag<readonly number[]> {
  return repeatedFlag({ long: noun, value: 'id', summary, read: idOf(noun), complete: completeRecords(noun) });
}

/** A flag that takes the start or the end of a day, or a time; the usual words for days complete it. */
export function timeFlag(edge: Edge, usage: Omit<FlagUsage, 'value' | 'complete'>): Flag<string> {
  return flag({ ...usage, value: 'time', complete: completeWords(['today', 'yesterday', '7d']), read: instantAt(edge) });
}

/** The flag `--at`. */
export const asOf = timeFlag('end', { long: 'at', summary: 'as of a time or the end of a day, by present category' });

/** The flag `--sort`: a key, with a leading "-" for descending. */
export function sortBy<const T extends string>(keys: readonly T[]): Flag<T | `-${T}`> {
  const choices = keys.flatMap((key): (T | `-${T}`)[] => [key, `-${key}`]);
  return choice({ long: 'sort', value: 'key', summary: `sort by ${keys.join(' or ')}; a leading "-" reverses the order`, choices });
}
