// The guide as text for a terminal. Packages such as marked-terminal add megabytes for syntax highlighting and emoji; the guide
// has only headings, paragraphs, lists, tables and code blocks.
import type { Paint } from '../output/colours.js';
import { widthOf, wrapped } from '../output/wrapped-text.js';

/** The width and the colours of a chapter. */
export interface TextStyle {
  /** The width of a line in cells; only code blocks may be wider. */
  readonly width: number;
  readonly paint: Paint;
}

const indent = '  ';
const codeIndent = '    ';
const hangingIndent = '      ';
/** The maximum width of the first column of a table of two columns side by side, in cells. */
const widestTerm = 24;

/** The text of a line: links become their names; code spans are coloured word by word, because lines are wrapped later. */
function inline(text: string, { paint }: TextStyle): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/(`[^`]+`)/)
    .map((part) => {
      const code = /^`([^`]+)`$/.exec(part)?.[1];
      return code === undefined ? part.replaceAll(/\*\*([^*]+)\*\*/g, '$1') : code.split(' ').map(paint.cyan).join(' ');
    })
    .join('')
    .replaceAll('\\|', '|');
}

const rowCells = (row: string): readonly string[] =>
  row
    .replaceAll(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** A table. Two columns stand side by side if the first is narrow; otherwise the cells of a row follow below its first one. */
function table(rows: readonly string[], style: TextStyle): string {
  const [header = [], , ...body] = rows.map((row) => rowCells(row).map((cell) => inline(cell, style)));
  const filled = header.some((cell) => cell !== '') ? header : undefined;
  const terms = [...(filled ? [filled] : []), ...body].map(([term = '']) => widthOf(term));
  const widthOfTerms = Math.max(...terms);
  if (header.length === 2 && widthOfTerms <= widestTerm) {
    const lines = filled ? [filled.map((cell) => cell && style.paint.bold(cell)), ...body] : body;
    return lines
      .map(([term = '', text = '']) =>
        wrapped(text, `${indent}${term}${' '.repeat(widthOfTerms - widthOf(term) + 2)}`, ' '.repeat(indent.length + widthOfTerms + 2), style.width),
      )
      .join('\n');
  }
  return body
    .map(([term = '', ...cells]) => {
      const texts = cells.flatMap((cell, index) => {
        const heading = filled?.[index + 1] ?? '';
        return cell === '' ? [] : [wrapped(heading === '' || cells.length < 2 ? cell : `${heading}: ${cell}`, hangingIndent, hangingIndent, style.width)];
      });
      return [wrapped(term, indent, codeIndent, style.width), ...texts].join('\n');
    })
    .join('\n');
}

function list(lines: readonly string[], style: TextStyle): string {
  const items: string[] = [];
  for (const line of lines) {
    if (/^(?:-|\d+\.) /.test(line) || items.length === 0) items.push(line);
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return items
    .map((item) => {
      const [, mark = '', text = ''] = /^(\S+) ([^]*)$/.exec(item) ?? [];
      return wrapped(inline(text, style), `${indent}${mark} `, ' '.repeat(indent.length + mark.length + 1), style.width);
    })
    .join('\n');
}

function codeBlock(lines: readonly string[], { paint }: TextStyle): string {
  return lines
    .slice(1, -1)
    .map((line) => (line === '' ? '' : `${codeIndent}${line.startsWith('$ ') ? paint.bold(line) : line}`))
    .join('\n');
}

function block(lines: readonly string[], style: TextStyle): string {
  const [first = ''] = lines;
  const heading = /^#+ (.*)$/.exec(first)?.[1];
  if (heading !== undefined) return style.paint.bold(inline(heading, style));
  if (first.startsWith('```')) return codeBlock(lines, style);
  if (first.startsWith('|')) return table(lines, style);
  if (/^(?:-|\d+\.) /.test(first)) return list(lines, style);
  return wrapped(inline(lines.join(' '), style), indent, indent, style.width);
}

/** Splits a text into blocks: paragraphs, lists and tables end at an empty line, code blocks at their fence. */
function blocksOf(markdown: string): readonly (readonly string[])[] {
  const blocks: string[][] = [[]];
  let inCode = false;
  for (const line of markdown.split('\n')) {
    if (line === '' && !inCode) blocks.push([]);
    else blocks.at(-1)?.push(line);
    if (line.startsWith('```')) inCode = !inCode;
  }
  // A terminal shows no pictures.
  return blocks.filter(([first]) => first !== undefined && !/^!\[.*\]\(.*\)$/.test(first));
}

/** The names of the chapters that a chapter links to, each once. */
function linkedChapters(markdown: string): readonly string[] {
  return [...new Set([...markdown.matchAll(/\]\(([a-z-]+)\.md/g)].map(([, name = '']) => name))];
}

/** A chapter of the guide as text for a terminal. */
export function markdownText(markdown: string, style: TextStyle): string {
  const links = linkedChapters(markdown).map((name) => `${indent}petstore help ${name}`);
  const seeAlso = links.length === 0 ? [] : [style.paint.bold('See also'), links.join('\n')];
  return `${[...blocksOf(markdown).map((lines) => block(lines, style)), ...seeAlso].join('\n\n')}\n`;
}
