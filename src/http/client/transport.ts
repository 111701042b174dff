import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { withoutTrailingSlashes } from '../../domain/values/text.js';
import { answerTooLong } from './check-shape.js';

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

/** How to reach a shop through a server. */
export interface RemoteOptions {
  readonly address: URL;
  readonly token: string | undefined;
  /** The name for the ledger; with a token the server uses the name of the token. */
  readonly actor: string;
  /** How long to retry when the connection fails. */
  readonly waitSeconds: number;
  /** How long a complete answer may take; the default is 120 s. */
  readonly answerMs?: number;
  /** Allows sending a token unencrypted to another machine. */
  readonly insecure: boolean;
}

/** What all requests to one server share. */
export interface RemoteConnection extends Pick<RemoteOptions, 'waitSeconds'> {
  readonly transport: Transport;
  readonly where: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The connection failed before the answer was complete. The server may have processed the request. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

// The server refuses a locked shop after 10 s, so it is never silent for longer.
const defaultSilenceMs = 60_000;
const defaultAnswerMs = 120_000;

/** The maximum size of an answer. */
export const maximumAnswerBytes = 32 << 20;
/** The maximum size of a refusal. */
export const maximumRefusalBytes = 1 << 20;

/** A network error as the end of a sentence; one that ended a request has its reason as the cause. */
function reasonOf({ code, message, name, cause }: NodeJS.ErrnoException): string {
  if (name === 'AbortError' && cause instanceof Error) return cause.message;
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknown host';
  if (code === 'EPROTO') return 'the server does not use https';
  if (code === 'ECONNRESET') return 'connection reset';
  return message.replace(/\.$/, '');
}

function lostBy(error: Error): ConnectionLostError {
  return new ConnectionLostError(reasonOf(error), { cause: error });
}

// How long to wait for an answer after sending the body failed.
const answerAfterBreakMs = 1000;

/** Aborts when the whole answer takes longer than `answerMs`. */
function timeLimit(answerMs: number): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error(`the server has not answered in full within ${answerMs / 1000} s`));
  if (answerMs !== Infinity) setTimeout(stop, answerMs).unref();
  return controller.signal;
}

/** Opens a transport to the server at an address; `limitMs` is the default of `answerMs`. */
export function openTransport(address: URL, limitMs = defaultAnswerMs): Transport {
  const { Agent, request } = address.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const base = withoutTrailingSlashes(address.pathname);
  return {
    send: ({ method, path, headers, body, silenceMs = defaultSilenceMs, answerMs = limitMs }) =>
      new Promise((resolve, reject) => {
        const signal = timeLimit(answerMs);
        const sent = request(new URL(`${base}${path}`, address), { method, agent, headers, timeout: silenceMs, signal });
        sent.on('response', (message) => resolve(addAbortSignal(signal, message)));
        sent.on('timeout', () => sent.destroy(new Error('the server stopped sending')));
        if (typeof body !== 'object') {
          sent.on('error', (error) => reject(lostBy(error)));
          sent.end(body);
          return;
        }
        const source = Readable.from(body);
        sent.on('error', (error) => {
          // A file that cannot be read is not an error of the connection.
          if (source.errored) return reject(source.errored);
          // A server that refuses a file answers before it has read everything; then its answer counts, not the broken pipe.
          return void setTimeout(() => reject(lostBy(error)), answerAfterBreakMs);
        });
        // Ends the request with its error, which is handled there.
        pipeline(source, sent).catch(() => undefined);
      }),
    close: () => agent.destroy(),
  };
}

/** The parts of an answer. Throws `ConnectionLostError` when it is incomplete. */
async function* partsOf<Part>(message: IncomingMessage): AsyncGenerator<Part, void> {
  try {
    yield* message as AsyncIterable<Part>;
  } catch (error) {
    throw lostBy(error as Error);
  }
}

/** Reads the text of an answer; refuses one larger than `maximumBytes` with `store_unreachable`. Throws `ConnectionLostError` when it is incomplete. */
export async function textOf(message: IncomingMessage, maximumBytes: number, where: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of partsOf<Buffer>(message)) {
    bytes += chunk.length;
    if (bytes > maximumBytes) throw answerTooLong(where, maximumBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The lines of an answer as they arrive; refuses one above the limit with `store_unreachable`. Throws `ConnectionLostError` when the answer is incomplete. */
export async function* linesOf(message: IncomingMessage, maximumLine: number, where: string): AsyncGenerator<string, void> {
  message.setEncoding('utf8');
  let parts: string[] = [];
  let held = 0;
  for await (const text of partsOf<string>(message)) {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      yield [...parts, text.slice(start, end)].join('');
      parts = [];
      held = 0;
      start = end + 1;
    }
    parts.push(text.slice(start));
    held += text.length - start;
    if (held > maximumLine) throw answerTooLong(where, maximumLine);
  }
  const rest = parts.join('');
  if (rest !== '') yield rest;
}
