import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, RouteOptions } from 'fastify';
import { checkInput } from '../domain/check.js';
import { StoreError } from '../domain/errors.js';
import { eventsAfter, newestEvent, streamEvents } from '../domain/events.js';
import type { LedgerEntry } from '../domain/ledger.js';
import type { Shop } from '../domain/shop.js';
import { checkAllowed } from './door.js';
import { scopeOf } from './guard.js';
import { inputOf, mark, urlOf, type Routing } from './routes.js';
import { writerOf } from './shape.js';
import { parametersOf, type Described } from './wire.js';

const eventType = 'text/event-stream; charset=utf-8';
const pollEvery = 100;
const sayAliveEvery = 15_000;
const maximumStreams = 200;

/** The event streams of one server. */
export interface EventStreams {
  readonly route: (routing: Routing) => RouteOptions;
  readonly count: () => number;
  /** Ends every stream; their clients come back with the id of the last event they saw. */
  readonly end: () => void;
}

interface Stream {
  readonly response: ServerResponse;
  readonly shop: Shop;
  /** Refuses when the client may no longer read. */
  readonly check: () => Promise<void>;
}

const writeEntry = writerOf(streamEvents.output);

function eventText(entry: LedgerEntry): string {
  return `id: ${entry.id}\nevent: ${entry.kind}\ndata: ${writeEntry(entry)}\n\n`;
}

async function write({ response }: Stream, text: string, ended: AbortSignal): Promise<void> {
  if (!response.write(text)) await once(response, 'drain', { signal: ended });
}

/** The id after which a stream begins: the last one its client saw, or the newest there is. */
async function beginning(shop: Shop, lastEventId: string | undefined, after: number | undefined): Promise<number> {
  const newest = (await shop.call(newestEvent, {})).id;
  if (lastEventId === undefined && after === undefined) return newest;
  const seen = lastEventId === undefined ? after : /^(0|[1-9][0-9]{0,15})$/.test(lastEventId) ? Number(lastEventId) : undefined;
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
async function run(stream: Stream, begin: number, { grown }: Watch, ended: AbortSignal): Promise<void> {
  let after = begin;
  while (!ended.aborted) {
    const entries = await stream.shop.call(eventsAfter, { after });
    const last = entries.at(-1);
    if (last === undefined) await grown(after, ended);
    else {
      // The token may have been revoked since the stream began.
      await stream.check();
      await write(stream, entries.map(eventText).join(''), ended);
      after = last.id;
    }
  }
}

/** Begins the answer that does not end. */
function takeOver(reply: FastifyReply): ServerResponse {
  const response = reply.raw;
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) response.setHeader(name, value);
  response.writeHead(200, { 'content-type': eventType, 'cache-control': 'no-store', connection: 'close' });
  response.write('retry: 1000\n\n');
  return response;
}

/** Answers with the ledger as it grows. Every stream reads for itself, so a slow client holds up nobody; all wait for one poll. */
export function eventStreams(): EventStreams {
  const streams = new Map<Stream, AbortController>();
  const watch = ledgerWatch(() => streams.size > 0);
  let isOver = false;

  const open = (reply: FastifyReply, client: Omit<Stream, 'response'>, begin: number): void => {
    if (isOver) throw new StoreError('shutting_down', 'This server is about to end.');
    if (streams.size >= maximumStreams) throw new StoreError('overloaded', `This server follows the ledger for ${maximumStreams} clients already.`);
    const response = takeOver(reply);
    const stream: Stream = { ...client, response };
    const control = new AbortController();
    const sayAlive = async (): Promise<void> => {
      await client.check();
      response.write(': here\n\n');
    };
    const alive = setInterval(() => void sayAlive().catch(() => response.end()), sayAliveEvery);
    streams.set(stream, control);
    response.on('close', () => {
      clearInterval(alive);
      streams.delete(stream);
      control.abort();
      watch.wake();
    });
    watch.begin(client.shop);
    run(stream, begin, watch, control.signal).catch(() => response.end());
  };

  return {
    route: (routing) => {
      const described = streamEvents as unknown as Described;
      const parameters = parametersOf(described);
      return {
        method: 'GET',
        url: urlOf(described, routing.basePath),
        handler: async (request, reply) => {
          mark(described, routing, request, reply);
          const { after } = checkInput(streamEvents, inputOf(parameters, request));
          const shop = routing.shopFor(request);
          const lastEventId = request.headers['last-event-id'];
          const begin = await beginning(shop, typeof lastEventId === 'string' ? lastEventId : undefined, after);
          if (request.method === 'HEAD') return reply.type(eventType).send();
          const check = async (): Promise<void> => checkAllowed(await routing.door.whoIs(request), scopeOf(streamEvents));
          open(reply, { shop, check }, begin);
        },
      };
    },
    count: () => streams.size,
    end: () => {
      isOver = true;
      for (const [{ response }, control] of streams) {
        control.abort();
        response.end();
      }
      watch.stop();
    },
  };
}
