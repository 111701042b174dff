import { lstatSync, readdirSync, readlinkSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname } from 'node:path';
import type { Check } from '../../../domain/maintenance/maintenance.js';
import { system } from '../../../system.js';
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
const fail = (name: string, message: string): Check => ({ name, status: 'fail', message });

/** The files of a shop: the database, its log and its index. */
export function filesOf(store: string): readonly string[] {
  const real = realpathSync(store);
  return [real, `${real}-wal`, `${real}-shm`].filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

function currentUser(): { readonly uid: number; readonly username: string } {
  try {
    return userInfo();
  } catch {
    // In a container the user id may have no name.
    return { uid: -1, username: '' };
  }
}

/** Files that users other than the owner can access. */
function openToOthers(store: string): readonly string[] {
  return filesOf(store).filter((path) => (statSync(path).mode & 0o077) !== 0);
}

/** The files that other users can access and whose permissions the current user can change. */
export function restrictable(store: string): readonly string[] {
  const { uid } = currentUser();
  return openToOthers(store).filter((path) => uid <= 0 || statSync(path).uid === uid);
}

function permissions(store: string): Check {
  const loose = openToOthers(store).map((path) => `${path} (${(statSync(path).mode & 0o777).toString(8)})`);
  if (loose.length === 0) return pass('permissions', 'Only the owner can read the shop.');
  const advice = restrictable(store).length === loose.length ? '--repair sets the mode to 600' : 'their owner can set the mode to 600 with --repair';
  return warn('permissions', `Other users can access ${loose.join(' and ')}; ${advice}.`);
}

const [writableByOthers, sticky, allBits] = [0o022, 0o1000, 0o7777];

/** The folders above a shop that other users can write to, with their permissions. */
function writableFolders(store: string): readonly string[] {
  const home = dirname(realpathSync(store));
  const found: string[] = [];
  for (let folder = home; ; folder = dirname(folder)) {
    const { mode } = statSync(folder);
    // In a sticky folder such as /tmp others can add files but not replace them.
    if ((mode & writableByOthers) !== 0 && (folder === home || (mode & sticky) === 0)) found.push(`${folder} (${(mode & allBits).toString(8)})`);
    if (folder === dirname(folder)) return found;
  }
}

function folders(store: string): Check {
  const found = system.hasFileModes ? writableFolders(store) : [];
  if (found.length === 0) return pass('folder', 'Only the owner can add files to the folder of the shop.');
  return warn(
    'folder',
    `Other users can write to ${found.join(' and ')}: they can replace the shop, or add a journal file that SQLite would use. Remove the permission with "chmod go-w".`,
  );
}

function owner(store: string): Check {
  const { uid, username } = currentUser();
  const otherOwned = uid < 0 ? undefined : filesOf(store).find((path) => statSync(path).uid !== uid);
  if (otherOwned === undefined) return pass('owner', 'The shop belongs to the current user.');
  return warn(
    'owner',
    `${otherOwned} belongs to user ${statSync(otherOwned).uid}, not to ${username} (${uid}); files written by one may be unreadable for the other.`,
  );
}

function links(store: string): readonly Check[] {
  const { nlink } = statSync(store);
  const hard =
    nlink > 1
      ? fail(
          'hard links',
          `${store} has ${nlink} names (hard links). Using another name damages the shop, because SQLite does not find its log: remove the other names.`,
        )
      : pass('hard links', 'The shop has no other hard links.');
  const symbolic = lstatSync(store).isSymbolicLink()
    ? warn('symbolic link', `${store} is a link to ${readlinkSync(store)}; copy or move the file itself, together with its -wal and -shm files.`)
    : pass('symbolic link', 'The shop is not a symbolic link.');
  return [hard, symbolic];
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

function log(store: string): Check {
  const wal = statSync(`${realpathSync(store)}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const size = Math.ceil(wal / mebibyte);
  if (wal <= Math.max(128 * mebibyte, statSync(store).size)) return pass('log size', `The log takes ${size} MiB.`);
  return warn('log size', `The log takes ${size} MiB; a program that reads without pause prevents it from shrinking. Find and stop that program.`);
}

function leftovers(store: string): Check {
  const found = workFolders(dirname(realpathSync(store)));
  if (found.length === 0) return pass('leftovers', 'No temporary files of interrupted commands.');
  return warn('leftovers', `${found.join(', ')}: temporary files of an interrupted command, unless one is running; the next backup or restore removes them.`);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not permitted, or not available on this system.
    return [];
  }
}

/** Processes of this user that use a deleted file of this name; Linux only. */
function removed(store: string): Check {
  const real = realpathSync(store);
  const holders = new Set<string>();
  for (const id of namesIn('/proc').filter((name) => /^\d+$/.test(name))) {
    for (const descriptor of namesIn(`/proc/${id}/fd`)) {
      try {
        if (readlinkSync(`/proc/${id}/fd/${descriptor}`) === `${real} (deleted)`) holders.add(id);
      } catch {
        // Closed in the meantime.
      }
    }
  }
  if (holders.size === 0) return pass('removed file', 'No process uses a removed file of this name.');
  return fail('removed file', `Process ${[...holders].join(', ')} uses a ${basename(real)} that was removed or replaced: its changes are lost. Stop it.`);
}

/** Checks the files of a shop, their folders and their disk. */
export function checkSurroundings(store: string): readonly Check[] {
  return [permissions(store), folders(store), owner(store), ...links(store), removed(store), ...disk(store), log(store), leftovers(store)];
}
