import { formats, isFormat, type Format } from './output-format.js';
import { StoreError } from '../domain/errors.js';
import { didYouMean } from '../domain/values/suggest.js';
import { nameProblem, normalizeText } from '../domain/values/text.js';

/** When to use colour. */
export type Colour = 'auto' | 'always' | 'never';

/** Refuses an empty text with `usage`: otherwise it would silently select the default. */
export function notEmpty(text: string, name: string, advice?: string): string {
  if (text.trim() !== '') return text;
  throw new StoreError('usage', `${name} is empty.`, { advice: advice ?? `Leave out ${name} for the default.` });
}

/** A format by its name; refuses another with `usage`. */
export function formatOf(text: string): Format {
  if (isFormat(text)) return text;
  throw new StoreError('usage', `"${text}" is not a format${didYouMean(text, formats)}`, { advice: `The formats are ${formats.join(', ')}.` });
}

/** The name recorded in the ledger; refuses an invalid one with `validation_failed`. */
export function actorOf(text: string): string {
  const actor = normalizeText(text);
  const problem = nameProblem(actor);
  if (problem !== undefined) throw new StoreError('validation_failed', `actor: ${problem}.`, { advice: 'Name yourself with --actor <name>.' });
  return actor;
}

/** Seconds to wait for a locked store, 0 to 3600; refuses other texts with `usage`. */
export function waitOf(text: string, name: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 0 && seconds <= 3600) return seconds;
  throw new StoreError('usage', `${name} takes a number of seconds from 0 to 3600, not "${text}".`);
}

/** When to use colour; refuses other words with `usage`. */
export function colourOf(text: string, name: string): Colour {
  if (text === 'auto' || text === 'always' || text === 'never') return text;
  throw new StoreError('usage', `${name} takes auto, always or never, not "${text}"${didYouMean(text, ['auto', 'always', 'never'])}`);
}

/** An access token, or undefined for an empty text; refuses an invalid one with `usage`, without repeating it. */
export function tokenOf(text: string | undefined, name: string): string | undefined {
  const token = text?.trim();
  if (token === undefined || token === '') return undefined;
  if (/^[\x21-\x7e]{1,200}$/.test(token)) return token;
  throw new StoreError('usage', `${name} is not a token: a token is one word of printable characters.`);
}

const maximumLineLength = 1000;

/** A command line or a path: one line without control characters; refuses other texts with `usage`. */
export function lineOf(text: string, name: string): string {
  if (text.length <= maximumLineLength && /^\P{Cc}*$/u.test(text)) return text;
  throw new StoreError('usage', `${name} takes one line of at most ${maximumLineLength} characters.`);
}

/** `true` or `false`; refuses other words with `usage`. */
export function truthOf(text: string, name: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new StoreError('usage', `${name} takes true or false, not "${text}".`);
}

/** The name of a profile: letters, digits, ".", "_" and "-"; refuses another with `usage`. */
export function profileNameOf(text: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(text)) return text;
  throw new StoreError(
    'usage',
    `"${text.slice(0, 100)}" is not a valid profile name: use 1 to 64 letters, digits, ".", "_" and "-", starting with a letter or a digit.`,
  );
}
