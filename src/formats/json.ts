import { exactJson } from '../domain/values/json-text.js';
import type { StoreError } from '../domain/errors.js';
import { excerpt, lineFault } from './fault.js';
import { countLineEnds, lastLineEnd, maximumRowLength, splitLines, wholeLines } from './lines.js';

/** One value of an NDJSON file or of a JSON array and the physical line it starts on. */
export interface JsonRecord {
  readonly line: number;
  readonly value: unknown;
}

const blank = /^[ \t\r\n]*$/;
const notBlank = /[^ \t\r\n]/;

/** The values of an NDJSON text, one per line; skips blank lines. Refuses with `malformed_json` and the line. */
export async function* ndjsonRecords(texts: AsyncIterable<string>, name: string): AsyncGenerator<readonly JsonRecord[], void> {
  const whole = wholeLines(
    texts,
    ({ text }) => lastLineEnd(text),
    ({ line }) => longRecord(name, line),
  );
  for await (const { text, line } of whole) yield lineRecords(splitLines(text), line, name);
}

function lineRecords(lines: readonly string[], first: number, name: string): readonly JsonRecord[] {
  const records: JsonRecord[] = [];
  let line = first;
  for (const text of lines) {
    if (!blank.test(text)) records.push({ line, value: valueOf(text, line, name) });
    line += 1;
  }
  return records;
}

/** The state of the search for the end of an element; `mark` is the offset of that end, or -1. */
interface Scan {
  readonly at: number;
  readonly depth: number;
  readonly inString: boolean;
  readonly mark: number;
}

const initialScan: Scan = { at: 0, depth: 0, inString: false, mark: -1 };

/** The elements of a JSON array, parsed one by one in constant memory; refuses like `ndjsonRecords`. */
export async function* arrayRecords(texts: AsyncIterable<string>, name: string): AsyncGenerator<readonly JsonRecord[], void> {
  let state: 'before' | 'within' | 'behind' = 'before';
  let isEmpty = true;
  let scan = initialScan;
  // The text that was not parsed yet, and the line of its first character.
  let [rest, line] = ['', 1];
  for await (const text of texts) {
    rest += text;
    const records: JsonRecord[] = [];
    if (state === 'before' && !blank.test(rest)) {
      line = startLine(rest, line);
      rest = afterOpening(rest.trimStart(), line, name);
      state = 'within';
    }
    while (state === 'within' && (scan = scanForEnd(rest, scan)).mark >= 0) {
      const mark = rest[scan.mark];
      const element = rest.slice(0, scan.mark);
      if (!isEmpty || mark !== ']' || !blank.test(element)) records.push(elementOf(element, mark, line, name));
      if (mark === ']') state = 'behind';
      isEmpty = false;
      line += countLineEnds(element);
      rest = rest.slice(scan.mark + 1);
      scan = initialScan;
    }
    if (state === 'behind' && !blank.test(rest))
      throw lineFault('malformed_json', { name, line: startLine(rest, line) }, 'continues after the end of the JSON array');
    if (rest.length > maximumRowLength) throw longRecord(name, startLine(rest, line));
    yield records;
  }
  if (state === 'within') throw unfinished(rest, line, name);
}

/** The text after the bracket that opens the array. */
function afterOpening(text: string, line: number, name: string): string {
  if (text.startsWith('[')) return text.slice(1);
  const advice = text.startsWith('{') ? 'If it has one object on each line, add --input-format ndjson.' : undefined;
  throw lineFault('malformed_json', { name, line }, 'does not start a JSON array ("[")', advice);
}

/** Finds the next ",", "]" or "}" outside all elements. */
function scanForEnd(text: string, begun: Scan): Scan {
  let { at, depth, inString } = begun;
  for (; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      // The escaped character may be the first of the next block; the next scan then starts after it.
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (depth === 0 && (character === ',' || character === ']' || character === '}')) return { at, depth, inString, mark: at };
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
  }
  return { at, depth, inString, mark: -1 };
}

function elementOf(text: string, mark: string | undefined, first: number, name: string): JsonRecord {
  const line = startLine(text, first);
  if (mark === '}') throw lineFault('malformed_json', { name, line }, `is not valid JSON: ${excerpt(`${text}}`)}`);
  if (blank.test(text)) throw lineFault('malformed_json', { name, line }, 'has a comma without a record');
  return { line, value: valueOf(text, line, name) };
}

function unfinished(rest: string, line: number, name: string): StoreError {
  if (!blank.test(rest)) return lineFault('malformed_json', { name, line: startLine(rest, line) }, 'starts a record that is cut off by the end of the input');
  return lineFault('malformed_json', { name, line: line + countLineEnds(rest) }, 'ends the input before its JSON array is closed with "]"');
}

/** The physical line of the first non-blank character. */
function startLine(text: string, line: number): number {
  return line + countLineEnds(text.slice(0, Math.max(0, text.search(notBlank))));
}

function longRecord(name: string, line: number): StoreError {
  return lineFault('malformed_json', { name, line }, 'starts a record longer than 1 MiB');
}

function valueOf(text: string, line: number, name: string): unknown {
  if (text.length > maximumRowLength) throw longRecord(name, line);
  // As in a cell of CSV, the text of a number that would be rounded is its value.
  const { exact, problem } = exactJson(text, String);
  if (problem !== undefined) throw lineFault('malformed_json', { name, line }, problem);
  try {
    return JSON.parse(exact);
  } catch {
    throw lineFault('malformed_json', { name, line }, `is not valid JSON: ${excerpt(text)}`);
  }
}
