import { computed, effect, signal } from '@preact/signals';
import { jitter, now, wait, waitForNetwork } from '../clock.js';
import { basePath } from '../server/base-path.js';
import { call } from '../server/call.js';
import { RefusalError } from '../server/refusal.js';
import { isSignedIn, may } from '../session.js';
import { followEvents } from './event-stream.js';
import { markStale } from './stale.js';
import { isInUse, isVisible } from './visibility.js';

/** Whether figures follow the shop; times in ms since 1970. */
export type Liveness = { readonly state: 'connecting' | 'live' } | { readonly state: 'lost' | 'paused'; readonly since: number };

/** Whether the page follows the shop at the moment. */
export const liveness = signal<Liveness>({ state: 'connecting' });

/** Whether somebody stopped the page from following the shop. */
export const isPaused = signal(false);

/** Whether this page follows the shop: somebody looks at it and has not paused it. */
const isWanted = computed(() => may('listLedger') && isInUse.value && !isPaused.value);

/** The event id of the newest ledger entry that this page knows of, or the id of that entry; undefined before the shop was asked. */
let newest: string | undefined;

let markNewestKnown = (): void => undefined;

/** Resolves when the newest ledger entry is known: what is read from then on is followed without a gap. */
export const newestKnown = new Promise<void>((resolve) => {
  markNewestKnown = resolve;
});

/** What the page with the stream sends to the other pages of the browser. */
interface Message {
  readonly newest?: string | undefined;
  readonly liveness?: Liveness;
  /** A new page asks whether the stream is live. */
  readonly isQuestion?: true;
}

const channelName = `petstore-board${basePath}`;
// Undefined in a browser that blocks it: each page then has its own stream.
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(channelName) : undefined;
let hasStream = false;

function setLiveness(next: Liveness): void {
  const current = liveness.peek();
  if (current.state === next.state) return;
  liveness.value = next;
  // Figures that could not be read in the meantime are read now.
  if (next.state === 'live' && current.state === 'lost') markStale();
}

/** Whether two ids can be those of one entry: an event id also has the mark of its entry. */
function isSameEntry(one: string, other: string): boolean {
  const [[id, mark], [otherId, otherMark]] = [one.split('-'), other.split('-')];
  return id === otherId && (mark === undefined || otherMark === undefined || mark === otherMark);
}

/** The id of the newest ledger entry that this page knows of. */
export function newestEntryId(): number {
  return Number.parseInt(newest ?? '0', 10);
}

function setNewest(id: string): void {
  // A smaller one is that of a backup that was restored.
  if (newest !== undefined && !isSameEntry(id, newest)) markStale();
  else if (newest?.includes('-') === true && !id.includes('-')) return;
  newest = id;
}

function broadcast(message: Message): void {
  if (hasStream) channel?.postMessage(message);
}

channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.isQuestion) broadcast({ newest, liveness: liveness.peek() });
  if (hasStream || !isWanted.peek()) return;
  if (data.newest !== undefined) setNewest(data.newest);
  if (data.liveness) setLiveness(data.liveness);
});

/** Asks for the newest ledger entry. Figures read afterwards are older than no event of the stream. */
async function askNewest(): Promise<void> {
  const { items } = await call('listLedger', { sort: '-id', limit: 1 });
  setNewest(String(items[0]?.id ?? 0));
}

function markLost(): void {
  setLiveness({ state: 'lost', since: now() });
  broadcast({ liveness: liveness.peek() });
}

function onEntry(id: string): void {
  setNewest(id);
  broadcast({ newest: id });
}

const longestPauseMs = 15_000;

/** Keeps one stream open until `until` is aborted. */
async function keepStream(until: AbortSignal): Promise<void> {
  if (until.aborted) return;
  hasStream = true;
  let failures = 0;
  let openedAt: number | undefined;
  let isExpired = false;
  const onOpen = (): void => {
    openedAt = now();
    setLiveness({ state: 'live' });
    broadcast({ liveness: { state: 'live' } });
  };
  while (!until.aborted) {
    try {
      if (newest === undefined) await askNewest();
      // Figures are read again when the newest entry is known, so that they are older than no event of the stream.
      if (isExpired) markStale();
      await followEvents(newest ?? '0', { onOpen, onEntry }, until);
      isExpired = false;
    } catch (error) {
      // The shop went back to an earlier state.
      isExpired = error instanceof RefusalError && error.code === 'cursor_expired';
    }
    if (until.aborted) break;
    if (isExpired) newest = undefined;
    else markLost();
    // A stream that ends soon after it was opened is another failure, such as of a proxy that keeps none open.
    if (openedAt !== undefined && now() - openedAt > longestPauseMs) failures = 0;
    openedAt = undefined;
    await waitForNetwork(Math.min(longestPauseMs, 250 * 2 ** failures) * jitter(), until);
    failures += 1;
  }
  hasStream = false;
}

/** Takes part in following the shop: one page of the browser has the stream and informs the others. */
async function follow(until: AbortSignal): Promise<void> {
  await askNewest().catch(markLost);
  markNewestKnown();
  channel?.postMessage({ isQuestion: true } satisfies Message);
  // Pages without https have no locks: each then has its own stream.
  const locks = (navigator as Partial<Navigator>).locks;
  if (locks === undefined || channel === undefined) return keepStream(until);
  // Where a browser refuses the lock as well; `until` ends a wait for it.
  await locks.request(channelName, { signal: until }, () => keepStream(until)).catch(() => keepStream(until));
}

const sessionCheckMs = 10_000;

/** Asks whether the session still exists, for a page without a stream, which would end with it. */
async function watchSession(until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    await wait(sessionCheckMs, until);
    // The answer that it has ended signs out; others say nothing about it.
    if (!until.aborted && isVisible.peek()) await call('getSession', {}, { signal: until }).catch(() => undefined);
  }
}

/** Follows the shop whenever somebody is signed in, the page is in use and not paused. */
export function startFollowing(): void {
  let stop = new AbortController();
  effect(() => {
    stop.abort();
    stop = new AbortController();
    if (isPaused.value) setLiveness({ state: 'paused', since: now() });
    else if (liveness.peek().state === 'paused') setLiveness({ state: 'connecting' });
    if (isWanted.value) void follow(stop.signal);
    // Without access to the ledger, the figures do not follow the shop.
    else if (isSignedIn.value) {
      markNewestKnown();
      void watchSession(stop.signal);
    }
  });
}
