import type { Completer } from './completion/completers.js';
import type { AnyPrompt, Askable, Prompt } from './prompts/prompt.js';
import { StoreError } from '../domain/errors.js';
import { quoted } from '../settings/shell-word.js';
import { idFromText, isIdText, type IdNoun } from '../domain/values/ids.js';
import { didYouMean } from '../domain/values/suggest.js';
import { noteProblem, normalizeText } from '../domain/values/text.js';
import { invalidPart, formatDateTime, parseDateTime, parseInstant } from '../domain/values/time.js';

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
  /** Its default value, as help shows it. */
  readonly default?: string;
  /** The environment variables that set it. */
  readonly variables?: readonly string[];
  readonly choices?: readonly string[];
  readonly complete?: Completer;
}

/** A flag of a command; `T` is the value that the command gets. */
export interface Flag<T, P extends AnyPrompt = AnyPrompt> extends FlagUsage, Askable<P> {
  /** Turns its text into its value; `flag` is its name in a refusal: "--limit". Refuses with `usage`. */
  readonly read: (text: string, flag: string) => T;
  readonly repeated: boolean;
}

/** A flag as help shows it: `-L, --limit <n>`. */
export function flagSpelling({ long, short, value, valueOptional }: FlagUsage): string {
  const name = short === undefined ? `--${long}` : `-${short}, --${long}`;
  if (value === undefined) return name;
  return valueOptional === true ? `${name} [${value}]` : `${name} <${value}>`;
}

/** What help says of a flag: its summary with its default and its variables. */
export function flagSummary({ summary, default: byDefault, variables }: FlagUsage): string {
  return [summary, ...(byDefault === undefined ? [] : [`(default: ${byDefault})`]), ...(variables === undefined ? [] : [`(${variables.join(', ')})`])].join(
    ' ',
  );
}

/** The flags of a command by the name of their value. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** A command without flags of its own. */
export type NoFlags = Readonly<Record<never, Flag<unknown>>>;

/** The values of a command's flags. */
export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: (F[Name] extends Flag<infer T> ? T : never) | undefined };

type ValueUsage<T, Given = never, Name extends string = never> = FlagUsage &
  Askable<Prompt<Given, Name>> & { readonly value: string; readonly read: (text: string, flag: string) => T };

type ChoiceUsage<T extends string> = Omit<FlagUsage, 'choices'> & { readonly value: string; readonly choices: readonly T[] };

/** A flag with a value. */
export function flag<T, Given = unknown, Name extends string = never>(usage: ValueUsage<T, Given, Name>): Flag<T, Prompt<Given, Name>> {
  return { ...usage, repeated: false };
}

/** A flag that can be repeated. */
export function repeatedFlag<T>({ read, ...usage }: ValueUsage<T>): Flag<readonly T[]> {
  return { ...usage, read: (value, name) => [read(value, name)], repeated: true };
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
  return { ...usage, read: (value, name) => [read(value, name)], repeated: true };
}

/** Any text. */
export function text(value: string): string {
  return value;
}

/** A text that names a file, a place or another thing; refuses one with nothing in it. */
export function nameText(value: string, name: string): string {
  if (value.trim() !== '') return value;
  throw new StoreError('usage', `${name} is empty.`);
}

/** A whole number that is counted, so that a "+" has no meaning; whether it lies in range is for the domain to say. */
export function wholeNumber(value: string, name: string): number {
  if (/^-?[0-9]{1,100}$/.test(value)) return Number(value);
  const isChange = /^[+][0-9]{1,100}$/.test(value);
  throw new StoreError('usage', `${name} takes a whole number${isChange ? ' without a sign' : ''}, not "${value}".`);
}

/** A whole number that is added, such as "+5" or "-2"; whether it lies in range is for the domain to say. */
export function changeNumber(value: string, name: string): number {
  if (/^[+-]?[0-9]{1,100}$/.test(value)) return Number(value);
  throw new StoreError('usage', `${name} takes a whole number, not "${value}".`);
}

/** A number of rows, at least 1. */
export function rowCount(value: string, name: string): number {
  const count = wholeNumber(value, name);
  if (count < 1) throw new StoreError('usage', `${name} takes a number of at least 1, not "${value}".`);
  return count;
}

/** Somebody who gives the name of a pet instead of its id is shown how to find the id. */
function searchHint(name: string): string | undefined {
  if (!/^\p{L}[\p{L}\p{N} '’.-]*$/u.test(name)) return undefined;
  return `petstore pet list --search ${quoted(name)}`;
}

/** An id of a noun: a positive whole number in plain digits. */
export function idOf(noun: IdNoun): (value: string, name?: string) => number {
  return (value, name) => {
    if (/^[1-9][0-9]{18,}$/.test(value) && !isIdText(value)) {
      const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value;
      throw new StoreError('usage', `${name === undefined ? '' : `${name}: `}${shown} is above the largest id, 9223372036854775807.`);
    }
    if (!isIdText(value))
      throw new StoreError(
        'usage',
        `${name === undefined ? '' : `${name}: `}"${value}" is not the id of ${noun === 'order' || noun === 'entry' ? 'an' : 'a'} ${noun}; ids are whole numbers from 1.`,
        { advice: noun === 'pet' ? searchHint(value) : undefined },
      );
    return idFromText(noun, value);
  };
}

/** The id of a pet that a request names; refuses an id that was never assigned with `unknown_pet`. */
export function petNamed(value: string, name: string): number {
  if (!isIdText(value) || Number.isSafeInteger(Number(value))) return idOf('pet')(value, name);
  throw new StoreError('unknown_pet', `There is no pet ${value}.`);
}

/** A note for the ledger; refuses one that the ledger does not take with `validation_failed`. */
export function ledgerNote(value: string, name: string): string {
  const note = normalizeText(value);
  const problem = noteProblem(note);
  if (problem !== undefined) throw new StoreError('validation_failed', `${name.replace(/^--/, '')}: ${problem}.`);
  return note;
}

/** A date and time with an offset. */
export function dateTime(value: string, name: string): string {
  const instant = parseDateTime(value);
  if (instant === undefined) throw new StoreError('usage', `${name} takes a date and time such as 2026-11-20T09:30:00Z, not "${value}"${invalidPart(value)}.`);
  return formatDateTime(instant);
}

/** The start or the end of a range: a date and time, or a day. */
export function instantAt(edge: 'start' | 'end'): (value: string, name: string) => string {
  return (value, name) => {
    const found = parseInstant(value, edge);
    if (found === undefined) {
      const expected = 'a day such as 2026-11-20 or a time such as 2026-11-20T09:30:00Z';
      throw new StoreError('usage', `${name} takes ${expected}, not "${value}"${invalidPart(value)}.`);
    }
    return formatDateTime(found);
  };
}

/** An instant of the past. */
export const asOf = flag({
  long: 'at',
  value: 'time',
  summary: 'as of this day (UTC) or time, a day included whole; in the categories of today',
  read: instantAt('end'),
});

/** The sort order of a list: a key, with a leading "-" for descending. */
export function sortBy<const T extends string>(keys: readonly T[]): Flag<T | `-${T}`> {
  const choices = keys.flatMap((key): (T | `-${T}`)[] => [key, `-${key}`]);
  return choice({ long: 'sort', value: 'key', summary: `sort by ${keys.join(' or ')}, "-" in front for descending`, choices });
}
