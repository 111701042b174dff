import { stripVTControlCharacters } from 'node:util';

/** The width of an ASCII text in cells, without its colours. */
export const sizeOf = (text: string): number => stripVTControlCharacters(text).length;

/** Wraps a text; the first line begins with `first`, the others with `others`. A word that is longer than the width stays whole. */
export function wrapped(text: string, first: string, others: string, width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const start = lines.length === 0 ? first : others;
    if (line !== '' && sizeOf(start) + sizeOf(line) + 1 + sizeOf(word) > width) {
      lines.push(start + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, (lines.length === 0 ? first : others) + line].join('\n');
}
