import { stripVTControlCharacters } from 'node:util';
import type { Output } from '../io.js';
import { measure } from '../../formats/text-width.js';

/** The width of a text in cells, without its colours. */
export const widthOf = (text: string): number => measure(stripVTControlCharacters(text));

/** The pieces of a word, each at most `width` cells wide. */
function pieces(word: string, width: number): readonly string[] {
  const found = [''];
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    const last = found.at(-1) ?? '';
    if (last !== '' && measure(last + segment) > width) found.push(segment);
    else found[found.length - 1] = last + segment;
  }
  return found;
}

/** Words in lines of at most `width` cells; the first begins with `first`, the others with `others`. A word that is wider stays whole. */
function filled(words: readonly string[], first: string, others: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of words) {
    const longer: string = line === undefined ? word : `${line} ${word}`;
    const start = lines.length === 0 ? first : others;
    if (line !== undefined && widthOf(start) + widthOf(longer) > width) {
      lines.push(`${start}${line}`.trimEnd());
      line = word;
    } else line = longer;
  }
  return [...lines, `${lines.length === 0 ? first : others}${line ?? ''}`];
}

function wrapLine(line: string, width: number, breaksWords: boolean): readonly string[] {
  const words = line.split(' ').flatMap((word) => (breaksWords && widthOf(word) > width ? pieces(word, width) : [word]));
  return filled(words, '', '', width);
}

interface Wrapping {
  /** Whether a word that is wider than a line is broken too; otherwise the terminal breaks it, and it can be copied. */
  readonly breaksWords?: boolean;
}

/** A text whose lines are wrapped at spaces to a width in cells. Parts that three spaces separate get lines of their own if one line is too narrow. */
export function wrapText(text: string, width: number, { breaksWords = false }: Wrapping = {}): string {
  return text
    .split('\n')
    .flatMap((line) => (widthOf(line) <= width ? [line] : line.split(/ {3,}(?=\S)/).flatMap((part) => wrapLine(part, width, breaksWords))))
    .join('\n');
}

/** The fewest cells for a text beside a label; a narrower terminal wraps its lines again. */
const leastRoom = 10;

/** A label, and beside it a text that is wrapped to the rest of the line. A long word such as a token stays whole, to be copied. */
export function labelledText(label: string, text: string, { isTerminal, columns }: Pick<Output, 'isTerminal' | 'columns'>): string {
  if (!isTerminal) return `${label}${text}`;
  const width = widthOf(label);
  return `${label}${wrapText(text, Math.max(leastRoom, columns - width)).replaceAll('\n', `\n${' '.repeat(width)}`)}`;
}

/** Writes sentences; at a terminal wrapped at spaces. */
export async function writeText(out: Output, text: string): Promise<void> {
  await out.write(out.isTerminal ? wrapText(text, out.columns) : text);
}

/** Wraps a text with indents: the first line begins with `first`, the others with `others`. A word that is longer than the width stays whole. */
export function wrapped(text: string, first: string, others: string, width: number): string {
  const words = text.split(/\s+/).filter((one) => one !== '');
  return filled(words, first, others, width).join('\n');
}
