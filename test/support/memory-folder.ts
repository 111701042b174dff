import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const shared = '/dev/shm';
/** The files of PostgreSQL need most of it. */
const neededBytes = 2 ** 31;

/** Whether the file system in memory exists and has enough free space: a container may have 64 MB of it, or none. */
function isLarge(): boolean {
  try {
    const { bavail, bsize } = statfsSync(shared);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

/** The folder of files that tests need no disk for: in memory where possible, which is faster. */
export const memoryFolder = isLarge() ? shared : tmpdir();
