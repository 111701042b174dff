import { retryWhileBusy } from './retry.js';
import { numberPragma, schemaVersionOf, migrate } from './migrate.js';
import { insertStock } from './bulk.js';
import { writePort } from './write-port.js';
import { openedReadOnly, StoreError } from '../../domain/errors.js';
import type { OpenOptions } from '../engine-definition.js';
import type { Engine } from '../engine.js';
import { schemaVersion } from '../migrations/migrations.js';
import { groupedWrites } from '../writes/grouped-writes.js';
import { connect, insertRows, queriesOf, type Connection } from './connection.js';
import { driverFor, type Driver } from './driver.js';
import { checkFile, checkWritableFile, createFile, sameFileCheck, restrictToOwner, type OpenFile } from './shop-file.js';
import { sharedReads } from './reads.js';
import { refuseUnsafeObjects } from './schema.js';
import { sql } from '../sql.js';
import { existsSync } from 'node:fs';

/** How a file is opened. */
export interface SqliteOptions extends Omit<OpenOptions, 'store' | 'where' | 'forManyClients' | 'nativeBinding'>, Partial<Pick<OpenOptions, 'nativeBinding'>> {
  /** Whether commits run checkpoints; a server leaves them to another thread. */
  readonly checkpoints?: boolean;
}

/** Rolls back the journal of a process that was killed while it created the shop; this needs a writable connection. */
async function rollBackJournal(open: (readonly: boolean) => Promise<Connection>, path: string, waitSeconds: number): Promise<void> {
  const { database } = await open(false);
  try {
    await retryWhileBusy(path, waitSeconds, () => numberPragma(database, 'user_version'));
  } finally {
    database.close();
  }
}

/** How a shop is opened and migrated. */
interface UpgradeOptions extends Pick<SqliteOptions, 'create' | 'waitSeconds' | 'readOnly'> {
  readonly driver: Driver;
  /** Whether this process has just created the file; its version need not be read then. */
  readonly isNew: boolean;
}

/** Opens a shop and migrates an older schema; returns the connections it opened, and whether it created the shop. */
async function openUpToDate(
  open: (readonly: boolean) => Promise<Connection>,
  path: string,
  { driver, isNew, create = false, waitSeconds, readOnly = false }: UpgradeOptions,
): Promise<{ readonly reader: Connection | undefined; readonly writer: Connection | undefined; readonly isCreated: boolean }> {
  let reader: Connection | undefined;
  let writer: Connection | undefined;
  let found = 0;
  try {
    if (!readOnly && existsSync(`${path}-journal`)) await rollBackJournal(open, path, waitSeconds);
    if (!isNew) {
      const connection = (reader = await open(true));
      found = await retryWhileBusy(path, waitSeconds, () => schemaVersionOf(connection.database, path));
      if (found === 0 && !create) throw new StoreError('store_missing', `${path} is empty; no shop was set up in it.`);
      if (found > 0) await retryWhileBusy(path, waitSeconds, () => refuseUnsafeObjects(connection.database, path, driver));
      // Another program created the file, with other permissions.
      if (found === 0) restrictToOwner(path);
    }
    const isOlder = found !== schemaVersion();
    if (isOlder) {
      if (readOnly) throw openedReadOnly(`${path} has the schema of an older petstore and is opened for reading only, so it was not upgraded.`);
      writer = await open(false);
      found = await migrate(writer.database, path, waitSeconds);
    }
    return { reader, writer, isCreated: isOlder && found === 0 };
  } catch (error) {
    reader?.database.close();
    writer?.database.close();
    throw error;
  }
}

/**
 * Opens a shop in an SQLite file. Refuses with `store_missing`, `store_unreadable`, `schema_too_new`, `store_read_only`
 * or `store_busy`. Further connections are opened on first use.
 */
export async function openSqlite(
  path: string,
  { create = false, onCreated, waitSeconds, readOnly = false, nativeBinding, checkpoints = true }: SqliteOptions,
): Promise<Engine> {
  const isNew = create && createFile(path);
  checkFile(path);
  const file: OpenFile = { path, waitSeconds, checkUnchanged: sameFileCheck(path) };
  const driver = await driverFor(nativeBinding);
  const open = async (readonly: boolean): Promise<Connection> => {
    const database = await retryWhileBusy(path, waitSeconds, () => {
      // A connection to a replaced file would keep using that file after the original one is moved back.
      file.checkUnchanged();
      return connect(driver, path, readonly);
    });
    if (!readonly && !checkpoints) database.pragma('wal_autocheckpoint = 0');
    // The former pages of each statement, which SQLite keeps to undo it, are few: a file for them would be slower.
    if (!readonly) database.pragma('temp_store = MEMORY');
    return { database, queries: queriesOf(database) };
  };
  const opened = await openUpToDate(open, path, { driver, isNew, create, waitSeconds, readOnly });
  if (opened.isCreated) onCreated?.();
  let { reader, writer } = opened;
  const takeSnapshot = async ({ queries }: Connection, waitedMs: number): Promise<void> => {
    file.checkUnchanged();
    await queries.run(sql`BEGIN`);
    // Only a first query takes the snapshot.
    await retryWhileBusy(path, waitSeconds, () => queries.get(sql`SELECT 1 FROM settings`), waitedMs);
  };
  const read = sharedReads(async () => (reader ??= await open(true)), takeSnapshot, path);
  const write = groupedWrites(async () => writePort((writer ??= await open(false)), file), waitSeconds);
  return {
    read,
    write,
    changeMark: () => reader && numberPragma(reader.database, 'data_version'),
    insertRows,
    insertStock,
    checkWritable: async () => checkWritableFile(path),
    close: async () => {
      // The reader first: only a connection that may write deletes the log when it is the last to close.
      reader?.database.close();
      writer?.database.close();
    },
  };
}
