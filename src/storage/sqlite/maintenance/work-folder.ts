import type Database from 'better-sqlite3';
import { lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Driver } from '../driver.js';
import { explain } from '../errors.js';
import { explainFile, privateFile } from './files.js';

const folderPrefix = '.petstore-';

/** A file that a running command keeps locked with SQLite; the lock ends with the process. */
const lockName = 'lock';

/** The folders in which running and killed commands prepare their files. */
export function workFolders(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(folderPrefix))
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory());
}

function openLocked(path: string, driver: Driver): Database.Database {
  const lock = driver.open(path, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

// A newer folder may not be locked yet.
const minimumAgeMs = 60_000;

/** Removes a folder of this user whose command was killed; leaves any other. */
function removeIfAbandoned(folder: string, newest: Stats, driver: Driver): void {
  try {
    const { uid, mtimeMs } = statSync(folder);
    // Both times come from the file system, whose clock may differ from the clock of this machine.
    if (uid !== newest.uid || newest.mtimeMs - mtimeMs < minimumAgeMs) return;
    if (readdirSync(folder).length === 0) return rmdirSync(folder);
    openLocked(join(folder, lockName), driver).close();
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // In use, or not created by petstore.
  }
}

/** Runs work with a private folder on the same disk as `path` and removes it afterwards. Folders of killed commands are removed first, to free space. */
export async function withWorkFolder<T>(path: string, driver: Driver, work: (folder: string) => Promise<T>): Promise<T> {
  let folder: string | undefined;
  let lock: Database.Database | undefined;
  try {
    folder = mkdtempSync(join(dirname(path), folderPrefix));
    lock = openLocked(privateFile(join(folder, lockName)), driver);
    const newest = statSync(folder);
    for (const other of workFolders(dirname(path))) if (basename(other) !== basename(folder)) removeIfAbandoned(other, newest, driver);
    return await work(folder);
  } catch (error) {
    throw explainFile(explain(error, path), path);
  } finally {
    lock?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
