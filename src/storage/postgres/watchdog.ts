import { Socket } from 'node:net';
import { connectionTo, type Connection } from './connection.js';
import { noStandby } from './errors.js';
import type { Target } from './targets.js';

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
  readonly watch: (connection: Connection) => void;
  readonly breakAll: () => void;
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
type Finding = ReadonlyMap<number, 'stuck' | 'waiting'> | 'alive' | 'dead';

interface Check {
  readonly connection: Connection;
  ticks: number;
  /** Whether the connection was accepted; the query may wait in a pooler. */
  isConnected: boolean;
  finding?: Finding;
}

// An idle process has not received the query, or its answer was lost; one in ClientWrite cannot send its answer. Behind a
// pooler the id of the handshake is not that of the process, and nothing is known.
const stuckText = `SELECT pid, CASE WHEN wait_event = 'SyncRep' THEN 'waiting' ELSE 'stuck' END AS state
  FROM pg_stat_activity WHERE pid = ANY($1::int[]) AND pg_backend_pid() = $2
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
function startCheck(target: Target, silent: readonly Connection[]): Check {
  const connection = connectionTo(target, { connectionTimeoutMillis: 0 }, socketTo(silent[0]?.socket.remoteAddress));
  const check: Check = { connection, ticks: 0, isConnected: false };
  const ask = async (): Promise<void> => {
    try {
      await connection.client.connect();
      check.isConnected = true;
      const values = [silent.map(({ processId }) => processId() ?? 0), connection.processId()];
      const { rows } = await connection.run<{ readonly pid: number; readonly state: 'stuck' | 'waiting' }>({ text: stuckText, values });
      check.finding = new Map(rows.map(({ pid, state }) => [pid, state]));
    } catch {
      // A refusal too is an answer.
      check.finding = connection.socket.bytesRead > 0 ? 'alive' : 'dead';
    }
    connection.close();
  };
  void ask();
  return check;
}

/** Counts the ticks without progress: no byte received, and none passed to the network. */
function follow({ socket, pending }: Connection, silence: Silence, { checkAfter }: WatchdogTimes): void {
  const bytes = socket.bytesRead + socket.bytesWritten - socket.writableLength;
  if (pending() > 0 && bytes === silence.bytes) silence.ticks += 1;
  else Object.assign(silence, { bytes, ticks: 0, nextCheck: checkAfter, stuckChecks: 0 } satisfies Silence);
}

/** Breaks the connections that their server will not answer. */
function applyAnswer(states: Exclude<Finding, string>, silent: Iterable<readonly [Connection, Silence]>, { queuedFor }: WatchdogTimes): void {
  for (const [connection, silence] of silent) {
    const state = states.get(connection.processId() ?? 0);
    silence.stuckChecks = state === 'stuck' ? silence.stuckChecks + 1 : 0;
    // Twice, because the answer may have been on its way.
    if (silence.stuckChecks > 1) connection.break();
    if (state === 'waiting' && silence.ticks >= queuedFor) connection.break(noStandby);
  }
}

/**
 * Watches connections that have queries. A query may take long: when nothing was received for a while, a second connection
 * asks the server whether it is there and works on the query. If not, the connection is broken, and `onDead` is called for a
 * server that does not answer at all. Counts ticks instead of time, so that a process that was stopped or busy does not take
 * its own delay for that of the server.
 */
export function watchdog(onDead: (target: Target) => void, times = defaultTimes): Watchdog {
  const watched = new Map<Connection, Silence>();
  const checks = new Map<Target, Check>();
  const silentOf = (target: Target) => [...watched].filter(([connection, { ticks }]) => connection.target === target && ticks >= times.checkAfter);
  const applyDead = ({ ticks, isConnected, connection: { target } }: Check): void => {
    const silent = silentOf(target);
    // The server may have stopped just after it accepted the connection: find out by another one.
    if (isConnected) for (const [, silence] of silent) silence.nextCheck = silence.ticks;
    const broken = silent.filter(([, silence]) => silence.ticks >= (isConnected ? times.queuedFor : ticks));
    if (broken.length > 0) onDead(target);
    for (const [connection] of broken) connection.break();
  };
  const conclude = (target: Target, check: Check): void => {
    const finding = check.finding ?? (check.ticks >= times.checkFor ? 'dead' : undefined);
    if (finding === undefined) return;
    check.connection.break();
    checks.delete(target);
    if (finding === 'dead') applyDead(check);
    else if (finding !== 'alive') applyAnswer(finding, silentOf(target), times);
  };
  const tick = (): void => {
    for (const [connection, silence] of watched) {
      follow(connection, silence, times);
      if (silence.ticks >= times.longestFor) connection.break();
    }
    for (const [target, check] of checks) {
      check.ticks += 1;
      conclude(target, check);
    }
    for (const [{ target }, { ticks, nextCheck }] of watched) {
      if (ticks < nextCheck || checks.has(target)) continue;
      const silent = silentOf(target);
      for (const [, silence] of silent) silence.nextCheck = silence.ticks + times.checkFor;
      const connections = silent.map(([connection]) => connection);
      checks.set(target, startCheck(target, connections));
    }
  };
  const timer = setInterval(tick, times.tickMs).unref();
  return {
    watch: (connection) => {
      watched.set(connection, { bytes: -1, ticks: 0, nextCheck: times.checkAfter, stuckChecks: 0 });
      connection.socket.once('close', () => watched.delete(connection));
    },
    breakAll: () => {
      for (const connection of watched.keys()) connection.break();
    },
    close: () => {
      clearInterval(timer);
      for (const { connection } of checks.values()) connection.break();
    },
  };
}
