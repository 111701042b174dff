import type { ErrorCode } from '../domain/errors.js';
import type { Encoding } from '../domain/imports/import-options.js';
import { inputFault } from './fault.js';

/**
 * The characters of the bytes 0x80 to 0x9F in windows-1252 (WHATWG Encoding Standard); all other bytes are as in Latin-1.
 * Node 20 decodes windows-1252 as Latin-1, so its TextDecoder is not used.
 */
const windowsCharacters = [
  ...'\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F',
  ...'\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178',
];
const firstWindowsCharacter = 0x80;

function decodeWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll(/[\x80-\x9f]/g, (character) => windowsCharacters[character.charCodeAt(0) - firstWindowsCharacter] ?? character);
}

/** The encoding of the byte order mark at the start of a file; undefined without a mark. */
export function markOf(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** The byte order of UTF-16: that of the mark, or else that in which the first character is ASCII. */
function byteOrder(start: Buffer): 'utf-16le' | 'utf-16be' {
  return markOf(start) === 'utf-16be' || start[0] === 0 ? 'utf-16be' : 'utf-16le';
}

/** Refuses a file whose byte order mark is of another encoding than the requested one, with `damagedCode`. */
function checkMark(encoding: Encoding, start: Buffer, name: string, damagedCode: ErrorCode): void {
  const mark = markOf(start);
  const marked = mark === undefined || mark === 'utf-8' ? mark : 'utf-16';
  if (marked === undefined || marked === encoding) return;
  throw inputFault(damagedCode, name, `is ${marked.toUpperCase()} text, not ${encoding}`, { encoding: marked });
}

/** Decodes text in UTF-16 or windows-1252 block by block, without its byte order mark; `damagedCode` is the error code for text of another encoding. */
export async function* decodedBlocks(blocks: AsyncIterable<Buffer>, encoding: Encoding, name: string, damagedCode: ErrorCode): AsyncGenerator<string, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let isFirst = true;
  const decode = (bytes?: Buffer): string => {
    try {
      return decoder?.decode(bytes, { stream: bytes !== undefined }) ?? '';
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw inputFault(damagedCode, name, `is not valid ${encoding.toUpperCase()}`);
    }
  };
  for await (const bytes of blocks) {
    if (isFirst) {
      checkMark(encoding, bytes, name, damagedCode);
      if (encoding === 'utf-16') decoder = new TextDecoder(byteOrder(bytes), { fatal: true });
      isFirst = false;
    }
    yield decoder === undefined ? decodeWindows1252(bytes) : decode(bytes);
  }
  yield decode();
}
