import type pg from 'pg';
import type { SessionKind, Target } from './connection.js';
import { codeOf, isConnectionLost, isReadOnlyServer, isTlsError, reasonOf, serverNotUsable } from './errors.js';
import { targetsOf } from './targets.js';

/** The servers of an address, and which of them is used at present. */
export interface Route {
  readonly size: number;
  /** How often all servers are tried: again when one that was not wanted, or has no TLS, is better than none. */
  readonly rounds: number;
  readonly current: () => Target;
  /** Refuses a server that the address does not want. */
  readonly check: (client: pg.Client, target: Target) => Promise<void>;
  readonly onOpened: () => void;
  /** Moves to the next server. Connections that are open are not used any more when they were found to be unusable. */
  readonly onFailed: (target: Target, error: unknown) => void;
  readonly leave: (target: Target) => void;
  /** The server that refused a connection with this error; undefined for any other error. */
  readonly refusedBy: (error: unknown) => Target | undefined;
}

/** Asks what a server is. */
export const stateText = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS "readOnly"`;

/** The answer to `stateText`. */
export interface ServerState {
  readonly standby: boolean;
  readonly readOnly: boolean;
}

/** What a server is, for messages. */
function stateName({ standby, readOnly }: ServerState): string {
  if (standby) return 'a standby';
  return readOnly ? 'read-only' : 'a primary';
}

const allowed: Readonly<Record<SessionKind, (state: ServerState) => boolean>> = {
  any: () => true,
  'read-write': ({ readOnly }) => !readOnly,
  'read-only': ({ readOnly }) => readOnly,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
  'prefer-standby': ({ standby }) => standby,
};

/** The error for a server that cannot be written to. */
export function readOnlyError({ name }: Target, state: ServerState): Error {
  return serverNotUsable(`${name} is ${stateName(state)}`, true);
}

/** Describes the server of a connection that refused to write, such as "db2:5432 is a standby". */
export async function describeServer(client: pg.ClientBase, target: Target): Promise<string> {
  const { rows } = await client.query<ServerState>(stateText);
  return `${target.name} is ${rows[0]?.standby === true ? 'a standby' : 'read-only'}`;
}

function mayTryNext(error: unknown): boolean {
  return isConnectionLost(error) || isTlsError(error) || ['25006', '53300'].includes(codeOf(error));
}

const withoutTls = 'The server does not support SSL connections';

/** Opens the route of an address, which may want other servers than `wanted`; refuses with `usage`. */
export function routeOf(address: string, wanted?: SessionKind): Route {
  const { targets, sessions } = targetsOf(address, wanted);
  const refusals = new WeakMap<object, Target>();
  let index = 0;
  let failuresInRow = 0;
  const current = (): Target => targets[index] ?? targets[0];
  const leave = (target: Target): void => {
    if (current() === target) index = (index + 1) % targets.length;
  };
  return {
    size: targets.length,
    rounds: 1 + Number(sessions === 'prefer-standby') + Number(targets[0].isTlsOptional),
    current,
    leave,
    check: async (client, target) => {
      // When no standby was found, `prefer-standby` takes any server.
      if (sessions === 'any' || (sessions === 'prefer-standby' && failuresInRow >= targets.length)) return;
      const { rows } = await client.query<ServerState>(stateText);
      const state = rows[0];
      if (state === undefined || allowed[sessions](state)) return;
      throw serverNotUsable(`${target.name} is ${stateName(state)}`, sessions === 'read-write' || sessions === 'primary');
    },
    onOpened: () => (failuresInRow = 0),
    onFailed: (target, error) => {
      failuresInRow += 1;
      if (error instanceof Error && mayTryNext(error)) refusals.set(error, target);
      if (target.isTlsOptional && error instanceof Error && error.message === withoutTls) {
        target.isTlsOptional = false;
        target.config = { ...target.config, ssl: false };
      } else {
        leave(target);
      }
    },
    refusedBy: (error) => (error instanceof Error ? refusals.get(error) : undefined),
  };
}

/** The error when every server of an address refused: the reasons of all of them. */
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
