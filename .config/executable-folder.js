// Finds a folder in which programs can be executed: the temporary folder may be mounted without this right (noexec).
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a program that is written to a folder can be executed by the user with an id, or by this one. */
function executes(folder, uid) {
  let own;
  try {
    own = mkdtempSync(join(folder, 'petstore-try-'));
    const program = join(own, 'program');
    writeFileSync(program, '#!/bin/sh\n');
    for (const path of [own, program]) chmodSync(path, 0o755);
    return spawnSync(program, { cwd: '/', uid, gid: uid }).status === 0;
  } catch {
    return false;
  } finally {
    if (own !== undefined) rmSync(own, { recursive: true, force: true });
  }
}

/** The first of these folders in which the user with an id, or this one, can execute programs; undefined if there is none. */
export function executableFolder(folders, uid) {
  return folders.find((folder) => executes(folder, uid));
}
