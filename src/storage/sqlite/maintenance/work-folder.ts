import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { explain } from '../errors.js';
import { explainFile } from './files.js';

const folderPrefix = '.petstore-';

/** The folders in which running and killed commands prepare their files. */
export function workFolders(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(folderPrefix))
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory());
}

// No command takes as long.
const minimumAgeMs = 86_400_000;

/** Removes a folder of this user whose command was killed; leaves any other. */
function removeIfAbandoned(folder: string, own: Stats): void {
  const { uid, mtimeMs } = statSync(folder);
  // Both times come from the file system, whose clock may differ from the clock of this machine.
  if (uid === own.uid && own.mtimeMs - mtimeMs > minimumAgeMs) rmSync(folder, { recursive: true, force: true });
}

/** Runs work with a private folder on the same disk as `path` and removes it afterwards. Folders of killed commands are removed first, to free space. */
export async function withWorkFolder<T>(path: string, work: (folder: string) => Promise<T>): Promise<T> {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(dirname(path), folderPrefix));
    const own = statSync(folder);
    for (const other of workFolders(dirname(path))) removeIfAbandoned(other, own);
    return await work(folder);
  } catch (error) {
    throw explainFile(explain(error, path), path);
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
