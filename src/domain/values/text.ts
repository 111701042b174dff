import * as v from 'valibot';

const maximumName = 100;
const maximumNote = 500;

/** Control characters (C0, DEL, C1) and the bidi controls that can reorder what a person reads. */
// oxlint-disable-next-line no-control-regex -- naming them is the point
const unsafeCharacters = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;

/**
 * Whether a text has a visible character: not white space, not ignorable by default (joiners, fillers, bidi controls, variation
 * selectors; Unicode, DerivedCoreProperties), not an interlinear annotation mark and not the empty Braille pattern.
 */
function isVisible(text: string): boolean {
  // Patterns of Unicode properties stand where they are used: V8 takes 0.3 ms to make one, at every start if it is a constant.
  return /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u.test(text);
}

/** The number of Unicode code points of a text. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether every engine can store and compare a text: PostgreSQL refuses NUL, and UTF-8 has no lone surrogates. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Why a text is not valid with `minimum` to `maximum` code points, or undefined if it is. */
export function textProblem(text: string, minimum: number, maximum: number): string | undefined {
  if (!text.isWellFormed()) return 'must be well-formed Unicode text';
  const length = codePoints(text);
  if (length < minimum) return 'must not be blank';
  if (length > maximum) return `must be at most ${maximum} characters, not ${length}`;
  if (unsafeCharacters.test(text)) return 'must not contain control characters or bidi controls';
  if (length > 0 && !isVisible(text)) return 'must contain at least one visible character';
  return undefined;
}

/** A text without control characters, bidi controls and lone surrogates. */
export function safeText(text: string): string {
  return text.toWellFormed().replaceAll(new RegExp(unsafeCharacters, 'gu'), '');
}

/** Trims a text and composes it (NFC): the form in which names and notes are stored. */
export function normalizeText(text: string): string {
  return text.isWellFormed() ? text.trim().normalize('NFC') : text;
}

function boundedText(minimum: number, maximum: number) {
  return v.pipe(
    v.string('must be a text'),
    v.metadata({ jsonSchema: { ...(minimum > 0 && { minLength: minimum }), maxLength: maximum } }),
    v.transform(normalizeText),
    v.check(
      (text) => textProblem(text, minimum, maximum) === undefined,
      ({ input }) => textProblem(input, minimum, maximum) ?? '',
    ),
  );
}

/** A name of a pet, a category or an actor: 1–100 code points, at least one of them visible, NFC, no control or bidi characters. */
export const nameText = boundedText(1, maximumName);

/** A description or a note: empty, or up to 500 code points, at least one of them visible, NFC, no control or bidi characters. */
export const noteText = boundedText(0, maximumNote);

/** The name of a file, with or without its folders: 1–500 code points, no control or bidi characters. */
export const filePathText = boundedText(1, maximumNote);

/** A text to search for, up to 500 characters; case and accents do not matter. */
export const searchText = v.pipe(
  v.string('must be a text'),
  v.maxLength(maximumNote, `must be at most ${maximumNote} characters`),
  // oxlint-disable-next-line no-control-regex -- naming it is the point
  v.regex(/^[^\x00]*$/, 'must not contain a NUL character'),
);

/** Why a normalized name is not valid, or undefined if it is. */
export function nameProblem(name: string): string | undefined {
  return textProblem(name, 1, maximumName);
}

/** Why a normalized note is not valid, or undefined if it is. */
export function noteProblem(note: string): string | undefined {
  return textProblem(note, 0, maximumNote);
}

/**
 * Removes case, accents and invisible characters, for search and sorting: "Ñandú", in NFC or NFD, becomes "nandu". Upper case in
 * between turns "ß" and "ẞ" into "ss". The result is stored, so that all engines search in the same way.
 */
export function fold(text: string): string {
  // Accents, and format characters that nobody sees: soft hyphen, zero width space, joiners, direction marks, fillers. Not the tags
  // that make the flags of England and Scotland. A change needs a migration, because shops store folded names.
  const notFolded = /[\p{M}\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff]/gu;
  return text.normalize('NFKD').replaceAll(notFolded, '').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** A text without the slashes at its end. */
export function withoutTrailingSlashes(text: string): string {
  // The pattern /\/+$/ would take quadratic time for many slashes followed by another character.
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/** The most items that a sentence names. */
export const maximumNamed = 10;

/**
 * Joins items for a sentence: "a", "a and b", "a, b and c". With more than ten: the first ten and "and 5 more". `total` is the number
 * of all items where only the first ones are known.
 */
export function joinItems(items: readonly (string | number)[], total = items.length): string {
  const named = items.slice(0, maximumNamed);
  if (total > named.length) return `${named.join(', ')} and ${total - named.length} more`;
  if (named.length < 2) return named.join('');
  return `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

/** "1 unit", "2 units". */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

const shownCharacters = 60;

/** Shortens a text of a user for a message. */
export function shortened(text: string, maximum = shownCharacters): string {
  // Twice as long: a character outside the basic plane takes two units.
  const start = Array.from(text.slice(0, 2 * maximum + 2));
  return start.length <= maximum ? text : `${start.slice(0, maximum).join('')}…`;
}
