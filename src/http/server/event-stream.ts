import type { FastifyReply } from 'fastify';
import { checkInput } from '../../domain/check-input.js';
import { StoreError } from '../../domain/errors.js';
import { eventsAfter, newestEvent } from '../../domain/ledger/follow-ledger.js';
import { eventStream, streamEvents } from '../../domain/ledger/stream-events.js';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.js';
import type { Shop } from '../../domain/shop.js';
import { checkAllowed } from './authenticate.js';
import { scopeOf } from '../contract/scopes.js';
import type { OperationRoute, Routing } from './routes.js';
import { writerOf } from './json-writer.js';
import { streamedAnswer, type StreamedAnswer } from './streamed-answer.js';
import { eventIdPattern, headerNames } from '../contract/headers.js';

const eventType = `${eventStream}; charset=utf-8`;
const pollEvery = 100;
const sayAliveEvery = 15_000;
const maximumStreams = 200;

/** The event streams of one server. */
export interface EventStreams {
  readonly route: (routing: Routing) => OperationRoute;
  readonly count: () => number;
  /** Ends every stream; their clients come back with the id of the last event they saw. */
  readonly end: () => void;
}

/** Who reads a stream. */
interface Reader {
  readonly shop: Shop;
  /** Refuses when the client may no longer read. */
  readonly check: () => Promise<void>;
  /** Told why a stream ended before its client went. */
  readonly failed: (error: unknown) => void;
}

const writeEntry = writerOf(streamEvents.output);

function eventText(entry: LedgerEntry): string {
  return `id: ${entry.id}\nevent: ${entry.kind}\ndata: ${writeEntry(entry)}\n\n`;
}

/** The id after which a stream begins: the last one its client saw, or the newest there is. */
async function beginning(shop: Shop, lastEventId: string | undefined, after: number | undefined): Promise<number> {
  const newest = (await shop.call(newestEvent, {})).id;
  if (lastEventId === undefined && after === undefined) return newest;
  const seen = lastEventId === undefined ? after : eventIdPattern.test(lastEventId) ? Number(lastEventId) : undefined;
  if (seen === undefined || seen > newest) throw new StoreError('invalid_cursor', 'The last event id is not one of this ledger; begin again without it.');
  return seen;
}

/** Tells everybody who waits that the ledger grew, by one poll for all of them. */
interface Watch {
  /** Polls from now on for as long as anybody needs it. */
  readonly begin: (shop: Shop) => void;
  /** Resolves when the ledger has grown beyond an entry, or nobody waits for that any more. */
  readonly grown: (after: number, ended: AbortSignal) => Promise<void>;
  readonly wake: () => void;
  readonly stop: () => void;
}

function ledgerWatch(isNeeded: () => boolean): Watch {
  let waiting: (() => void)[] = [];
  let poll: NodeJS.Timeout | undefined;
  let polling = false;
  let newest = 0;
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  const look = async (shop: Shop): Promise<void> => {
    const { id } = await shop.call(newestEvent, {}).catch(() => ({ id: newest }));
    if (id > newest) wake();
    newest = Math.max(newest, id);
    polling = isNeeded();
    poll = polling ? setTimeout(() => void look(shop), pollEvery) : undefined;
  };
  return {
    begin: (shop) => {
      if (polling) return;
      polling = true;
      void look(shop);
    },
    grown: (after, ended) =>
      new Promise((resolve) => {
        if (newest > after || ended.aborted) return resolve();
        waiting.push(resolve);
      }),
    wake,
    stop: () => {
      clearTimeout(poll);
      wake();
    },
  };
}

/** Writes entries until the client has gone, or may no longer read them. */
async function run(answer: StreamedAnswer, { shop, check }: Reader, begin: number, { grown }: Watch): Promise<void> {
  let after = begin;
  while (!answer.over.aborted) {
    const entries = await shop.call(eventsAfter, { after });
    const last = entries.at(-1);
    if (last === undefined) await grown(after, answer.over);
    else {
      // The token may have been revoked since the stream began.
      await check();
      await answer.write(entries.map(eventText).join(''));
      after = last.id;
    }
  }
}

/** Answers with the ledger as it grows. Every stream reads for itself, so a slow client holds up nobody; all wait for one poll. */
export function eventStreams(): EventStreams {
  const answers = new Set<StreamedAnswer>();
  const watch = ledgerWatch(() => answers.size > 0);
  let isOver = false;

  const open = (reply: FastifyReply, reader: Reader, begin: number): void => {
    if (isOver) throw new StoreError('shutting_down', 'This server is about to end.');
    if (answers.size >= maximumStreams) throw new StoreError('overloaded', `This server follows the ledger for ${maximumStreams} clients already.`);
    const answer = streamedAnswer(reply, { 'content-type': eventType, 'cache-control': 'no-store', connection: 'close' });
    if (answer.over.aborted) return;
    const sayAlive = async (): Promise<void> => {
      await reader.check();
      await answer.write(': here\n\n');
    };
    const fail = (error: unknown): void => {
      reader.failed(error);
      answer.end();
    };
    const alive = setInterval(() => void sayAlive().catch(fail), sayAliveEvery);
    answers.add(answer);
    answer.over.addEventListener('abort', () => {
      clearInterval(alive);
      answers.delete(answer);
      watch.wake();
    });
    watch.begin(reader.shop);
    answer
      .write('retry: 1000\n\n')
      .then(() => run(answer, reader, begin, watch))
      .catch(fail);
  };

  return {
    route: ({ shopFor, door, refusalFor }) => ({
      operation: streamEvents,
      handler: async (request, reply, input) => {
        const { after } = checkInput(streamEvents, input);
        const shop = shopFor(request);
        const lastEventId = request.headers[headerNames.lastEventId];
        const begin = await beginning(shop, typeof lastEventId === 'string' ? lastEventId : undefined, after);
        if (request.method === 'HEAD') return reply.type(eventType).send();
        const check = async (): Promise<void> => checkAllowed(await door.whoIs(request), scopeOf(streamEvents));
        open(reply, { shop, check, failed: (error) => void refusalFor(error, request) }, begin);
      },
    }),
    count: () => answers.size,
    end: () => {
      isOver = true;
      for (const answer of answers) answer.end();
      watch.stop();
    },
  };
}
