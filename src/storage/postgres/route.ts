import { monotonicNow } from '../retry.js';
import type { Connection } from './connection.js';
import { breakAt } from './deadlines.js';
import { codeOf, isConnectionLost, isReadOnlyServer, isTlsError, reasonOf, serverNotUsable } from './errors.js';
import { targetsOf, type SessionKind, type Target } from './targets.js';

/** The servers of an address, of which one is used at present. */
export interface Route {
  /** Opens a connection made by `connectionTo`, to the next server when one cannot be used; until `deadlineMs` of `monotonicNow`. */
  readonly open: (connectionTo: (target: Target) => Connection, deadlineMs: number) => Promise<Connection>;
  /** Stops using the connections to a server, and tries the next one first. */
  readonly abandon: (target: Target) => void;
}

/** Asks what a server is. */
const stateText = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS "readOnly"`;

/** What a server is. */
interface ServerState {
  readonly standby: boolean;
  readonly readOnly: boolean;
  /** For messages, such as "db2:5432 is a standby". */
  readonly text: string;
}

/** Asks the server of a connection what it is. */
async function serverState({ target, run }: Connection): Promise<ServerState> {
  const { rows } = await run<Omit<ServerState, 'text'>>(stateText);
  const { standby, readOnly } = rows[0] ?? { standby: false, readOnly: false };
  return { standby, readOnly, text: `${target.name} is ${standby ? 'a standby' : readOnly ? 'read-only' : 'a primary'}` };
}

/** Fails when the server of a connection is a standby, or read-only; calls `abandon` then. */
export async function checkWritable(connection: Connection, abandon: Route['abandon']): Promise<void> {
  const { readOnly, text } = await serverState(connection);
  if (!readOnly) return;
  abandon(connection.target);
  throw serverNotUsable(text, true);
}

const allowed: Readonly<Record<SessionKind, (state: ServerState) => boolean>> = {
  any: () => true,
  'read-write': ({ readOnly }) => !readOnly,
  'read-only': ({ readOnly }) => readOnly,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
  'prefer-standby': ({ standby }) => standby,
};

function mayTryNext(error: unknown): boolean {
  return isConnectionLost(error) || isTlsError(error) || ['25006', '53300'].includes(codeOf(error));
}

const withoutTls = 'The server does not support SSL connections';

/** Opens the route of an address; refuses with `usage`. */
export function routeOf(address: string): Route {
  const { targets, sessions } = targetsOf(address);
  // All servers are tried again when one that was not wanted, or has no TLS, is better than none.
  const enough = targets.length * (1 + Number(sessions === 'prefer-standby') + Number(targets[0].isTlsOptional));
  let index = 0;
  let failuresInRow = 0;
  const current = (): Target => targets[index] ?? targets[0];
  const leave = (target: Target): void => {
    if (current() === target) index = (index + 1) % targets.length;
  };
  const check = async (connection: Connection): Promise<void> => {
    // When no standby was found, `prefer-standby` takes any server.
    if (sessions === 'any' || (sessions === 'prefer-standby' && failuresInRow >= targets.length)) return;
    const state = await serverState(connection);
    if (!allowed[sessions](state)) throw serverNotUsable(state.text, sessions === 'read-write' || sessions === 'primary');
  };
  const connect = async (connection: Connection): Promise<Connection> => {
    const { target } = connection;
    try {
      await connection.client.connect();
      await check(connection);
      failuresInRow = 0;
      return connection;
    } catch (error) {
      connection.close();
      failuresInRow += 1;
      if (target.isTlsOptional && error instanceof Error && error.message === withoutTls) {
        target.isTlsOptional = false;
        target.config = { ...target.config, ssl: false };
      } else {
        leave(target);
      }
      throw error;
    }
  };
  return {
    // Other work moves between the servers at the same time, so one may be tried twice.
    open: async (connectionTo, deadlineMs) => {
      const failures = new Map<Target, unknown>();
      for (let tries = 1; ; tries += 1) {
        const connection = connectionTo(current());
        try {
          return await breakAt(connection, deadlineMs, () => connect(connection));
        } catch (error) {
          if (!mayTryNext(error)) throw error;
          failures.set(connection.target, error);
          const isLast = (failures.size === targets.length && tries >= enough) || tries === 2 * enough;
          if (isLast || monotonicNow() >= deadlineMs) throw combinedError(failures);
        }
      }
    },
    abandon: (target) => {
      target.generation += 1;
      leave(target);
    },
  };
}

/** The error when servers of an address refused: the reasons of all of them. */
export function combinedError(failures: ReadonlyMap<Target, unknown>): unknown {
  const all = [...failures];
  const [, last] = all.at(-1) ?? [];
  if (all.length < 2) return last;
  // 08006: connection failure.
  const code = all.some(([, error]) => isReadOnlyServer(error)) ? '25006' : '08006';
  // The reason that a server is not wanted names it.
  const reasons = all.map(([{ name }, error]) => (reasonOf(error).startsWith(name) ? reasonOf(error) : `${name}: ${reasonOf(error)}`));
  return Object.assign(new Error('No server could be used.'), { code, reason: reasons.join('; '), cause: last });
}
