import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { StoreError } from '../../domain/errors.js';

/** An answer that is written piece by piece, no faster than its client reads. */
export interface StreamedAnswer {
  /** Writes a piece and waits until there is room for the next; refuses with `cancelled` once the answer is over. */
  readonly write: (text: string) => Promise<void>;
  readonly end: () => void;
  /** Aborts when nothing more can be written: the answer was ended, or its client has gone. */
  readonly over: AbortSignal;
}

function gone(): never {
  throw new StoreError('cancelled', 'The client has gone.');
}

/** Begins an answer with the headers the reply has and some more; whatever goes wrong from now on, its status is 200. */
export function streamedAnswer(reply: FastifyReply, headers: OutgoingHttpHeaders): StreamedAnswer {
  const response = reply.raw;
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) response.setHeader(name, value);
  response.writeHead(200, headers);
  const ending = new AbortController();
  response.once('close', () => ending.abort());
  // A client can go before its answer begins; nobody hears of that again.
  if (response.destroyed) ending.abort();
  const { signal: over } = ending;
  let room: Promise<unknown> | undefined;
  return {
    write: async (text) => {
      if (over.aborted) gone();
      if (response.write(text)) return;
      room ??= once(response, 'drain', { signal: over }).finally(() => (room = undefined));
      await room.catch(gone);
    },
    end: () => {
      ending.abort();
      response.end();
    },
    over,
  };
}
