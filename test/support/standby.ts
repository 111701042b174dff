import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openShop } from './postgres.js';
import { newFolder, password, runAsServer, startOn, startPostgres, type PostgresServer } from './postgres-server.js';

/** A standby of a server, which follows it by streaming. */
export interface Standby extends PostgresServer {
  /** Makes it a primary, and waits until it accepts writes. */
  readonly promote: () => Promise<void>;
  /** From now on a commit of the primary waits until this standby has it. */
  readonly becomeSynchronous: () => Promise<void>;
  /** Waits until it has replayed everything that was written on the primary before. */
  readonly caughtUp: () => Promise<void>;
}

async function ask<Row extends pg.QueryResultRow>({ urlOf }: PostgresServer, text: string): Promise<Row | undefined> {
  const client = new pg.Client(urlOf('postgres'));
  await client.connect();
  try {
    for (;;) {
      try {
        return (await client.query<Row>(text)).rows[0];
      } catch (error) {
        // A standby cancels a query whose rows its primary removes meanwhile (40001); asked again, it answers.
        if ((error as { readonly code?: unknown }).code !== '40001') throw error;
      }
    }
  } finally {
    await client.end();
  }
}

const pause = (): Promise<void> => sleep(20);

/** Copies the files of a running server into another folder, as `pg_basebackup` does. */
async function copyFiles(primary: PostgresServer, folder: string): Promise<void> {
  const data = join(folder, 'data');
  const client = new pg.Client(primary.urlOf('postgres'));
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', true)");
    // Files may disappear while they are copied.
    await runAsServer('sh', [
      '-c',
      'cp -r "$1" "$2" 2>/dev/null; rm -rf "$2"/postmaster.* "$2"/pg_replslot/* && touch "$2"/standby.signal',
      'sh',
      primary.data,
      data,
    ]);
    const { rows } = await client.query<{ readonly label: string }>('SELECT labelfile AS label FROM pg_backup_stop(false)');
    await runAsServer('sh', ['-c', 'printf "%s" "$1" >"$2"/backup_label', 'sh', rows[0]?.label ?? '', data]);
  } finally {
    await client.end();
  }
  chmodSync(data, 0o700);
}

/**
 * Starts a standby of a server, at a free port unless one is given; `name` is its name in `synchronous_standby_names`.
 * `more` settings override the defaults.
 */
export async function startStandby(primary: PostgresServer, name = 'standby', more: readonly string[] = [], port?: number): Promise<Standby> {
  const durable = !dirname(primary.data).startsWith('/dev/shm');
  const folder = newFolder(durable);
  try {
    await copyFiles(primary, folder);
    const source = `host=127.0.0.1 port=${primary.port} user=petstore password=${password} application_name=${name}`;
    const standby = await startOn(folder, durable, [`primary_conninfo=${source}`, 'wal_retrieve_retry_interval=100ms', ...more], port);
    return {
      ...standby,
      promote: async () => {
        // A statement that waits for the promotion would hold back the replay that the promotion waits for.
        await ask(standby, 'SELECT pg_promote(false)');
        while ((await ask<{ readonly done: boolean }>(standby, 'SELECT NOT pg_is_in_recovery() AS done'))?.done !== true) await pause();
      },
      becomeSynchronous: async () => {
        await ask(primary, `ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
        await ask(primary, 'SELECT pg_reload_conf()');
        while ((await ask(primary, `SELECT 1 FROM pg_stat_replication WHERE application_name = '${name}' AND sync_state = 'sync'`)) === undefined)
          await pause();
      },
      caughtUp: async () => {
        // Not the position that was written: a commit that does not wait for the disk is written later.
        const written = await ask<{ readonly lsn: string }>(primary, 'SELECT pg_current_wal_insert_lsn() AS lsn');
        for (;;) {
          const replayed = await ask<{ readonly done: boolean }>(standby, `SELECT pg_last_wal_replay_lsn() >= '${written?.lsn}' AS done`);
          if (replayed?.done === true) return;
          await pause();
        }
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Runs work with a shop on a primary whose commits wait for a standby: it has every acknowledged change. */
export async function withStandby(work: (primary: PostgresServer, standby: Standby) => Promise<void>): Promise<void> {
  const primary = await startPostgres(false, ['synchronous_commit=on']);
  try {
    await (await openShop(primary.urlOf('postgres'), { create: true })).close();
    const standby = await startStandby(primary);
    try {
      await standby.becomeSynchronous();
      await work(primary, standby);
    } finally {
      await standby.stop();
    }
  } finally {
    await primary.stop();
  }
}
