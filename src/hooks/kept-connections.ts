import type { SendingHook } from '../domain/hooks/hook-queue.js';
import { connect, type Connection, type Resolve } from './request.js';

/** How long a connection is used again after it was made; then the name of its hook is resolved again. */
const usedMs = 30_000;

/** A connection that may be kept. */
export interface KeptConnection {
  readonly connection: Connection;
  /** Whose it is: an edited hook connects again. */
  readonly url: string;
  /** When it was made, in ms of `performance.now`. */
  readonly madeAt: number;
}

/** The connections of hooks that are caught up with, for their next events. */
export interface KeptConnections {
  /** The connection of a hook: the kept one, or a new one. */
  readonly take: (hook: SendingHook) => KeptConnection;
  readonly keep: (hookId: number, kept: KeptConnection) => void;
  /** Closes those that are too old to be used again, or all. */
  readonly close: (all: boolean) => void;
}

/** What a connection needs. */
interface ConnectionSettings {
  readonly clock: () => number;
  readonly resolve?: Resolve | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Keeps connections until they are closed. */
export function keptConnections({ clock, resolve, timeoutMs }: ConnectionSettings): KeptConnections {
  const kept = new Map<number, KeptConnection>();
  return {
    take: (hook) => {
      const found = kept.get(hook.id);
      kept.delete(hook.id);
      if (found?.url === hook.url) return found;
      found?.connection.close();
      return { connection: connect(hook, clock, resolve, timeoutMs), url: hook.url, madeAt: performance.now() };
    },
    keep: (hookId, { connection, url, madeAt }) => void kept.set(hookId, { connection, url, madeAt }),
    close: (all) => {
      for (const [hookId, { connection, madeAt }] of kept) {
        if (!all && performance.now() - madeAt < usedMs) continue;
        connection.close();
        kept.delete(hookId);
      }
    },
  };
}
