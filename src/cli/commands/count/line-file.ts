import { createHash } from 'node:crypto';
import { StoreError } from '../../../domain/errors.js';
import type { LineProblem } from '../../output/line-problems.js';
import { countedNumber, type CountedNumber } from './line-number.js';

/** A line of a file: a pet by id or name, and how many. */
export interface FileLine extends CountedNumber {
  readonly line: number;
  readonly pet: string;
}

/** The lines of a file. */
interface LineFile {
  /** Its SHA-256, hexadecimal. */
  readonly digest: string;
  readonly lines: readonly FileLine[];
  readonly problems: readonly LineProblem[];
}

const largestBytes = 64 * 1024 * 1024;

/** The headings of the second column in files of scanners and spreadsheets. */
const header = /^(number|quantity|qty|count|counted|units|pieces|n)$/i;

/** An id and a number with spaces in between. */
const spaced = /^([0-9]+)\s+([+]?[0-9]+)$/;

/** The pet and the number of a trimmed line: what stands before and after its last tab, comma or semicolon, or an id and a number. */
function partsOfLine(text: string): readonly [pet: string, number: string] {
  const [, id, units] = spaced.exec(text) ?? [];
  if (id !== undefined && units !== undefined) return [id, units];
  // Not a regular expression, which would take quadratic time for a long run of spaces.
  const end = Math.max(text.lastIndexOf('\t'), text.lastIndexOf(';'), text.lastIndexOf(','));
  return [text.slice(0, Math.max(end, 0)).trim(), text.slice(end + 1).trim()];
}

function unquoted(text: string): string {
  const [, quoted] = /^"(.*)"$/s.exec(text) ?? [];
  return quoted === undefined ? text : quoted.replaceAll('""', '"');
}

/** Reads a line; undefined for an empty one and for a first line of headings. */
function readLine(text: string, line: number): FileLine | LineProblem | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const [pet, number] = partsOfLine(trimmed);
  if (pet === '' || number === '') return { line, message: 'A line needs a pet and how many, with a tab or a comma in between.' };
  if (line === 1 && header.test(unquoted(number))) return undefined;
  try {
    return { line, pet: unquoted(pet), ...countedNumber(unquoted(number)) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { line, message: error.message };
  }
}

async function wholeFile(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > largestBytes) throw new StoreError('payload_too_large', `The lines have more than ${largestBytes >> 20} MiB; split the file.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decoded(bytes: Uint8Array): string {
  try {
    // Without the byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new StoreError('not_utf8', 'The lines are not valid UTF-8; nothing was recorded.', { advice: 'Save the file as plain text in UTF-8.' });
  }
}

/** Reads the lines of a file. All of them are read before one is recorded, so that a file with a mistake records nothing. */
export async function readLineFile(bytes: AsyncIterable<Uint8Array>): Promise<LineFile> {
  const content = await wholeFile(bytes);
  const read = decoded(content)
    .split(/\r\n?|\n/)
    .flatMap((text, index) => readLine(text, index + 1) ?? []);
  return {
    digest: createHash('sha256').update(content).digest('hex'),
    lines: read.flatMap((one) => ('pet' in one ? [one] : [])),
    problems: read.flatMap((one) => ('message' in one ? [one] : [])),
  };
}
