import type { IncomingMessage, ServerResponse } from 'node:http';
import { StoreError } from '../../domain/errors.js';
import { exactJson, roundedNumber } from '../../domain/values/json-text.js';
import type { Timeouts } from './server-options.js';
import { withTimeout } from './with-timeout.js';

/** The maximum size of a JSON body. */
export const maximumBodyBytes = 1024 * 1024;
/** The maximum size of an import, both as sent and unpacked. */
export const maximumImportBytes = 256 * 1024 * 1024;

/** The minimum average rate of an import after `slowUploadMs`. */
export const minimumBytesPerSecond = 16 * 1024;

/** The time limits of bodies. */
export type BodyTimeouts = Pick<Timeouts, 'bodyMs' | 'slowUploadMs'>;

/** The media type without parameters, or undefined. Refuses a content encoding, and charsets other than UTF-8, with `unsupported_media_type`. */
export function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new StoreError('unsupported_media_type', 'Content-Encoding is not supported; send the body without it.');
  const header = headers['content-type'];
  if (header === undefined) return undefined;
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((one) => one.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !['utf-8', 'utf8', '"utf-8"', 'us-ascii'].includes(charset)) {
    throw new StoreError('unsupported_media_type', 'Unsupported charset; send the body as UTF-8.');
  }
  return type;
}

/** Refuses other media types with `unsupported_media_type`. */
export function checkMediaType(type: string | undefined, accepted: readonly string[]): string {
  if (type !== undefined && accepted.includes(type)) return type;
  throw new StoreError('unsupported_media_type', `The body must be sent as ${accepted.join(' or ')}${type === undefined ? '; Content-Type is missing' : ''}.`);
}

/** Whether a request has a body (RFC 9112, 6.3). */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0');
}

const pendingContinues = new WeakMap<IncomingMessage, ServerResponse>();

/** Delays `100 Continue` until the body is read, so that a request refused by its headers sends none (RFC 9110, 10.1.1). */
export function deferContinue(message: IncomingMessage, response: ServerResponse): void {
  pendingContinues.set(message, response);
}

function sendContinue(message: IncomingMessage): void {
  pendingContinues.get(message)?.writeContinue();
  pendingContinues.delete(message);
}

function tooLarge(limit: number): StoreError {
  const kib = limit / 1024;
  return new StoreError('payload_too_large', `The body is larger than ${kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`}.`);
}

function checkContentLength({ headers }: IncomingMessage, limit: number): void {
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

/** The refusal for an error of a connection while a body arrives. */
function bodyFault(error: unknown): StoreError {
  return error instanceof StoreError ? error : new StoreError('invalid_request', 'The connection closed before the body was complete.');
}

/** The chunks of a body as they arrive. The connection stays open: a body can be refused before its end, and the answer must still be sent. */
function chunksOf(message: IncomingMessage): AsyncIterator<Buffer> & AsyncIterable<Buffer> {
  return message.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
}

/** Joins the chunks of a body. Copied together, because a client can send each byte alone, and each would keep some hundred bytes. */
async function joined(chunks: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  let body = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of chunks) {
    if (size + chunk.length > limit) throw tooLarge(limit);
    if (size + chunk.length > body.length) body = Buffer.concat([body.subarray(0, size)], Math.min(limit, 2 * (size + chunk.length)));
    size += chunk.copy(body, size);
  }
  return body.subarray(0, size);
}

/** Reads a whole body; refuses with `payload_too_large`, `request_timeout`, and `invalid_request` when the connection closes early. */
function readBytes(message: IncomingMessage, limit: number, timeoutMs: number): Promise<Buffer> | Buffer {
  checkContentLength(message, limit);
  sendContinue(message);
  // Most bodies have arrived already, together with their head; they need no timer.
  if (message.complete && !message.destroyed) {
    const bytes = (message.read() as Buffer | null) ?? Buffer.alloc(0);
    if (bytes.length > limit) throw tooLarge(limit);
    return bytes;
  }
  const late = (): StoreError => new StoreError('request_timeout', `The body did not arrive within ${timeoutMs / 1000} s.`);
  return withTimeout(joined(chunksOf(message), limit), timeoutMs, late).catch((error: unknown) => {
    throw bodyFault(error);
  });
}

const longestEmptyRecord = 100;

/** Refuses a body with `invalid_request`, except an empty JSON object of a known length, which some clients send with every request. */
export async function refuseBody(message: IncomingMessage, { bodyMs }: BodyTimeouts): Promise<void> {
  if (!hasBody(message)) return;
  // A body of unknown length is refused at once, not read to its end.
  const isShort = Number(message.headers['content-length'] ?? Infinity) <= longestEmptyRecord;
  if (isShort && /^\s*(\{\s*\}\s*)?$/.test((await readBytes(message, longestEmptyRecord, bodyMs)).toString('latin1'))) return;
  throw new StoreError('invalid_request', 'This operation takes no body.');
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new StoreError('invalid_request', 'The body is empty; this operation takes a JSON record.');
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new StoreError('invalid_request', 'The body is not UTF-8.');
  }
  if (text.startsWith('\u{feff}')) throw new StoreError('invalid_request', 'The body starts with a byte order mark, which JSON does not allow.');
  const { exact, problem } = exactJson(text, roundedNumber);
  if (problem !== undefined) throw new StoreError('invalid_request', `The body ${problem}.`);
  try {
    return JSON.parse(exact);
  } catch {
    throw new StoreError('invalid_request', 'The body is not valid JSON.');
  }
}

/** Reads the JSON body of a request. Refuses with `unsupported_media_type`, `payload_too_large`, `request_timeout` and `invalid_request`. */
export async function readJson(message: IncomingMessage, accepted: readonly string[], { bodyMs }: BodyTimeouts, limit = maximumBodyBytes): Promise<unknown> {
  checkMediaType(mediaTypeOf(message), accepted);
  return parseJson(await readBytes(message, limit, bodyMs));
}

/** Refuses an import that arrives too slowly with `request_timeout`. */
function checkPace(size: number, elapsedMs: number, { slowUploadMs }: BodyTimeouts): void {
  if (size * 1000 >= (elapsedMs - slowUploadMs) * minimumBytesPerSecond) return;
  throw new StoreError('request_timeout', `The body arrived too slowly: less than ${minimumBytesPerSecond / 1024} KiB/s.`);
}

/** The bytes of an import as they arrive. Refuses with `payload_too_large` (256 MiB), `request_timeout`, and `invalid_request` when the connection closes early. */
export async function* importBytes(message: IncomingMessage, timeouts: BodyTimeouts): AsyncGenerator<Uint8Array, void> {
  checkContentLength(message, maximumImportBytes);
  const started = performance.now();
  sendContinue(message);
  const chunks = chunksOf(message);
  const silent = (): StoreError => new StoreError('request_timeout', `No data arrived for ${timeouts.bodyMs / 1000} s.`);
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await withTimeout(chunks.next(), timeouts.bodyMs, silent);
      if (done === true) return;
      size += value.length;
      if (size > maximumImportBytes) throw tooLarge(maximumImportBytes);
      checkPace(size, performance.now() - started, timeouts);
      yield value;
    }
  } catch (error) {
    throw bodyFault(error);
  }
}
