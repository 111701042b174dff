import type Database from 'better-sqlite3';
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StoreError } from '../../../domain/errors.js';
import type { BackupReport, BackupRequest } from '../../../domain/maintenance/maintenance.js';
import { checkRules } from '../../maintenance/check-rules.js';
import { queriesOf } from '../connection.js';
import { checkFile } from '../shop-file.js';
import { isSameFile, privateFile, moveIntoPlace, realPath, syncToDisk, sha256Of, fileExists } from './files.js';
import { schemaVersionOf } from '../migrate.js';
import { refuseForeignSchema } from '../schema.js';
import { refuseUnrestorable, stateOf, withFile, writingTo, type FileAccess } from './shop-state.js';
import { withWorkFolder } from './work-folder.js';

/** The path of a backup's SHA-256 file. */
export function manifestOf(file: string): string {
  return `${file}.sha256`;
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Refuses a target that is a folder, a special file, a file of the shop, or an existing file without `force`. */
function checkTarget(store: string, file: string, force: boolean): void {
  if (!exists(dirname(file)))
    throw new StoreError('usage', `${file} is in a folder that does not exist.`, { advice: 'Create the folder first, or choose another path.' });
  for (const target of [file, manifestOf(file)]) {
    const found = statSync(target, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new StoreError('usage', `${target} is a folder.`, { advice: 'Give the name of a file.' });
    if (found && !found.isFile()) throw new StoreError('usage', `${target} is not a file.`, { advice: 'Give the name of a file.' });
    const real = realPath(store);
    const shopFiles = ['', '-wal', '-shm', '-journal'].map((suffix) => `${real}${suffix}`);
    if (shopFiles.includes(realPath(target)) || isSameFile(real, target))
      throw new StoreError('usage', `${target} is a file of the shop itself.`, { advice: 'Choose another name.' });
    if (found && !force) throw fileExists(target);
  }
}

/** A line for `sha256sum -c`, with its escapes for backslashes and line breaks. */
function manifestLine(sha256: string, file: string): string {
  const name = basename(file);
  const escaped = name
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`);
  return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`;
}

/** Checks a new backup and returns its state with the names of its failed checks. */
async function verified(copy: string, store: string, access: FileAccess): Promise<Omit<BackupReport, 'file' | 'bytes' | 'sha256'>> {
  const inspect = async (database: Database.Database) => {
    // What restore would refuse does not replace a good backup.
    refuseUnrestorable(database, store, access, { details: { reason: 'inconsistent' } });
    const state = stateOf(database, store);
    if (state === undefined) throw new StoreError('store_missing', 'There is no shop to back up.');
    const checks = await checkRules(queriesOf(database));
    return { ...state, unsound: checks.filter(({ status }) => status === 'fail').map(({ name }) => name) };
  };
  return withFile(copy, access, inspect, store);
}

/**
 * Writes a consistent copy of a shop that stays in use, checks it, and moves it and its SHA-256 file into place.
 * Refuses with `file_exists`, `usage`, `store_full` and what opening a shop refuses.
 */
export async function backupFile(store: string, { file, force }: BackupRequest, access: FileAccess): Promise<BackupReport> {
  checkFile(store);
  // Problems of the shop are reported before those of the target.
  await withFile(store, access, (database) => {
    if (schemaVersionOf(database, store) === 0) throw new StoreError('store_missing', `${store} is empty; no shop was set up in it.`);
    refuseForeignSchema(database, store, access.driver, { details: { reason: 'inconsistent' } });
  });
  checkTarget(store, file, force);
  return withWorkFolder(file, async (folder) => {
    const copy = privateFile(join(folder, 'backup'));
    await withFile(store, access, (database) => writingTo(file, () => database.prepare('VACUUM INTO ?').run(copy)));
    const facts = await verified(copy, store, access);
    chmodSync(copy, 0o600);
    syncToDisk(copy);
    const sha256 = await sha256Of(copy);
    const manifest = privateFile(join(folder, 'manifest'));
    writeFileSync(manifest, manifestLine(sha256, file));
    syncToDisk(manifest);
    const { size: bytes } = statSync(copy);
    // After a crash, `restore` accepts a backup without a SHA-256 file but refuses one with that of another backup, so the old file is removed first.
    if (force) rmSync(manifestOf(file), { force: true });
    moveIntoPlace(copy, file, force);
    moveIntoPlace(manifest, manifestOf(file), force);
    syncToDisk(dirname(file));
    return { file, bytes, sha256, ...facts };
  });
}
