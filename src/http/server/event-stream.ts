import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { checkInput } from '../../domain/check-input.js';
import { StoreError } from '../../domain/errors.js';
import { eventsAfter, newestEvent } from '../../domain/ledger/follow-ledger.js';
import { eventIdOf, positionAfter, positionExpired, positionIn, type LedgerPosition } from '../../domain/ledger/ledger-position.js';
import { eventStream, ledgerNotice, noticesPerSecond, streamEvents } from '../../domain/ledger/stream-events.js';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.js';
import type { Shop } from '../../domain/shop.js';
import { authorize } from './authenticate.js';
import { clientSlots } from './client-slots.js';
import { clientKey } from './client-key.js';
import { scopeOf } from '../contract/operation-rules.js';
import { pollIntervalMs, watchLedger, type LedgerWatch } from './ledger-watch.js';
import type { OperationRoute, Routing } from './routes.js';
import { writerOf } from './json-writer.js';
import { streamedAnswer, type StreamedAnswer } from './streamed-answer.js';
import { errorRecord } from './errors.js';
import { headerNames } from '../contract/headers.js';

const streamHeaders = { 'content-type': `${eventStream}; charset=utf-8`, 'cache-control': 'no-store', connection: 'close' };
// The token is checked as often: a page whose token was revoked must be signed out within 15 s, which includes its reconnect.
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

const writeEntry = writerOf(streamEvents.output);
const writeNotice = writerOf(ledgerNotice);

function eventText(entry: LedgerEntry): string {
  return `id: ${eventIdOf(positionAfter(entry))}\nevent: ${entry.kind}\ndata: ${writeEntry(entry)}\n\n`;
}

function noticeText(newest: LedgerPosition, entries: number): string {
  return `id: ${eventIdOf(newest)}\nevent: notice\ndata: ${writeNotice({ newest: newest.id, entries })}\n\n`;
}

/** Ends a stream whose position the ledger no longer has. Without an id: a client that reconnects with its last one is refused. */
function expiredText(refusal: StoreError): string {
  return `event: expired\ndata: ${JSON.stringify(errorRecord(refusal))}\n\n`;
}

/** Where a stream starts. */
interface Start {
  /** The position of the client. */
  readonly after: LedgerPosition;
  readonly newest: LedgerPosition;
  /** How often the ledger had lost entries before it was read. */
  readonly losses: number;
}

/**
 * Starts after Last-Event-ID or `after`, otherwise after the newest entry. Refuses a text that is no event id with
 * `invalid_cursor`, and a position that the ledger no longer has with `cursor_expired`.
 */
async function startOf(shop: Shop, eventId: string | undefined, losses: number): Promise<Start> {
  const seen = eventId === undefined ? undefined : positionIn(eventId);
  if (eventId !== undefined && seen === undefined) throw new StoreError('invalid_cursor', 'Last-Event-ID is not the id of an event; start again without it.');
  const { newest, hasSeen } = await shop.call(newestEvent, { seen });
  if (seen !== undefined && !hasSeen) throw positionExpired(seen);
  return { after: seen ?? newest, newest, losses };
}

/** Lets one stream proceed in each turn of the event loop, in the order of the calls. */
function oneEachTurn(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => setImmediate()));
}

/** One open stream. */
interface Stream {
  readonly answer: StreamedAnswer;
  readonly shop: Shop;
  /** Refuses when the token is no longer valid. */
  readonly checkAccess: () => Promise<void>;
  readonly start: Start;
  readonly watch: LedgerWatch;
}

/** Writes entries until the client disconnects, its token becomes invalid, or the ledger no longer has the last one. */
async function writeEntries({ answer, shop, checkAccess, start, watch: { changed, losses } }: Stream, nextTurn: () => Promise<void>): Promise<void> {
  let position = start.after;
  let wasEmpty = false;
  while (!answer.over.aborted) {
    // SQLite and a socket with room complete without I/O: without a pause a stream would block the event loop.
    await nextTurn();
    const known = losses();
    const { entries, last } = await shop.call(eventsAfter, { after: position });
    position = last;
    // If the last poll was before the ledger lost entries, `changed` resolves at once until the next one.
    if (entries.length === 0 && wasEmpty) await sleep(pollIntervalMs, undefined, { signal: answer.over }).catch(() => undefined);
    wasEmpty = entries.length === 0;
    if (wasEmpty) await changed(position.id, known, answer.over);
    else {
      // The token may have been revoked or expired since the last entries.
      await checkAccess();
      await answer.write(entries.map(eventText).join(''));
    }
  }
}

/** Writes notices of new entries until the client disconnects, its token becomes invalid, or entries are lost. Reads no entries: a million of them cost as much as one. */
async function writeNotices({ answer, checkAccess, start, watch: { changed, newest, losses } }: Stream): Promise<void> {
  await answer.write(noticeText(start.newest, start.newest.id - start.after.id));
  let after = start.newest;
  while (!answer.over.aborted) {
    await sleep(1000 / noticesPerSecond, undefined, { signal: answer.over }).catch(() => undefined);
    await changed(after.id, start.losses, answer.over);
    if (losses() > start.losses) throw positionExpired(after);
    const last = newest();
    if (last.id <= after.id) continue;
    await checkAccess();
    await answer.write(noticeText(last, last.id - after.id));
    after = last;
  }
}

/** Writes a stream until it ends; `onError` is called with the error that ended it. */
async function runStream({ answer, checkAccess }: Stream, write: () => Promise<void>, onError: (error: unknown) => void): Promise<void> {
  const fail = async (error: unknown): Promise<void> => {
    // A read may fail after the end of the stream, when the shop is closed.
    if (answer.over.aborted) return;
    onError(error);
    if (error instanceof StoreError && error.code === 'cursor_expired') await answer.write(expiredText(error)).catch(() => undefined);
    answer.end();
  };
  const keepAlive = async (): Promise<void> => {
    await checkAccess();
    await answer.write(comment);
  };
  const timer = setInterval(() => void keepAlive().catch(fail), keepAliveIntervalMs);
  answer.over.addEventListener('abort', () => clearInterval(timer));
  try {
    await answer.write('retry: 1000\n\n');
    await write();
  } catch (error) {
    await fail(error);
  }
}

/** The event streams of the ledger. Each reads its own entries, so that a slow client delays no other; one poll serves all. */
export function eventStreams(): EventStreams {
  const answers = new Set<StreamedAnswer>();
  const watch = watchLedger(() => answers.size > 0);
  let isStopping = false;
  const nextTurn = oneEachTurn();
  const slots = clientSlots(maximumStreams, 'event streams');
  return {
    route: ({ shopFor, authenticate, refusalFor }) => ({
      operation: streamEvents,
      handler: async (request, reply, input) => {
        const { after, notices } = checkInput(streamEvents, input);
        const shop = shopFor(request);
        const lastEventId = request.headers[headerNames.lastEventId];
        const start = await startOf(shop, typeof lastEventId === 'string' ? lastEventId : after, watch.losses());
        if (request.method === 'HEAD') return streamedAnswer(reply, streamHeaders).end();
        if (isStopping) throw new StoreError('shutting_down', 'The server is shutting down.');
        const release = slots.acquire(clientKey(request));
        const answer = streamedAnswer(reply, streamHeaders);
        if (answer.over.aborted) return release();
        answers.add(answer);
        answer.over.addEventListener('abort', () => {
          answers.delete(answer);
          release();
        });
        watch.start(shop, start.newest);
        const checkAccess = async (): Promise<void> => authorize(await authenticate(request), scopeOf(streamEvents));
        const stream: Stream = { answer, shop, checkAccess, start, watch };
        const write = (): Promise<void> => (notices ? writeNotices(stream) : writeEntries(stream, nextTurn));
        return void runStream(stream, write, (error) => void refusalFor(error, request));
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
