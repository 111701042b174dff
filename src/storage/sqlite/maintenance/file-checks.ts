import { realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Check } from '../../../domain/maintenance/maintenance.js';
import { workFolders } from './work-folder.js';

const mebibyte = 2 ** 20;

/** Network file systems, by their magic number (statfs(2)). */
const sharedSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
]);

const pass = (name: string, message: string): Check => ({ name, status: 'pass', message });
const warn = (name: string, message: string): Check => ({ name, status: 'warn', message });

/** The files of a shop: the database, its log and its index. */
export function filesOf(store: string): readonly string[] {
  const real = realpathSync(store);
  return [real, `${real}-wal`, `${real}-shm`].filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** The files that users other than the owner can access. */
export function openToOthers(store: string): readonly string[] {
  return filesOf(store).filter((path) => (statSync(path).mode & 0o077) !== 0);
}

function permissions(store: string): Check {
  const loose = openToOthers(store).map((path) => `${path} (${(statSync(path).mode & 0o777).toString(8)})`);
  if (loose.length === 0) return pass('permissions', 'Only the owner can read the shop.');
  return warn('permissions', `Other users can access ${loose.join(' and ')}; their owner can set the mode to 600 with --repair.`);
}

function hardLinks(store: string): Check {
  const { nlink } = statSync(store);
  if (nlink === 1) return pass('hard links', 'The shop has no other hard links.');
  const message = `${store} has ${nlink} names (hard links). Using another name damages the shop, because SQLite does not find its log: remove the other names.`;
  return { name: 'hard links', status: 'fail', message };
}

function disk(store: string): readonly Check[] {
  const { type, bavail, bsize } = statfsSync(dirname(realpathSync(store)));
  const shared = sharedSystems.get(type);
  const fileSystem =
    shared === undefined
      ? pass('file system', 'The shop is on a local disk.')
      : warn('file system', `The shop is on ${shared}. Several machines must not use it at the same time; serve it from one of them with "petstore serve".`);
  const [free, size] = [bavail * bsize, filesOf(store).reduce((sum, path) => sum + statSync(path).size, 0)];
  const spare = Math.floor(free / mebibyte);
  const room =
    free < 2 * size || spare < 64
      ? warn('free space', `${spare} MiB free, and the shop takes ${Math.ceil(size / mebibyte)} MiB; a restore needs up to three times as much.`)
      : pass('free space', `${spare} MiB free.`);
  return [fileSystem, room];
}

function leftovers(store: string): Check {
  const found = workFolders(dirname(realpathSync(store)));
  if (found.length === 0) return pass('leftovers', 'No temporary files of interrupted commands.');
  return warn(
    'leftovers',
    `${found.join(', ')}: temporary files of an interrupted command, unless one is running; backups and restores remove those of the day before.`,
  );
}

/** Checks the files of a shop, their folders and their disk. */
export function checkSurroundings(store: string): readonly Check[] {
  return [permissions(store), hardLinks(store), ...disk(store), leftovers(store)];
}
