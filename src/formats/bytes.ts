import { Buffer, isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ErrorCode } from '../domain/errors.js';
import { maximumFileBytes } from '../domain/imports/import-file.js';
import type { Encoding, StopSignal } from '../domain/imports/import-options.js';
import { decodedBlocks, markOf } from './decode.js';
import { inputFault, lineFault } from './fault.js';
import { countLineEnds, splitLines } from './lines.js';

const blockSize = 64 * 1024;
const lineFeed = 10;

/** Limits for reading an input. */
export interface ByteLimits {
  /** The maximum size in bytes, decompressed; `maximumFileBytes` by default. */
  readonly maximumBytes?: number | undefined;
  /** The encoding of the text; UTF-8 by default. */
  readonly encoding?: Encoding | undefined;
  /** Aborts the reading, for example when the client has disconnected. */
  readonly signal?: StopSignal | undefined;
}

/**
 * Decodes an input into text blocks that do not depend on how its bytes arrived; decompresses gzip and removes the BOM.
 * Refuses with `not_utf8` and the line, with `damagedCode` for a broken gzip file or text of another encoding, and with
 * `payload_too_large`.
 */
export async function* textBlocks(
  source: AsyncIterable<Uint8Array>,
  name: string,
  damagedCode: ErrorCode,
  limits: ByteLimits = {},
): AsyncGenerator<string, void> {
  const { encoding = 'utf-8' } = limits;
  const blocks = limitedBlocks(decompressed(source, name, damagedCode), name, limits);
  yield* encoding === 'utf-8' ? utf8Blocks(blocks, name) : decodedBlocks(blocks, encoding, name, damagedCode);
}

async function* limitedBlocks(
  blocks: AsyncIterable<Buffer>,
  name: string,
  { maximumBytes = maximumFileBytes, signal }: ByteLimits,
): AsyncGenerator<Buffer, void> {
  let size = 0;
  for await (const bytes of blocks) {
    signal?.throwIfAborted();
    size += bytes.length;
    if (size > maximumBytes) throw inputFault('payload_too_large', name, `is larger than ${maximumBytes / 1024 / 1024} MiB after decompression`);
    yield bytes;
  }
}

async function* utf8Blocks(blocks: AsyncIterable<Buffer>, name: string): AsyncGenerator<string, void> {
  let line = 1;
  // A line feed after it ends no further line.
  let endsWithReturn = false;
  let isFirst = true;
  let rest: Buffer = Buffer.alloc(0);
  const fault = (bytes: Buffer): Error => lineFault('not_utf8', { name, line: line + invalidLine(bytes) }, 'is not valid UTF-8', { encoding: 'windows-1252' });
  for await (const bytes of blocks) {
    if (isFirst) refuseUtf16(bytes, name);
    const joined = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const end = endOfCharacters(joined);
    const block = joined.subarray(isFirst && markOf(joined) === 'utf-8' ? 3 : 0, end);
    if (endsWithReturn && block[0] === lineFeed) line -= 1;
    if (!isUtf8(block)) throw fault(block);
    const text = block.toString('utf8');
    yield text;
    line += countLineEnds(text);
    if (text !== '') endsWithReturn = text.endsWith('\r');
    rest = joined.subarray(end);
    isFirst = false;
  }
  if (rest.length > 0) throw fault(rest);
}

/** How many lines are before the first one that is not UTF-8. */
function invalidLine(bytes: Buffer): number {
  // Latin-1 has a character for each byte.
  return splitLines(bytes.toString('latin1')).findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
}

/** Recognizes gzip by its first two bytes, which no UTF-8 text starts with (RFC 1952, 2.3.1), not by the file name. */
async function* decompressed(source: AsyncIterable<Uint8Array>, name: string, damagedCode: ErrorCode): AsyncGenerator<Buffer, void> {
  const blocks = evenlySized(source);
  const head = await blocks.next();
  if (head.done === true) return;
  const all = prepend(head.value, blocks);
  if (head.value[0] !== 0x1f || head.value[1] !== 0x8b) return yield* all;
  try {
    // The callback is required; the error reaches the reader because the pipeline destroys the stream with it.
    yield* evenlySized(pipeline(all, createGunzip(), () => undefined));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    throw inputFault(damagedCode, name, 'cannot be decompressed: its gzip data is damaged or incomplete');
  }
}

/** Regroups bytes into blocks of one size, so that results and refusals do not depend on chunk boundaries. */
async function* evenlySized(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let block = Buffer.allocUnsafe(blockSize);
  let filled = 0;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + blockSize - filled);
      block.set(piece, filled);
      at += piece.length;
      filled += piece.length;
      if (filled < blockSize) continue;
      yield block;
      block = Buffer.allocUnsafe(blockSize);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/** Yields an item that was already read, then the rest; closes the rest when the reader stops early. */
export async function* prepend<Item>(first: Item, rest: AsyncGenerator<Item, void>): AsyncGenerator<Item, void> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

function refuseUtf16(bytes: Buffer, name: string): void {
  const mark = markOf(bytes);
  if (mark === 'utf-16le' || mark === 'utf-16be') throw inputFault('not_utf8', name, 'is UTF-16 text, not UTF-8', { encoding: 'utf-16' });
}

/** The number of bytes without an incomplete UTF-8 character at the end. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return size > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
