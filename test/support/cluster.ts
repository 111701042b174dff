import pg from 'pg';
import { password, startPostgres, type PostgresServer } from './postgres-server.js';
import { startStandby, type Standby } from './standby.js';

/** A primary of PostgreSQL and a standby that has every acknowledged commit, on two ports of this machine. */
export interface Cluster {
  /** The address of a database with both hosts. */
  readonly urlOf: (database: string) => string;
  readonly primary: () => PostgresServer;
  readonly createDatabase: (name: string) => Promise<void>;
  /** Kills every process of the primary. */
  readonly killPrimary: () => Promise<void>;
  readonly promoteStandby: () => Promise<void>;
  /** Removes the killed primary; a new standby, copied from the promoted one, takes its port. */
  readonly replaceKilled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const settings = ['synchronous_commit=on', 'full_page_writes=on', 'wal_keep_size=512MB'];

/** Starts a primary and its synchronous standby. */
export async function startCluster(): Promise<Cluster> {
  let primary: PostgresServer = await startPostgres(false, settings);
  let killed: PostgresServer | undefined;
  let count = 0;
  const join = async (port?: number): Promise<Standby> => {
    const joined = await startStandby(primary, `standby_${(count += 1)}`, settings, port);
    await joined.becomeSynchronous();
    return joined;
  };
  let standby = await join();
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    urlOf: (database) => `postgres://petstore:${password}@${hosts}/${database}?target_session_attrs=read-write`,
    primary: () => primary,
    createDatabase: async (name) => {
      const client = new pg.Client(primary.urlOf('postgres'));
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
    },
    killPrimary: async () => {
      killed = primary;
      await primary.halt();
    },
    promoteStandby: async () => {
      await standby.promote();
      primary = standby;
    },
    replaceKilled: async () => {
      if (killed === undefined) throw new Error('No primary was killed.');
      await killed.stop();
      standby = await join(killed.port);
      killed = undefined;
    },
    stop: async () => {
      for (const server of new Set([standby, primary, killed])) await server?.stop();
    },
  };
}
