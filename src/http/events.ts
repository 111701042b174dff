import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, RouteOptions } from 'fastify';
import { checkInput } from '../domain/check.js';
import { StoreError } from '../domain/errors.js';
import { eventsAfter, newestEvent, streamEvents } from '../domain/events.js';
import type { LedgerEntry } from '../domain/ledger.js';
import type { Shop } from '../domain/shop.js';
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

/** Answers with the ledger as it grows. Every stream reads for itself, so a slow client holds up nobody; all wait for one poll. */
export function eventStreams(): EventStreams {
  const streams = new Map<Stream, AbortController>();
  let waiting: (() => void)[] = [];
  let poll: NodeJS.Timeout | undefined;
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
    poll = streams.size > 0 ? setTimeout(() => void look(shop), pollEvery) : undefined;
  };
  const changed = (after: number, ended: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (newest > after || ended.aborted) return resolve();
      waiting.push(resolve);
    });

  const run = async (stream: Stream, begin: number, ended: AbortSignal): Promise<void> => {
    let after = begin;
    while (!ended.aborted) {
      const entries = await stream.shop.call(eventsAfter, { after });
      const last = entries.at(-1);
      if (last === undefined) await changed(after, ended);
      else {
        await write(stream, entries.map(eventText).join(''), ended);
        after = last.id;
      }
    }
  };

  const open = (reply: FastifyReply, shop: Shop, begin: number): void => {
    const response = reply.raw;
    const stream: Stream = { response, shop };
    const control = new AbortController();
    const alive = setInterval(() => void response.write(': here\n\n'), sayAliveEvery);
    streams.set(stream, control);
    response.on('close', () => {
      clearInterval(alive);
      streams.delete(stream);
      control.abort();
      wake();
    });
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) response.setHeader(name, value);
    response.writeHead(200, { 'content-type': eventType, 'cache-control': 'no-store', connection: 'close' });
    response.write('retry: 1000\n\n');
    if (poll === undefined) void look(shop);
    run(stream, begin, control.signal).catch(() => response.destroy());
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
          if (streams.size >= maximumStreams) throw new StoreError('overloaded', `This server follows the ledger for ${maximumStreams} clients already.`);
          const shop = routing.shopFor(request);
          const lastEventId = request.headers['last-event-id'];
          const begin = await beginning(shop, typeof lastEventId === 'string' ? lastEventId : undefined, after);
          if (request.method === 'HEAD') return reply.type(eventType).send();
          open(reply, shop, begin);
        },
      };
    },
    count: () => streams.size,
    end: () => {
      for (const [{ response }, control] of streams) {
        control.abort();
        response.end();
      }
      clearTimeout(poll);
      wake();
    },
  };
}
