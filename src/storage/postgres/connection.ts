import { Socket } from 'node:net';
import pg from 'pg';
import { noStandby } from './errors.js';
import type { Target } from './targets.js';

/** A connection to a server. */
export interface Connection {
  readonly target: Target;
  readonly socket: Socket;
  /** The connection of the driver; statements are sent by `run`, so that they are counted. */
  readonly client: pg.Client;
  /** The process id of the server for this connection, as in its handshake. */
  readonly processId: () => number | undefined;
  /** Sends a statement, or several without values. */
  readonly run: <Row extends pg.QueryResultRow>(query: string | pg.QueryConfig) => Promise<pg.QueryResult<Row>>;
  /** Counts an answer of the server that is awaited as pending until it arrives. */
  readonly count: <T>(answer: Promise<T>) => Promise<T>;
  /** How many answers are awaited. */
  readonly pending: () => number;
  /** Whether it keeps its prepared statements; undefined until `detectPooler` asks. */
  keepsStatements: boolean | undefined;
  /** Whether it may be used again: it is open, and its server has answered since. */
  readonly isUsable: () => boolean;
  /** Says goodbye to the server; does not wait forever for its answer. */
  readonly close: () => void;
  /** Closes it immediately; its statements fail as after a lost connection, with this code. */
  readonly break: (code?: 'ETIMEDOUT' | typeof noStandby) => void;
}

/** How long a server has to close a connection. */
const closeMs = 1000;

/** A connection to a server, to be opened by its client. */
export function connectionTo(target: Target, config: pg.ClientConfig = {}, socket = new Socket()): Connection {
  const { generation } = target;
  const client = new pg.Client({ ...target.config, ...config, stream: () => socket });
  let [pending, isClosed] = [0, false];
  // Without a listener the error event of a lost connection would end the process; the next statement reports it.
  for (const event of ['error', 'end'] as const) client.on(event, () => (isClosed = true));
  const count: Connection['count'] = async (answer) => {
    pending += 1;
    try {
      return await answer;
    } finally {
      pending -= 1;
    }
  };
  return {
    target,
    socket,
    client,
    processId: () => ('processID' in client && typeof client.processID === 'number' ? client.processID : undefined),
    run: (query) => {
      // Statements that follow each other without waiting are sent together: each packet takes longer than a small statement.
      socket.cork();
      setImmediate(() => socket.uncork());
      return count(client.query(query));
    },
    count,
    pending: () => pending,
    keepsStatements: undefined,
    isUsable: () => !isClosed && generation === target.generation,
    close: () => {
      isClosed = true;
      setTimeout(() => socket.destroy(), closeMs).unref();
      void client.end();
    },
    break: (code = 'ETIMEDOUT') => {
      isClosed = true;
      socket.destroy(Object.assign(new Error(`${target.name} does not answer.`), { code }));
    },
  };
}
