import type Database from 'better-sqlite3';
import { lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Driver } from '../driver.js';
import { explain } from '../errors.js';
import { explainFile, privateFile } from './files.js';

const start = '.petstore-';

/** What marks a folder as that of a command at work: SQLite holds a lock on it, which ends with the process. */
const lockName = 'lock';

/** The folders in which files are made before they are put into their place: of commands at work, and of some that were killed. */
export function workFolders(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory());
}

function locked(path: string, driver: Driver): Database.Database {
  const lock = driver.open(path, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

// A younger folder may not have its lock yet.
const youngest = 60_000;

/** Removes the folder of a command that was killed; any other stays, and so does that of another user. */
function removeDead(folder: string, own: Stats, driver: Driver): void {
  try {
    const { uid, mtimeMs } = statSync(folder);
    // Both times are by the clock of the disk, which need not be that of this machine.
    if (uid !== own.uid || own.mtimeMs - mtimeMs < youngest) return;
    if (readdirSync(folder).length === 0) return rmdirSync(folder);
    locked(join(folder, lockName), driver).close();
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
    folder = mkdtempSync(join(dirname(path), start));
    lock = locked(privateFile(join(folder, lockName)), driver);
    const own = statSync(folder);
    for (const other of workFolders(dirname(path))) if (basename(other) !== basename(folder)) removeDead(other, own, driver);
    return await work(folder);
  } catch (error) {
    throw explainFile(explain(error, path), path);
  } finally {
    lock?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
