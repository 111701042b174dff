import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { explain } from '../errors.js';
import { explainFile } from './files.js';

const folderPrefix = '.petstore-work-';

/** The folders in which running and killed commands prepare their files. */
export function workFolders(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(folderPrefix))
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory());
}

// Longer than any command runs.
const abandonedMs = 24 * 60 * 60_000;

/** Removes the folders of killed commands, as far as this user may. */
function removeAbandoned(folder: string): void {
  // Both times come from the file system, whose clock may differ from the clock of this machine.
  const now = statSync(folder).mtimeMs;
  for (const other of workFolders(dirname(folder))) {
    try {
      if (now - statSync(other).mtimeMs > abandonedMs) rmSync(other, { recursive: true });
    } catch {
      // Of another user, or already removed.
    }
  }
}

/** Runs work with a private folder on the same disk as `path` and removes it afterwards. Folders that are older than a day are removed first, to free space. */
export async function withWorkFolder<T>(path: string, work: (folder: string) => Promise<T>): Promise<T> {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(dirname(path), folderPrefix));
    removeAbandoned(folder);
    return await work(folder);
  } catch (error) {
    throw explainFile(explain(error, path), path);
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
