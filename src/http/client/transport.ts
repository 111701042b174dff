import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { withoutTrailingSlashes } from '../../domain/values/text.js';
import { answerTooLong } from './errors.js';

/** A request to the server. */
export interface TransportRequest {
  readonly method: string;
  /** The path below the server's address, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
  /** How long the connection may be silent. */
  readonly silenceMs?: number;
  /** How long the whole answer may take; Infinity for a stream. */
  readonly answerMs?: number;
}

/** Sends requests to one server over at most 8 open connections. */
export interface Transport {
  /** Sends a request; resolves with the head of the answer. Throws `ConnectionLostError` when the connection fails. */
  readonly send: (request: TransportRequest) => Promise<IncomingMessage>;
  readonly close: () => void;
}

/** The connection failed before the answer was complete. The server may have processed the request. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/** The complete answer did not arrive in time. */
class AnswerTimeoutError extends Error {
  override readonly name = 'AnswerTimeoutError';
}

// The server refuses a locked shop after 10 s, so it is never silent for longer.
const defaultSilenceMs = 60_000;
const defaultAnswerMs = 120_000;

/** The maximum size of an answer. */
export const maximumAnswerBytes = 32 << 20;
/** The maximum size of a refusal. */
export const maximumRefusalBytes = 1 << 20;

/** A network error for a message. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknown host';
  if (code === 'EPROTO') return 'the server does not use https';
  if (code === 'ECONNRESET') return 'connection reset';
  return message;
}

// How long to wait for an answer after sending the body failed.
const answerAfterBreakMs = 1000;

/** The same bytes, and the error of their source: a file that cannot be read is not an error of the connection. */
function watchSource(bytes: AsyncIterable<Uint8Array>): { readonly bytes: AsyncIterable<Uint8Array>; readonly failure: () => Error | undefined } {
  let failure: Error | undefined;
  const pass = async function* pass(): AsyncGenerator<Uint8Array, void> {
    const source = bytes[Symbol.asyncIterator]();
    try {
      for (;;) {
        // Only around next(): at the yield a broken connection throws its own error into this generator.
        const next = await source.next().catch((error: Error) => {
          failure = error;
          throw error;
        });
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await source.return?.();
    }
  };
  return { bytes: pass(), failure: () => failure };
}

/** Destroys a request whose answer is not complete in time. */
function limitTime(sent: http.ClientRequest, answerMs: number): void {
  if (answerMs === Infinity) return;
  let message: IncomingMessage | undefined;
  const timer = setTimeout(() => {
    const error = new AnswerTimeoutError(`the server has not answered in full within ${answerMs / 1000} s`);
    message?.destroy(error);
    sent.destroy(error);
  }, answerMs);
  sent.on('response', (response) => {
    message = response;
    response.on('close', () => clearTimeout(timer));
  });
  sent.on('close', () => clearTimeout(timer));
}

/** Opens a transport to the server at an address; `limitMs` is the default of `answerMs`. */
export function openTransport(address: URL, limitMs = defaultAnswerMs): Transport {
  const { Agent, request } = address.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const base = withoutTrailingSlashes(address.pathname);
  return {
    send: ({ method, path, headers, body, silenceMs = defaultSilenceMs, answerMs = limitMs }) =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(`${base}${path}`, address), { method, agent, headers, timeout: silenceMs });
        limitTime(sent, answerMs);
        const lost = (error: Error): void => reject(new ConnectionLostError(reasonOf(error), { cause: error }));
        sent.on('response', resolve);
        sent.on('timeout', () => sent.destroy(new Error('the server stopped sending')));
        if (typeof body !== 'object') {
          sent.on('error', lost);
          sent.end(body);
          return;
        }
        // A server that refuses a file answers before it has read everything; then its answer counts, not the broken pipe.
        const broken = (error: Error): void => void setTimeout(lost, answerAfterBreakMs, error);
        sent.on('error', broken);
        const source = watchSource(body);
        pipeline(Readable.from(source.bytes), sent).catch((error: Error) => {
          const failure = source.failure();
          if (failure === undefined) return broken(error);
          sent.destroy();
          return reject(failure);
        });
      }),
    close: () => agent.destroy(),
  };
}

/** The error for a failure while reading an answer. */
function readFailure(error: unknown): ConnectionLostError {
  return new ConnectionLostError(error instanceof AnswerTimeoutError ? error.message : 'The connection closed before the response was complete.', {
    cause: error,
  });
}

/** Reads the text of an answer; refuses one larger than `maximumBytes` with `store_unreachable`. Throws `ConnectionLostError` when it is incomplete. */
export async function textOf(message: IncomingMessage, maximumBytes: number, where: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maximumBytes) {
        message.destroy();
        break;
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw readFailure(error);
  }
  if (bytes > maximumBytes) throw answerTooLong(where, maximumBytes);
  if (!message.complete) throw new ConnectionLostError('The connection closed before the response was complete.');
  return Buffer.concat(chunks).toString('utf8');
}

/** The lines of an answer as they arrive; refuses one above the limit with `store_unreachable`. Throws `ConnectionLostError` when the answer is incomplete. */
export async function* linesOf(message: IncomingMessage, maximumLine: number, where: string): AsyncGenerator<string, void> {
  message.setEncoding('utf8');
  let parts: string[] = [];
  let held = 0;
  try {
    for await (const text of message as AsyncIterable<string>) {
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        yield [...parts, text.slice(start, end)].join('');
        [parts, held, start] = [[], 0, end + 1];
      }
      parts.push(text.slice(start));
      held += text.length - start;
      if (held > maximumLine) {
        message.destroy();
        break;
      }
    }
  } catch (error) {
    throw error instanceof AnswerTimeoutError
      ? readFailure(error)
      : new ConnectionLostError(error instanceof Error ? reasonOf(error) : String(error), { cause: error });
  }
  if (held > maximumLine) throw answerTooLong(where, maximumLine);
  const rest = parts.join('');
  if (rest !== '') yield rest;
}
