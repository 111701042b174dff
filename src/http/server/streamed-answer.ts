import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { StoreError } from '../../domain/errors.js';

/** An answer written in parts, with back-pressure from the client. */
export interface StreamedAnswer {
  /** Writes a part and waits for buffer space; refuses with `cancelled` when the answer has ended. */
  readonly write: (text: string) => Promise<void>;
  readonly end: () => void;
  /** Aborts when the answer has ended or the client has disconnected. */
  readonly over: AbortSignal;
}

function gone(): never {
  throw new StoreError('cancelled', 'The client has disconnected.');
}

/** Sends status 200 and the headers at once: a later error cannot change the status. */
export function streamedAnswer(reply: FastifyReply, headers: OutgoingHttpHeaders): StreamedAnswer {
  const response = reply.raw;
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) response.setHeader(name, value);
  response.writeHead(200, headers);
  const ending = new AbortController();
  response.once('close', () => ending.abort());
  // The client may have disconnected earlier; then `close` is not emitted again.
  if (response.destroyed) ending.abort();
  const { signal: over } = ending;
  const waitForSpace = (): Promise<unknown> => once(response, 'drain', { signal: over }).catch(gone);
  return {
    write: async (text) => {
      if (over.aborted) gone();
      // Writing restarts the time after which a client that reads nothing is disconnected.
      if (response.writableNeedDrain) await waitForSpace();
      if (!response.write(text)) await waitForSpace();
    },
    end: () => {
      ending.abort();
      response.end();
    },
    over,
  };
}
