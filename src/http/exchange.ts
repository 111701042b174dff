import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { withoutTrailingSlashes } from '../domain/text.js';

/** One request of our client. */
export interface Asking {
  readonly method: string;
  /** The path below the server's address, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
  /** How long the server may say nothing before it is taken for gone, in ms. */
  readonly silence?: number;
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

// A server answers a locked shop after ten seconds itself.
const usualSilence = 60_000;

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

/** A way to talk to the server at an address. */
export function exchangeWith(address: URL): Exchange {
  const { Agent, request } = address.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const base = withoutTrailingSlashes(address.pathname);
  return {
    ask: ({ method, path, headers, body, silence = usualSilence }) =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(`${base}${path}`, address), { method, agent, headers, timeout: silence });
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

/** The whole text of an answer; refuses with `Lost` when it breaks off. */
export async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw new Lost('The answer broke off.', { cause: error });
  }
  if (!message.complete) throw new Lost('The answer broke off.');
  return Buffer.concat(chunks).toString('utf8');
}

/** An answer line by line, as it comes; refuses with `Lost` when it breaks off. */
export async function* linesOf(message: IncomingMessage): AsyncGenerator<string, void> {
  message.setEncoding('utf8');
  let rest = '';
  try {
    for await (const text of message as AsyncIterable<string>) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw new Lost(error instanceof Error ? reasonOf(error) : String(error), { cause: error });
  }
  if (rest !== '') yield rest;
}
