import type { IncomingMessage, ServerResponse } from 'node:http';
import { StoreError } from '../../domain/errors.js';

/** The most bytes of a JSON body, and of an import. */
export const maximumBody = 1024 * 1024;
/** The most bytes of an import, as it is sent and unpacked. */
export const maximumImport = 256 * 1024 * 1024;

/** The fewest bytes a second at which an import may arrive, on average once the time to begin has passed. */
export const minimumBytesPerSecond = 16 * 1024;

/** How long bodies may take to arrive, in ms. */
export interface BodyPatience {
  /** A JSON body as a whole, and a pause within an import. */
  readonly body: number;
  /** How long an import may arrive at any rate before it has to keep to `minimumBytesPerSecond`. */
  readonly slowUpload: number;
  /** An import as a whole. */
  readonly upload: number;
}

/** The media type of a request without its parameters; undefined where there is none. Refuses an encoded body and any charset but UTF-8. */
export function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new StoreError('unsupported_media_type', 'Bodies are taken as they are, without a content encoding.');
  const header = headers['content-type'];
  if (header === undefined) return undefined;
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((one) => one.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !['utf-8', 'utf8', '"utf-8"', 'us-ascii'].includes(charset)) {
    throw new StoreError('unsupported_media_type', 'Bodies are read as UTF-8; another charset is not.');
  }
  return type;
}

/** Refuses a media type that is not one of those accepted. */
export function checkMediaType(type: string | undefined, accepted: readonly string[]): string {
  if (type !== undefined && accepted.includes(type)) return type;
  throw new StoreError(
    'unsupported_media_type',
    `The body must be sent as ${accepted.join(' or ')}${type === undefined ? '; no content type was given' : ''}.`,
  );
}

/** Whether a request brings a body. */
export function bringsBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0');
}

// How long a client that was refused may go on sending before the connection is cut, in ms.
const lingering = 1000;

/**
 * Closes the connection of a refused request once it is answered, hearing its client out for a moment: a connection that
 * is closed on somebody who is still sending is reset, and the reset takes the answer away (RFC 9112, 9.6).
 */
export function closeGently(message: IncomingMessage): void {
  const { socket } = message;
  // What Node calls after the last answer of a connection.
  socket.destroySoon = () => {
    const cut = setTimeout(() => socket.destroy(), lingering);
    socket.once('close', () => clearTimeout(cut));
    socket.end();
    message.resume();
  };
}

const continuations = new WeakMap<IncomingMessage, ServerResponse>();

/** Leaves it to the reader of the body to answer `Expect: 100-continue`: a request refused by its headers sends none (RFC 9110, 10.1.1). */
export function expectContinue(message: IncomingMessage, response: ServerResponse): void {
  continuations.set(message, response);
}

function askForBody(message: IncomingMessage): void {
  continuations.get(message)?.writeContinue();
  continuations.delete(message);
}

function tooLarge(limit: number): StoreError {
  return new StoreError('payload_too_large', `The body is larger than ${limit / 1024 / 1024} MiB.`);
}

function checkDeclared({ headers }: IncomingMessage, limit: number): void {
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

/** The whole body; refuses one that is too large (`payload_too_large`) or does not arrive in time (`request_timeout`). */
async function collected(message: IncomingMessage, limit: number, patience: number): Promise<Buffer> {
  checkDeclared(message, limit);
  askForBody(message);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const late = setTimeout(() => reject(new StoreError('request_timeout', `The body did not arrive within ${patience / 1000} s.`)), patience);
    const settle = (act: () => void) => (): void => {
      clearTimeout(late);
      act();
    };
    message.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) settle(() => reject(tooLarge(limit)))();
      else chunks.push(chunk);
    });
    message.on(
      'end',
      settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))),
    );
    message.on(
      'error',
      settle(() => reject(new StoreError('invalid_request', 'The body broke off.'))),
    );
  });
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parsed(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new StoreError('invalid_request', 'The body is empty; this operation takes a JSON record.');
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new StoreError('invalid_request', 'The body is not UTF-8.');
  }
  if (text.startsWith('\u{feff}')) throw new StoreError('invalid_request', 'The body begins with a byte order mark; JSON has none.');
  try {
    return JSON.parse(text);
  } catch {
    throw new StoreError('invalid_request', 'The body is not JSON.');
  }
}

/** The JSON body of a request; at most 1 MiB. */
export async function readJson(message: IncomingMessage, accepted: readonly string[], { body }: BodyPatience): Promise<unknown> {
  checkMediaType(mediaTypeOf(message), accepted);
  return parsed(await collected(message, maximumBody, body));
}

/** The outcome of some work, or `request_timeout` when that takes too long. */
async function inTime<T>(work: Promise<T>, patience: number): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new StoreError('request_timeout', `Nothing arrived for ${patience / 1000} s.`)), patience);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(late);
  }
}

/** Refuses an import that takes too long, or arrives too slowly on average. */
function checkPace(size: number, elapsedMs: number, { slowUpload, upload }: BodyPatience): void {
  if (elapsedMs > upload) throw new StoreError('request_timeout', `The body did not arrive within ${upload / 1000} s.`);
  if (size * 1000 >= (elapsedMs - slowUpload) * minimumBytesPerSecond) return;
  throw new StoreError('request_timeout', `The body arrives at less than ${minimumBytesPerSecond / 1024} KiB a second.`);
}

/** The bytes of an import as they arrive; at most 256 MiB, no pause longer than the patience for a body, and not too slowly as a whole. */
export async function* importBytes(message: IncomingMessage, patience: BodyPatience): AsyncGenerator<Uint8Array, void> {
  checkDeclared(message, maximumImport);
  const begun = performance.now();
  askForBody(message);
  // A file can be refused before its end; the connection must live on to say so.
  const chunks: AsyncIterator<Buffer> = message.iterator({ destroyOnReturn: false });
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await inTime(chunks.next(), patience.body);
      if (done === true) return;
      size += value.length;
      if (size > maximumImport) throw tooLarge(maximumImport);
      checkPace(size, performance.now() - begun, patience);
      yield value;
    }
  } catch (error) {
    throw error instanceof StoreError ? error : new StoreError('invalid_request', 'The body broke off.');
  }
}
