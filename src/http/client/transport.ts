import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { withoutTrailingSlashes } from '../../domain/values/text.js';

/** One request of our client. */
export interface Asking {
  readonly method: string;
  /** The path below the server's address, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
  /** How long the server may say nothing before it is taken for gone. */
  readonly silenceMs?: number;
  /** How long the whole answer may take; Infinity for one that goes on until its reader leaves. */
  readonly answerMs?: number;
}

/** Sends requests to one server over a few connections that stay open. */
export interface Exchange {
  /** The head of the answer, its body still to be read. Refuses with `Lost` when the connection fails. */
  readonly ask: (asking: Asking) => Promise<IncomingMessage>;
  readonly close: () => void;
}

/** The connection failed before the answer was whole: what was asked may or may not have happened. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

/** The whole answer has not come in time. */
class AnswerTimeoutError extends Error {
  override readonly name = 'AnswerTimeoutError';
}

// A server answers a locked shop after ten seconds itself.
const usualSilenceMs = 60_000;
const usualAnswerMs = 120_000;

/** The most bytes that are read of an answer. */
export const maximumAnswer = 32 << 20;
/** The most bytes that are read of a refusal. */
export const maximumRefusal = 1 << 20;

/** What went wrong with a connection, in words. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'nobody listens there';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no machine of that name is known';
  if (code === 'EPROTO') return 'it does not speak https';
  if (code === 'ECONNRESET') return 'the connection broke off';
  return message;
}

// How long an answer that is on its way may still take after the pipe to the server broke, in ms.
const answerAfterBreak = 1000;

/** The same bytes, and what went wrong with them: a file that cannot be read is no fault of the connection. */
function watched(bytes: AsyncIterable<Uint8Array>): { readonly bytes: AsyncIterable<Uint8Array>; readonly failure: () => Error | undefined } {
  let failure: Error | undefined;
  const pass = async function* pass(): AsyncGenerator<Uint8Array, void> {
    const source = bytes[Symbol.asyncIterator]();
    try {
      for (;;) {
        // Not around the yield: there a connection that broke throws its own error into us.
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

/** Ends a request whose answer is not whole in time. */
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

/** A way to talk to the server at an address; `usualMs` is how long an answer may take where a request says nothing else. */
export function exchangeWith(address: URL, usualMs = usualAnswerMs): Exchange {
  const { Agent, request } = address.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const base = withoutTrailingSlashes(address.pathname);
  return {
    ask: ({ method, path, headers, body, silenceMs = usualSilenceMs, answerMs = usualMs }) =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(`${base}${path}`, address), { method, agent, headers, timeout: silenceMs });
        limitTime(sent, answerMs);
        const lost = (error: Error): void => reject(new Lost(reasonOf(error), { cause: error }));
        sent.on('response', resolve);
        sent.on('timeout', () => sent.destroy(new Error('the server has gone silent')));
        if (typeof body !== 'object') {
          sent.on('error', lost);
          sent.end(body);
          return;
        }
        // A server that refuses a file answers before it has read all of it; its answer counts, not the pipe that broke.
        const broken = (error: Error): void => void setTimeout(lost, answerAfterBreak, error);
        sent.on('error', broken);
        const source = watched(body);
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

/** What went wrong while an answer was read. */
function lostWhileReading(error: unknown): Lost {
  return new Lost(error instanceof AnswerTimeoutError ? error.message : 'The answer broke off.', { cause: error });
}

/** The whole text of an answer, or undefined where it has more bytes than that; refuses with `Lost` when it breaks off. */
export async function textOf(message: IncomingMessage, maximumBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maximumBytes) {
        message.destroy();
        return undefined;
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw lostWhileReading(error);
  }
  if (!message.complete) throw new Lost('The answer broke off.');
  return Buffer.concat(chunks).toString('utf8');
}

/** An answer line by line, as it comes; a line above the limit ends it as undefined. Refuses with `Lost` when it breaks off. */
export async function* linesOf(message: IncomingMessage, maximumLine: number): AsyncGenerator<string | undefined, void> {
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
        yield undefined;
        return;
      }
    }
  } catch (error) {
    throw error instanceof AnswerTimeoutError ? lostWhileReading(error) : new Lost(error instanceof Error ? reasonOf(error) : String(error), { cause: error });
  }
  const rest = parts.join('');
  if (rest !== '') yield rest;
}
