import { StoreError } from '../domain/errors.js';
import { implausibleText } from '../domain/inventory/plausible-units.js';
import { isIdText, idFromText } from '../domain/values/ids.js';
import type { IdNoun } from '../domain/values/schemas.js';
import { maximumQuantity } from '../domain/values/numbers.js';
import { normalizeText, noteProblem } from '../domain/values/text.js';
import { type Edge, formatDateTime } from '../domain/values/time.js';
import { invalidTypedPart, isSkipped, isTypedTime, type LocalClock, typedDateTime, typedInstant } from '../domain/values/typed-time.js';

// How the texts of arguments and flags are read. The second parameter is the name for a refusal: "--limit" or "The quantity".

/** Takes any text. */
export function anyText(value: string): string {
  return value;
}

/** Takes the new text of an optional field; an empty one removes the field. */
export function removableText(value: string): string | null {
  return value.trim() === '' ? null : value;
}

/** The same reader, which takes "none" to remove an optional field that is not a text. */
export function orNone<T>(read: (value: string, name: string, clock: LocalClock) => T): (value: string, name: string, clock: LocalClock) => T | null {
  return (value, name, clock) => (value === 'none' ? null : read(value, name, clock));
}

/** Takes a name, path or address; refuses a blank one. */
export function nameText(value: string, name: string): string {
  if (value.trim() !== '') return value;
  throw new StoreError('usage', `${name} is empty.`);
}

/** Reads a count: a whole number without "+". The domain checks its range. */
export function wholeNumber(value: string, name: string): number {
  if (/^-?[0-9]{1,100}$/.test(value)) return Number(value);
  const isChange = /^[+][0-9]{1,100}$/.test(value);
  throw new StoreError('usage', `${name} takes a whole number${isChange ? ' without a sign' : ''}, not "${value}".`);
}

/** Reads a number of units like `wholeNumber`. Refuses one that no pet can have as the code that it probably is. */
export function unitCount(value: string, name: string): number {
  if (/^[+-]?[0-9]{1,100}$/.test(value)) {
    const units = wholeNumber(value, name);
    if (Math.abs(units) <= maximumQuantity) return units;
    throw new StoreError('validation_failed', implausibleText(units), { advice: 'Give the code first, and the number of units after it.' });
  }
  throw new StoreError('usage', `"${value}" is not a whole number of units.`);
}

/** Reads a change such as "+5" or "-2". The domain checks its range. */
export function changeNumber(value: string, name: string): number {
  return unitCount(value.replace(/^[+](?=[0-9])/, ''), name);
}

/** Reads a whole number in a range. */
export function numberFrom(least: number, most = Infinity): (value: string, name: string) => number {
  return (value, name) => {
    const count = wholeNumber(value, name);
    if (count >= least && count <= most) return count;
    throw new StoreError('usage', `${name} takes a number ${most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`}, not "${value}".`);
  };
}

/** Reads a number of rows, events or labels. */
export const countFromOne = numberFrom(1);

function notAnId(noun: IdNoun, text: string, subject: string): StoreError {
  const article = noun === 'order' || noun === 'entry' ? 'an' : 'a';
  return new StoreError('usage', `${subject}"${text}" is not the id of ${article} ${noun}; ids are whole numbers from 1.`);
}

/** Reads the id of a noun: a positive whole number in plain digits. `name` is the flag, if any. */
export function idOf(noun: IdNoun): (text: string, name?: string) => number {
  return (text, name) => {
    const subject = name === undefined ? '' : `${name}: `;
    if (isIdText(text)) return idFromText(noun, text);
    if (!/^[1-9][0-9]{18,}$/.test(text)) throw notAnId(noun, text, subject);
    const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    throw new StoreError('usage', `${subject}${shown} is above the largest id, 9223372036854775807.`);
  };
}

/** Whether a text may be a name or a code, such as 12.345.678; blank texts and numbers are not, so that a mistyped id is not searched for. */
export function isPetName(text: string): boolean {
  return text.trim() !== '' && !/^(?:[+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]*)(?:e[0-9]+)?|0x[0-9a-f]+)$/i.test(text);
}

/** Takes the id or the name of a pet, for `findPet`; refuses a text that can be neither with `usage`. */
export function petText(value: string, name: string): string {
  // A barcode number can begin with zeros.
  if (!isPetName(value) && !isIdText(value) && !/^0\d{7,}$/.test(value)) idOf('pet')(value, name);
  return value;
}

/** Reads a note for the ledger; refuses one that is too long or has control characters with `validation_failed`. */
export function ledgerNote(value: string, name: string): string {
  const note = normalizeText(value);
  const problem = noteProblem(note);
  if (problem !== undefined) throw new StoreError('validation_failed', `${name.replace(/^--/, '')}: ${problem}.`);
  return note;
}

/** Reads a time that a person types, as RFC 3339 in UTC. Refuses with `usage` another text, and a day that the zone left out. */
type TimeReader = (text: string, name: string, clock: LocalClock) => string;

function instantText(instant: number | undefined, text: string, { zone }: LocalClock, name: string): string {
  if (instant !== undefined) return formatDateTime(instant);
  throw new StoreError('usage', `${name}: there was no ${text} in ${zone.name}.`);
}

/** Every form of a time that a person types. */
export const typedTimes = '2026-11-20T09:30, "2026-11-20 09:30:15", 2026-11-20T09:30Z or 2026-11-20T09:30+01:00';

function notATime(text: string, name: string, days: string): StoreError {
  return new StoreError('usage', `${name} takes a day such as ${days}, or a time such as ${typedTimes}, not "${text}"${invalidTypedPart(text)}.`);
}

/** Reads a day, which means its start or its end, or a date and time; local unless it has an offset. */
export function instantAt(edge: Edge): TimeReader {
  return (text, name, clock) => {
    if (!isTypedTime(text)) throw notATime(text, name, 'today, yesterday, 7d or 2026-11-20');
    return instantText(typedInstant(text, edge, clock), text, clock, name);
  };
}

/** Reads the day or the time of something to come. A day means its end: what is due today is not overdue before tomorrow. */
export const dueTime: TimeReader = (text, name, clock) => {
  if (!isTypedTime(text) || /^\d+d$/.test(text)) throw notATime(text, name, 'today, tomorrow or 2026-12-24');
  const { zone } = clock;
  if (isSkipped(text, clock)) throw new StoreError('usage', `${name}: there is no ${text} in ${zone.name}, where clocks are set forward then.`);
  // Of a time that is twice, where clocks are set back, the first is meant.
  return instantText(typedDateTime(text, 'start', clock) ?? typedInstant(text, 'end', clock), text, clock, name);
};
