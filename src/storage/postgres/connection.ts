import { Socket } from 'node:net';
import pg from 'pg';
import { monotonicNow } from '../retry.js';
import { isConnectionLost } from './errors.js';
import type { Target } from './targets.js';

/** A connection to a server. */
export interface Connection {
  readonly target: Target;
  /** The connection of the driver; statements are sent by `run`. */
  readonly client: pg.Client;
  /** The process id of the server for this connection, as in its handshake. */
  readonly processId: () => number | undefined;
  /** Sends a statement, or several without values; the connection is broken when its server does not work on it any more. */
  readonly run: <Row extends pg.QueryResultRow>(query: string | pg.QueryConfig) => Promise<pg.QueryResult<Row>>;
  /** Whether it keeps its prepared statements; undefined until `detectPooler` asks. */
  keepsStatements: boolean | undefined;
  /** Whether it may be used again: it is open, and no server of its target was found dead since it was opened. */
  readonly isUsable: () => boolean;
  /** Ends the session; the server has a second to close the connection. */
  readonly close: () => void;
  /** Closes it immediately; its statements fail as after a lost connection. */
  readonly break: () => void;
}

/** When a silent server is checked, in ms. */
export interface SilenceTimes {
  /** A connection that is silent for so long is checked, and again after the same time. */
  readonly checkAfterMs: number;
  /** How long the server may take to accept the connection of a check. */
  readonly acceptMs: number;
  /** How long it may take to answer the check then: a pooler may have no connection to the server for a while. */
  readonly answerMs: number;
}

// A server that does not answer any more is noticed after 7 s, so that a request can be answered within 10 s.
const defaultTimes: SilenceTimes = { checkAfterMs: 2000, acceptMs: 5000, answerMs: 30_000 };
/** How long a connection may be silent at all: no query takes an hour. */
const longestSilenceMs = 3_600_000;
/** How long a server has to close a connection. */
const closeMs = 1000;

/** How a connection is opened. */
export interface ConnectionOptions {
  readonly config?: pg.ClientConfig;
  /** Where to connect instead of the address of the name, which may lead to another machine now. Certificates are still those of the name. */
  readonly address?: string | undefined;
  /** For tests. */
  readonly silenceTimes?: SilenceTimes | undefined;
  /** Called when the server does not answer any more. */
  readonly onDead?: (target: Target) => void;
}

// A process that is idle has not received the query, or its answer was lost. Behind a pooler the id of the handshake is not that
// of the process, and nothing is known.
const idleText = `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND pg_backend_pid() = $2 AND state LIKE 'idle%'`;

/** Asks the server of a silent connection, through another one, what it does for it. */
async function askServer(
  { target, processId }: Connection,
  address: string | undefined,
  { acceptMs, answerMs }: SilenceTimes,
): Promise<'alive' | 'dead' | 'idle'> {
  const config = { connectionTimeoutMillis: acceptMs, query_timeout: answerMs };
  const check = connectionTo(target, { config, address });
  try {
    await check.client.connect();
    const { rows } = await check.client.query(idleText, [processId() ?? 0, check.processId()]);
    return rows.length > 0 ? 'idle' : 'alive';
  } catch (error) {
    // A server that refuses has answered.
    return isConnectionLost(error) ? 'dead' : 'alive';
  } finally {
    check.close();
  }
}

/** Checks the server of a connection while an answer is pending and nothing arrives. */
function silenceOf(connection: Connection, socket: Socket, { silenceTimes = defaultTimes, onDead }: ConnectionOptions) {
  let watches = 0;
  let timer: NodeJS.Timeout | undefined;
  const progress = (): number => socket.bytesRead + socket.bytesWritten - socket.writableLength;
  const check = async (watchNumber: number, earlier: number, wasIdle: boolean, sinceMs: number): Promise<void> => {
    const found = progress() === earlier ? await askServer(connection, socket.remoteAddress, silenceTimes) : undefined;
    if (watchNumber !== watches) return;
    if (found === undefined || progress() !== earlier) return watch(watchNumber);
    if (found === 'dead') onDead?.(connection.target);
    // Idle twice, because the answer may have been on its way.
    if (found === 'dead' || (found === 'idle' && wasIdle) || monotonicNow() - sinceMs > longestSilenceMs) connection.break();
    else watch(watchNumber, found === 'idle', sinceMs);
  };
  const watch = (watchNumber: number, wasIdle = false, sinceMs = monotonicNow()): void => {
    const earlier = progress();
    timer = setTimeout(() => void check(watchNumber, earlier, wasIdle, sinceMs), silenceTimes.checkAfterMs);
  };
  return {
    begin: () => watch((watches += 1)),
    end: () => {
      watches += 1;
      clearTimeout(timer);
    },
  };
}

function socketTo(address: string | undefined): Socket {
  const socket = new Socket();
  if (address === undefined) return socket;
  const connect = socket.connect.bind(socket) as (port: number, host: string) => Socket;
  socket.connect = ((port: number) => connect(port, address)) as typeof socket.connect;
  return socket;
}

/** A connection to a server, to be opened by its client. */
export function connectionTo(target: Target, options: ConnectionOptions = {}): Connection {
  const { generation } = target;
  const socket = socketTo(options.address);
  const client = new pg.Client({ ...target.config, ...options.config, stream: () => socket });
  let [pending, isClosed] = [0, false];
  // Without a listener the error event of a lost connection would end the process; the next statement reports it.
  for (const event of ['error', 'end'] as const) client.on(event, () => (isClosed = true));
  const connection: Connection = {
    target,
    client,
    processId: () => ('processID' in client && typeof client.processID === 'number' ? client.processID : undefined),
    run: async (query) => {
      if ((pending += 1) === 1) silence.begin();
      // The statements of one turn of the event loop leave in one write, which takes a tenth less processor time than one for each.
      socket.cork();
      setImmediate(() => socket.uncork());
      try {
        return await client.query(query);
      } finally {
        if ((pending -= 1) === 0) silence.end();
      }
    },
    keepsStatements: undefined,
    isUsable: () => !isClosed && generation === target.generation,
    close: () => {
      isClosed = true;
      setTimeout(() => socket.destroy(), closeMs).unref();
      void client.end();
    },
    break: () => {
      isClosed = true;
      socket.destroy(Object.assign(new Error(`${target.name} does not answer.`), { code: 'ETIMEDOUT' }));
    },
  };
  const silence = silenceOf(connection, socket, options);
  return connection;
}
