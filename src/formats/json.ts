import { exactJson } from '../domain/values/json-text.js';
import type { StoreError } from '../domain/errors.js';
import { excerpt, lineFault } from './fault.js';
import { countLineEnds, lastLineEnd, maximumRowLength, splitLines } from './lines.js';

/** One value of an NDJSON file or of a JSON array and the physical line it starts on. */
export interface JsonRecord {
  readonly line: number;
  readonly value: unknown;
}

const blank = /^[ \t\r\n]*$/;
const notBlank = /[^ \t\r\n]/;

/** The values of an NDJSON text, one per line; skips blank lines. Refuses with `malformed_json` or `duplicate_column` and the line. */
export async function* ndjsonRecords(texts: AsyncIterable<string>, name: string): AsyncGenerator<readonly JsonRecord[], void> {
  let pending = '';
  let line = 1;
  for await (const text of texts) {
    pending += text;
    const end = lastLineEnd(pending);
    if (pending.length - end > maximumRowLength) throw longRecord(name, line + countLineEnds(pending.slice(0, end)));
    // `chunked` counts blocks to bound the memory for wide rows, so an empty block is yielded too.
    if (end === 0) {
      yield [];
      continue;
    }
    const lines = splitLines(pending.slice(0, end));
    pending = pending.slice(end);
    yield lineRecords(lines, line, name);
    line += lines.length - 1;
  }
  yield lineRecords([pending], line, name);
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

/** The complete elements of a text, the text after them, and whether the array ended. */
interface Elements {
  readonly records: readonly JsonRecord[];
  readonly rest: string;
  readonly line: number;
  readonly scan: Scan;
  readonly closed: boolean;
}

const initialScan: Scan = { at: 0, depth: 0, inString: false, mark: -1 };

/** The elements of a JSON array, parsed one by one in constant memory; refuses like `ndjsonRecords`. */
export async function* arrayRecords(texts: AsyncIterable<string>, name: string): AsyncGenerator<readonly JsonRecord[], void> {
  let state: Elements = { records: [], rest: '', line: 1, scan: initialScan, closed: false };
  let opened = false;
  let empty = true;
  for await (const text of texts) {
    const pending = state.rest + text;
    if (state.closed) state = requireEnd({ ...state, rest: pending }, name);
    else if (opened || !blank.test(pending)) {
      const unread = opened ? { ...state, rest: pending } : { ...state, ...afterOpening(pending, name) };
      state = elementsOf(unread, empty, name);
      opened = true;
      empty = empty && state.records.length === 0;
      if (state.closed) state = requireEnd(state, name);
    } else state = { ...state, rest: pending };
    if (state.rest.length > maximumRowLength) throw longRecord(name, startLine(state.rest, state.line));
    yield state.records;
  }
  if (opened && !state.closed) throw unfinished(state, name);
}

function afterOpening(text: string, name: string): { readonly line: number; readonly rest: string } {
  const start = text.search(notBlank);
  const line = startLine(text, 1);
  if (text[start] === '[') return { line, rest: text.slice(start + 1) };
  const advice = text[start] === '{' ? 'If it has one object on each line, add --input-format ndjson.' : undefined;
  throw lineFault('malformed_json', { name, line }, 'does not start a JSON array ("[")', advice);
}

/** Parses the complete elements of `rest`; `isEmpty` while the array has none before them. */
function elementsOf({ rest: text, line: first, scan: begun }: Elements, isEmpty: boolean, name: string): Elements {
  const records: JsonRecord[] = [];
  let line = first;
  let start = 0;
  let scan = scanForEnd(text, begun);
  for (; scan.mark !== -1; scan = scanForEnd(text, { ...initialScan, at: start })) {
    const mark = text[scan.mark];
    const element = text.slice(start, scan.mark);
    start = scan.mark + 1;
    const onlyBrackets = isEmpty && mark === ']' && records.length === 0 && blank.test(element);
    if (!onlyBrackets) records.push(elementOf(element, mark, line, name));
    line += countLineEnds(element);
    if (mark === ']') return { records, rest: text.slice(start), line, scan: initialScan, closed: true };
  }
  return { records, rest: text.slice(start), line, scan: { ...scan, at: scan.at - start }, closed: false };
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

function requireEnd(state: Elements, name: string): Elements {
  if (blank.test(state.rest)) return { ...state, rest: '', line: state.line + countLineEnds(state.rest) };
  throw lineFault('malformed_json', { name, line: startLine(state.rest, state.line) }, 'continues after the end of the JSON array');
}

function unfinished({ rest, line }: Elements, name: string): StoreError {
  const last = line + countLineEnds(rest);
  if (blank.test(rest)) return lineFault('malformed_json', { name, line: last }, 'ends the input before its JSON array is closed with "]"');
  return lineFault('malformed_json', { name, line: startLine(rest, line) }, 'starts a record that is cut off by the end of the input');
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
  let value: unknown;
  try {
    value = JSON.parse(exact);
  } catch {
    throw lineFault('malformed_json', { name, line }, `is not valid JSON: ${excerpt(text)}`);
  }
  const repeated = repeatedKey(text, value);
  if (repeated !== undefined) throw lineFault('duplicate_column', { name, line }, `has the key "${excerpt(repeated)}" twice`);
  return value;
}

/** The first key that occurs twice. JSON.parse silently keeps the last value, so a second "quantity" would replace the first one. */
function repeatedKey(text: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  // With as many colons as keys no key occurs twice; this is the case for most records.
  if (countOf(':', text) === Object.keys(value).length) return undefined;
  const seen = new Set<unknown>();
  let depth = 0;
  for (const [token, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[[\]{}]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && colon !== undefined) {
      const key = String(JSON.parse(token.slice(0, -colon.length)));
      if (seen.has(key)) return key;
      seen.add(key);
    }
  }
  return undefined;
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}
