import type { FastifyReply } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkInput } from '../../domain/check-input.js';
import { StoreError } from '../../domain/errors.js';
import { eventsAfter, newestEvent } from '../../domain/ledger/follow-ledger.js';
import { eventStream, ledgerNotice, noticesPerSecond, streamEvents } from '../../domain/ledger/stream-events.js';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.js';
import type { Shop } from '../../domain/shop.js';
import { authorize } from './authenticate.js';
import { clientSlots } from './client-slots.js';
import { clientKey } from './rate-limit.js';
import { scopeOf } from '../contract/scopes.js';
import type { OperationRoute, Routing } from './routes.js';
import { writerOf } from './json-writer.js';
import { streamedAnswer, type StreamedAnswer } from './streamed-answer.js';
import { eventIdPattern, headerNames } from '../contract/headers.js';

const streamHeaders = { 'content-type': `${eventStream}; charset=utf-8`, 'cache-control': 'no-store', connection: 'close' };
const pollIntervalMs = 100;
// The token is checked as often: a page whose token was revoked must be out within 15 s, and needs a part of them to reconnect.
const keepAliveIntervalMs = 10_000;
// Clients ignore lines that begin with a colon.
const comment = ': here\n\n';
const maximumStreams = 200;

/** The event streams of one server. */
export interface EventStreams {
  readonly route: (routing: Routing) => OperationRoute;
  readonly count: () => number;
  /** Ends every stream; clients reconnect with Last-Event-ID. */
  readonly end: () => void;
}

/** The client of one stream. */
interface StreamReader {
  readonly client: string;
  readonly shop: Shop;
  /** Refuses when the token is no longer valid. */
  readonly checkAccess: () => Promise<void>;
  /** Called with the error that ended the stream. */
  readonly onError: (error: unknown) => void;
}

const writeEntry = writerOf(streamEvents.output);
const writeNotice = writerOf(ledgerNotice);

function eventText(entry: LedgerEntry): string {
  return `id: ${entry.id}\nevent: ${entry.kind}\ndata: ${writeEntry(entry)}\n\n`;
}

function noticeText(newest: number, entries: number): string {
  return `id: ${newest}\nevent: notice\ndata: ${writeNotice({ newest, entries })}\n\n`;
}

/** Where a stream starts. */
interface Position {
  /** The id of the last entry that the client has. */
  readonly after: number;
  /** The id of the newest entry. */
  readonly newest: number;
}

/** Starts after Last-Event-ID or `after`, otherwise after the newest entry. Refuses an id that is not in the ledger with `invalid_cursor`. */
async function firstPosition(shop: Shop, lastEventId: string | undefined, after: number | undefined): Promise<Position> {
  const newest = (await shop.call(newestEvent, {})).id;
  if (lastEventId === undefined && after === undefined) return { after: newest, newest };
  const seen = lastEventId === undefined ? after : eventIdPattern.test(lastEventId) ? Number(lastEventId) : undefined;
  if (seen === undefined || seen > newest) throw new StoreError('invalid_cursor', 'Last-Event-ID is not in this ledger; start again without it.');
  return { after: seen, newest };
}

/** Watches the ledger for all streams with one poll. */
interface LedgerWatch {
  /** Starts polling, unless it runs; it stops when no stream is open. */
  readonly start: (shop: Shop) => void;
  /** Resolves when there are entries after an id, or when the stream ended. */
  readonly grown: (after: number, ended: AbortSignal) => Promise<void>;
  /** The id of the newest entry that was seen. */
  readonly newest: () => number;
  readonly wake: () => void;
  readonly stop: () => void;
}

function watchLedger(isNeeded: () => boolean): LedgerWatch {
  let waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let polling = false;
  let newest = 0;
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  const poll = async (shop: Shop): Promise<void> => {
    const { id } = await shop.call(newestEvent, {}).catch(() => ({ id: newest }));
    if (id > newest) wake();
    newest = Math.max(newest, id);
    polling = isNeeded();
    timer = polling ? setTimeout(() => void poll(shop), pollIntervalMs) : undefined;
  };
  return {
    start: (shop) => {
      if (polling) return;
      polling = true;
      void poll(shop);
    },
    grown: (after, ended) =>
      new Promise((resolve) => {
        if (newest > after || ended.aborted) return resolve();
        waiting.push(resolve);
      }),
    newest: () => newest,
    wake,
    stop: () => {
      clearTimeout(timer);
      wake();
    },
  };
}

/** Lets one stream proceed in each turn of the event loop, in the order of the calls. */
function oneEachTurn(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const proceed = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(proceed);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(proceed);
    });
}

/** Writes entries until the client disconnects or its token becomes invalid. */
async function writeEntries(
  answer: StreamedAnswer,
  { shop, checkAccess }: StreamReader,
  start: number,
  { grown }: LedgerWatch,
  nextTurn: () => Promise<void>,
): Promise<void> {
  let after = start;
  while (!answer.over.aborted) {
    // SQLite and a socket with room complete without I/O: without a pause a stream would block the event loop.
    await nextTurn();
    const entries = await shop.call(eventsAfter, { after });
    const last = entries.at(-1);
    if (last === undefined) await grown(after, answer.over);
    else {
      // The token may have been revoked or expired since the last entries.
      await checkAccess();
      await answer.write(entries.map(eventText).join(''));
      after = last.id;
    }
  }
}

/** Writes notices of new entries until the client disconnects or its token becomes invalid. Reads no entries: a million of them cost as much as one. */
async function writeNotices(answer: StreamedAnswer, { checkAccess }: StreamReader, start: Position, { grown, newest }: LedgerWatch): Promise<void> {
  await answer.write(noticeText(start.newest, start.newest - start.after));
  let after = start.newest;
  while (!answer.over.aborted) {
    await sleep(1000 / noticesPerSecond, undefined, { signal: answer.over }).catch(() => undefined);
    await grown(after, answer.over);
    const last = newest();
    if (last <= after) continue;
    await checkAccess();
    await answer.write(noticeText(last, last - after));
    after = last;
  }
}

/** The event streams of the ledger. Each reads its own entries, so that a slow client delays no other; one poll serves all. */
export function eventStreams(): EventStreams {
  const answers = new Set<StreamedAnswer>();
  const watch = watchLedger(() => answers.size > 0);
  let isStopping = false;
  const nextTurn = oneEachTurn();
  const slots = clientSlots(maximumStreams, 'event streams');

  const open = (reply: FastifyReply, reader: StreamReader, follow: (answer: StreamedAnswer) => Promise<void>): void => {
    if (isStopping) throw new StoreError('shutting_down', 'The server is shutting down.');
    const release = slots.acquire(reader.client);
    const answer = streamedAnswer(reply, streamHeaders, comment);
    if (answer.over.aborted) return release();
    const keepAlive = async (): Promise<void> => {
      await reader.checkAccess();
      await answer.write(comment);
    };
    const fail = (error: unknown): void => {
      reader.onError(error);
      answer.end();
    };
    const timer = setInterval(() => void keepAlive().catch(fail), keepAliveIntervalMs);
    answers.add(answer);
    answer.over.addEventListener('abort', () => {
      clearInterval(timer);
      answers.delete(answer);
      release();
      watch.wake();
    });
    watch.start(reader.shop);
    answer
      .write('retry: 1000\n\n')
      .then(() => follow(answer))
      .catch(fail);
  };

  return {
    route: ({ shopFor, authenticate, refusalFor }) => ({
      operation: streamEvents,
      handler: async (request, reply, input) => {
        const { after, notices } = checkInput(streamEvents, input);
        const shop = shopFor(request);
        const lastEventId = request.headers[headerNames.lastEventId];
        const start = await firstPosition(shop, typeof lastEventId === 'string' ? lastEventId : undefined, after);
        if (request.method === 'HEAD') return streamedAnswer(reply, streamHeaders, comment).end();
        const checkAccess = async (): Promise<void> => authorize(await authenticate(request), scopeOf(streamEvents));
        const reader: StreamReader = { client: clientKey(request), shop, checkAccess, onError: (error) => void refusalFor(error, request) };
        open(reply, reader, (answer) => (notices ? writeNotices(answer, reader, start, watch) : writeEntries(answer, reader, start.after, watch, nextTurn)));
      },
    }),
    count: () => answers.size,
    end: () => {
      isStopping = true;
      for (const answer of answers) answer.end();
      watch.stop();
    },
  };
}
