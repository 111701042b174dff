import { Socket } from 'node:net';
import pg from 'pg';

/** A server to connect to. */
export interface Target {
  /** Host and port for messages. */
  readonly name: string;
  readonly config: pg.ClientConfig;
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

/** How long a server has to close a connection that was ended. */
const closeMs = 1000;

/** The class of the connections of a pool. pg-pool creates connections itself, so the server of each is chosen here. */
export function clientClass(nextTarget: () => Target, onCreated: (link: Link) => void, config: pg.ClientConfig = {}): new () => pg.Client {
  return class extends pg.Client {
    constructor() {
      const target = nextTarget();
      const socket = new Socket();
      super({ ...target.config, ...config, stream: () => socket });
      const hidden = this as unknown as Hidden;
      let pending = 0;
      // Without a listener the error event of a lost connection would end the process; the next query reports it.
      this.on('error', () => undefined);
      // Each query ends with this message, and so does the handshake.
      hidden.connection.on('readyForQuery', () => (pending = Math.max(0, pending - 1)));
      const query = this.query.bind(this) as (...values: readonly unknown[]) => unknown;
      this.query = ((...values: readonly unknown[]) => {
        pending += 1;
        return query(...values);
      }) as typeof this.query;
      const end = this.end.bind(this) as (...values: readonly unknown[]) => unknown;
      this.end = ((...values: readonly unknown[]) => {
        const timer = setTimeout(() => socket.destroy(), closeMs);
        socket.once('close', () => clearTimeout(timer));
        if (socket.destroyed) clearTimeout(timer);
        return end(...values);
      }) as typeof this.end;
      const link: Link = { target, generation: target.generation, socket, processId: () => hidden.processID ?? undefined, pending: () => pending };
      links.set(this, link);
      onCreated(link);
    }
  };
}

/** Closes a connection immediately; its queries fail as after a lost connection. */
export function breakLink({ socket, target }: Link): void {
  socket.destroy(Object.assign(new Error(`${target.name} does not answer.`), { code: 'ETIMEDOUT' }));
}
