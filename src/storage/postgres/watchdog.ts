import { Socket } from 'node:net';
import pg from 'pg';
import { breakLink, type Link, type Target } from './connection.js';
import { noStandby } from './errors.js';

/** When the watchdog acts, in ticks of `tickMs`. */
export interface WatchdogTimes {
  readonly tickMs: number;
  /** A connection that is silent for so long is checked. */
  readonly checkAfter: number;
  /** How long a check may take, and after which time it is repeated. */
  readonly checkFor: number;
  /** How long a connection may be silent when a pooler accepts connections, but has none to the server, or when its commit waits for a standby. */
  readonly queuedFor: number;
  /** How long a connection may be silent at all. */
  readonly longestFor: number;
}

// A server that does not answer any more is noticed after 7 s, so that a request can be answered within 10 s. No query takes an hour.
const defaultTimes: WatchdogTimes = { tickMs: 500, checkAfter: 4, checkFor: 10, queuedFor: 60, longestFor: 7200 };

/** Breaks connections whose server does not answer any more. */
export interface Watchdog {
  readonly watch: (link: Link) => void;
  readonly close: () => void;
}

/** How long a connection has been without progress. */
interface Silence {
  bytes: number;
  ticks: number;
  nextCheck: number;
  /** How many checks in a row found that the server does nothing for the connection, or cannot send its answer. */
  stuckChecks: number;
}

/** What a check found: the server answered, and names the processes that will not answer and those that wait for a standby; it exists; or it does not answer. */
type Finding =
  | { readonly kind: 'answered'; readonly stuck: ReadonlySet<number>; readonly waiting: ReadonlySet<number> }
  | { readonly kind: 'alive' }
  | { readonly kind: 'dead' };

interface Check {
  readonly target: Target;
  ticks: number;
  /** Whether the connection was accepted; the query may wait in a pooler. */
  isConnected: boolean;
  finding?: Finding;
  readonly close: () => void;
}

// An idle process has not received the query, or its answer was lost; one in ClientWrite cannot send its answer. Behind a
// pooler the id of the handshake is not that of the process, and nothing is known.
const stuckText = `SELECT pid, wait_event = 'SyncRep' AS waits FROM pg_stat_activity WHERE pid = ANY($1::int[]) AND pg_backend_pid() = $2
  AND (state IN ('idle', 'idle in transaction', 'idle in transaction (aborted)') OR (state = 'active' AND wait_event IN ('ClientWrite', 'SyncRep')))`;

/** A socket that connects to this address instead of the name: it may lead to another machine now, or name servers may be unreachable. */
function socketTo(address: string | undefined): Socket {
  const socket = new Socket();
  if (address === undefined) return socket;
  const connect = socket.connect.bind(socket) as (port: number, host: string) => Socket;
  socket.connect = ((port: number) => connect(port, address)) as typeof socket.connect;
  return socket;
}

/** Asks the server of silent connections through another connection. */
function startCheck(target: Target, silent: readonly Link[]): Check {
  const socket = socketTo(silent[0]?.socket.remoteAddress);
  const client = new pg.Client({ ...target.config, connectionTimeoutMillis: 0, stream: () => socket });
  client.on('error', () => undefined);
  const check: Check = { target, ticks: 0, isConnected: false, close: () => void socket.destroy() };
  const ask = async (): Promise<Finding> => {
    await client.connect();
    check.isConnected = true;
    const own = 'processID' in client ? client.processID : undefined;
    const { rows } = await client.query<{ readonly pid: number; readonly waits: boolean | null }>(stuckText, [
      silent.map(({ processId }) => processId() ?? 0),
      own,
    ]);
    const pids = (waits: boolean): ReadonlySet<number> => new Set(rows.filter((row) => (row.waits === true) === waits).map(({ pid }) => pid));
    return { kind: 'answered', stuck: pids(false), waiting: pids(true) };
  };
  void ask()
    // A refusal too is an answer.
    .catch((): Finding => ({ kind: socket.bytesRead > 0 ? 'alive' : 'dead' }))
    .then((finding) => {
      check.finding = finding;
      return client.end();
    });
  return check;
}

/** Counts the ticks without progress: no byte received, and none passed to the network. */
function follow({ socket, pending }: Link, silence: Silence, { checkAfter }: WatchdogTimes): void {
  const bytes = socket.bytesRead + socket.bytesWritten - socket.writableLength;
  if (pending() > 0 && bytes === silence.bytes) silence.ticks += 1;
  else Object.assign(silence, { bytes, ticks: 0, nextCheck: checkAfter, stuckChecks: 0 } satisfies Silence);
}

type Silent = readonly (readonly [Link, Silence])[];

/** The connections to break after a finding. */
function brokenLinks(check: Check, finding: Finding, silent: Silent, { queuedFor }: WatchdogTimes): readonly Link[] {
  if (finding.kind === 'alive') return [];
  if (finding.kind === 'dead') return silent.filter(([, { ticks }]) => ticks >= (check.isConnected ? queuedFor : check.ticks)).map(([link]) => link);
  const { stuck, waiting } = finding;
  for (const [link, silence] of silent) silence.stuckChecks = stuck.has(link.processId() ?? 0) ? silence.stuckChecks + 1 : 0;
  // Twice, because the answer may have been on its way.
  return silent.filter(([link, { stuckChecks, ticks }]) => stuckChecks > 1 || (waiting.has(link.processId() ?? 0) && ticks >= queuedFor)).map(([link]) => link);
}

/**
 * Watches connections that have queries. A query may take long: when nothing was received for a while, a second connection
 * asks the server whether it is there and works on the query. If not, the connection is broken, and `onDead` is called for a
 * server that does not answer at all. Counts ticks instead of time, so that a process that was stopped or busy does not take
 * its own delay for that of the server.
 */
export function watchdog(onDead: (target: Target) => void, times = defaultTimes): Watchdog {
  const watched = new Map<Link, Silence>();
  const checks = new Map<Target, Check>();
  const silentOf = (target: Target): Silent => [...watched].filter(([link, { ticks }]) => link.target === target && ticks >= times.checkAfter);
  const conclude = (check: Check): void => {
    const finding = check.finding ?? (check.ticks >= times.checkFor ? { kind: 'dead' as const } : undefined);
    if (finding === undefined) return;
    check.close();
    checks.delete(check.target);
    const silent = silentOf(check.target);
    const broken = brokenLinks(check, finding, silent, times);
    // The server may have stopped just after it accepted the connection: find out by another one.
    if (finding.kind === 'dead' && check.isConnected) for (const [, silence] of silent) silence.nextCheck = silence.ticks;
    if (broken.length > 0 && finding.kind === 'dead') onDead(check.target);
    const waiting = finding.kind === 'answered' ? finding.waiting : new Set<number>();
    for (const link of broken) breakLink(link, waiting.has(link.processId() ?? 0) ? noStandby : undefined);
  };
  const tick = (): void => {
    for (const [link, silence] of watched) {
      follow(link, silence, times);
      if (silence.ticks >= times.longestFor) breakLink(link);
    }
    for (const check of checks.values()) {
      check.ticks += 1;
      conclude(check);
    }
    for (const [{ target }, { ticks, nextCheck }] of watched) {
      if (ticks < nextCheck || checks.has(target)) continue;
      const silent = silentOf(target);
      for (const [, silence] of silent) silence.nextCheck = silence.ticks + times.checkFor;
      checks.set(
        target,
        startCheck(
          target,
          silent.map(([link]) => link),
        ),
      );
    }
  };
  const timer = setInterval(tick, times.tickMs).unref();
  return {
    watch: (link) => {
      watched.set(link, { bytes: -1, ticks: 0, nextCheck: times.checkAfter, stuckChecks: 0 });
      link.socket.once('close', () => watched.delete(link));
    },
    close: () => {
      clearInterval(timer);
      for (const { close } of checks.values()) close();
    },
  };
}
