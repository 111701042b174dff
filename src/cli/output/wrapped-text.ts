import { stripVTControlCharacters } from 'node:util';
import type { Output } from '../io.js';
import { measure } from '../../formats/text-width.js';

/** The width of a text in cells, without its colours. */
export const cellsOf = (text: string): number => measure(stripVTControlCharacters(text));

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

/** A line wrapped at its single spaces. */
function wrapLine(line: string, width: number, breaksWords: boolean): readonly string[] {
  if (cellsOf(line) <= width) return [line];
  const words = line.split(' ').flatMap((word) => (breaksWords && cellsOf(word) > width ? pieces(word, width) : [word]));
  const lines: string[] = [];
  let current: string | undefined;
  for (const word of words) {
    const longer: string = current === undefined ? word : `${current} ${word}`;
    if (current !== undefined && cellsOf(longer) > width) {
      lines.push(current.trimEnd());
      current = word;
    } else current = longer;
  }
  return [...lines, current ?? ''];
}

/** How a text is wrapped. */
interface Wrapping {
  /** Whether a word that is wider than a line is broken too; otherwise the terminal breaks it, and it can be copied. */
  readonly breaksWords?: boolean;
}

/** A text whose lines are wrapped at spaces to a width in cells. Parts that three spaces separate get lines of their own if one line is too narrow. */
export function wrapText(text: string, width: number, { breaksWords = false }: Wrapping = {}): string {
  return text
    .split('\n')
    .flatMap((line) => (cellsOf(line) <= width ? [line] : line.split(/ {3,}(?=\S)/).flatMap((part) => wrapLine(part, width, breaksWords))))
    .join('\n');
}

/** The fewest cells for a text beside a label; a narrower terminal wraps its lines again. */
const leastRoom = 10;

/** A label, and beside it a text that is wrapped to the rest of the line. A long word such as a token stays whole, to be copied. */
export function labelledText(label: string, text: string, { isTerminal, columns }: Pick<Output, 'isTerminal' | 'columns'>): string {
  if (!isTerminal) return `${label}${text}`;
  const width = cellsOf(label);
  return `${label}${wrapText(text, Math.max(leastRoom, columns - width)).replaceAll('\n', `\n${' '.repeat(width)}`)}`;
}

/** Writes sentences; at a terminal wrapped at spaces. */
export async function writeText(out: Output, text: string): Promise<void> {
  await out.write(out.isTerminal ? wrapText(text, out.columns) : text);
}

/** A label and a command line. On a narrow terminal the line continues after a backslash, so that it can be copied. */
export function commandLineText(label: string, line: string, { isTerminal, columns }: Pick<Output, 'isTerminal' | 'columns'>): string {
  if (!isTerminal || cellsOf(`${label} ${line}`) <= columns) return `${label} ${line}`;
  return [label, ...commandLines(line, columns)].join('\n');
}

/** The words of a command line, each flag together with the word after it if both fit on a line; quoted text is one word. */
function commandParts(line: string, room: number): readonly string[] {
  const parts: string[] = [];
  for (const word of line.match(/(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|\S)+/g) ?? []) {
    const last = parts.at(-1);
    const isValue = last !== undefined && /^--?[\w-]+$/.test(last) && !word.startsWith('-') && cellsOf(`${last} ${word}`) <= room;
    if (isValue) parts[parts.length - 1] = `${last} ${word}`;
    else parts.push(word);
  }
  return parts;
}

/** A command line, indented; each line but the last ends with a backslash. */
export function commandLines(line: string, columns: number): readonly string[] {
  if (cellsOf(`  ${line}`) <= columns) return [`  ${line}`];
  const lines: string[] = [];
  let current = '';
  for (const word of commandParts(line, columns - 6)) {
    const longer = current === '' ? `  ${word}` : `${current} ${word}`;
    if (current !== '' && cellsOf(longer) > columns - 2) {
      lines.push(`${current} \\`);
      current = `    ${word}`;
    } else current = longer;
  }
  return [...lines, current];
}

/** Wraps a text with indents: the first line begins with `first`, the others with `others`. A word that is longer than the width stays whole. */
export function wrapped(text: string, first: string, others: string, width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const start = lines.length === 0 ? first : others;
    if (line !== '' && cellsOf(start) + cellsOf(line) + 1 + cellsOf(word) > width) {
      lines.push(start + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, (lines.length === 0 ? first : others) + line].join('\n');
}
