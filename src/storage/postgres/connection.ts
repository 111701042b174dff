import { Socket } from 'node:net';
import pg from 'pg';
import { noStandby } from './errors.js';

/** Which servers may be used, as `target_session_attrs` of libpq. */
export type SessionKind = 'any' | 'read-write' | 'read-only' | 'primary' | 'standby' | 'prefer-standby';

/** A server to connect to. */
export interface Target {
  /** Host and port for messages. */
  readonly name: string;
  config: pg.ClientConfig;
  /** Whether the connection is not encrypted when the server cannot do that. */
  isTlsOptional: boolean;
  /** Increases when the connections opened before must not be used any more. */
  generation: number;
}

/** The socket of a connection, and what is known of it. */
export interface Link {
  readonly target: Target;
  /** The generation of the target when the connection was opened. */
  readonly generation: number;
  readonly socket: Socket;
  /** The process id of the server for this connection, as in its handshake. */
  readonly processId: () => number | undefined;
  /** How many queries have been sent and not been completed. */
  readonly pending: () => number;
}

const links = new WeakMap<pg.ClientBase, Link>();

/** The link of a connection; undefined for one whose class `clientClass` did not make. */
export function linkOf(client: pg.ClientBase): Link | undefined {
  return links.get(client);
}

/** The parts of a connection that the types of pg leave out. */
interface Hidden {
  readonly processID: number | null;
  readonly connection: { readonly on: (event: 'readyForQuery', listener: () => void) => void };
}

type Callback = (error?: unknown) => void;

/** How connections choose their server, and what happens to them. */
export interface ClientEvents {
  readonly nextTarget: () => Target;
  readonly onCreated: (link: Link) => void;
  /** Decides whether the server may be used; throws when not. */
  readonly check: (client: pg.Client, target: Target) => Promise<void>;
  readonly onOpened: (target: Target) => void;
  readonly onFailed: (target: Target, error: unknown) => void;
}

/** Replaces `connect`: a server that may not be used counts as one that cannot be reached. */
function checkOnConnect(client: pg.Client, target: Target, { check, onOpened, onFailed }: ClientEvents): void {
  const open = client.connect.bind(client) as (callback: Callback) => void;
  const connect = async (): Promise<void> => {
    try {
      await new Promise<void>((resolve, reject) => open((error) => (error instanceof Error ? reject(error) : resolve())));
      await check(client, target);
      onOpened(target);
    } catch (error) {
      onFailed(target, error);
      void client.end();
      throw error;
    }
  };
  const connectAndCall = async (callback: Callback): Promise<void> => {
    const failure = await connect().catch((error: unknown) => error);
    callback(failure);
  };
  client.connect = ((callback?: Callback) => (callback ? void connectAndCall(callback) : connect())) as typeof client.connect;
}

/** Replaces `query`, to count the queries that wait for their answers. */
function countPending(client: pg.Client, { connection }: Hidden): () => number {
  let pending = 0;
  // Each query ends with this message, and so does the handshake.
  connection.on('readyForQuery', () => (pending = Math.max(0, pending - 1)));
  const query = client.query.bind(client) as (...values: readonly unknown[]) => unknown;
  client.query = ((...values: readonly unknown[]) => {
    pending += 1;
    return query(...values);
  }) as typeof client.query;
  return () => pending;
}

/** How long a server has to close a connection that was ended. */
const closeMs = 1000;

/** Replaces `end`, which does not wait forever then. */
function limitEnd(client: pg.Client, socket: Socket): void {
  const end = client.end.bind(client) as (...values: readonly unknown[]) => unknown;
  client.end = ((...values: readonly unknown[]) => {
    const timer = setTimeout(() => socket.destroy(), closeMs);
    socket.once('close', () => clearTimeout(timer));
    if (socket.destroyed) clearTimeout(timer);
    return end(...values);
  }) as typeof client.end;
}

/** The class of the connections of a pool. pg-pool creates connections itself, so the server of each is chosen here. */
export function clientClass(events: ClientEvents, config: pg.ClientConfig = {}): new () => pg.Client {
  return class extends pg.Client {
    constructor() {
      const target = events.nextTarget();
      const socket = new Socket();
      super({ ...target.config, ...config, stream: () => socket });
      const hidden = this as unknown as Hidden;
      // Without a listener the error event of a lost connection would end the process; the next query reports it.
      this.on('error', () => undefined);
      const pending = countPending(this, hidden);
      limitEnd(this, socket);
      checkOnConnect(this, target, events);
      const link: Link = { target, generation: target.generation, socket, processId: () => hidden.processID ?? undefined, pending };
      links.set(this, link);
      events.onCreated(link);
    }
  };
}

/** Closes a connection immediately; its queries fail as after a lost connection, with this code. */
export function breakLink({ socket, target }: Link, code: 'ETIMEDOUT' | typeof noStandby = 'ETIMEDOUT'): void {
  socket.destroy(Object.assign(new Error(`${target.name} does not answer.`), { code }));
}
