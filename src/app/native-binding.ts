import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The version of Node-API that better-sqlite3 13 needs, which ships prebuilt binaries; version 12 is compiled at installation.
 * Node has it from 22.14 on; loading version 13 in an older one ends the process with a segmentation fault.
 */
const firstNodeApiWithPrebuilds = 10;

/** Whether the C library is musl, by the name of its dynamic loader: a binary works with only one C library. */
function isMusl(): boolean {
  const maps = '/proc/self/maps';
  return process.platform === 'linux' && existsSync(maps) && readFileSync(maps, 'latin1').includes('/ld-musl-');
}

/** The native addon of better-sqlite3. In a bundle the package cannot find it, because it searches relative to its own files. */
export function nativeBinding(home: string): string | undefined {
  const hasPrebuilds = Number(process.versions['napi']) >= firstNodeApiWithPrebuilds;
  const addons = [
    ...(hasPrebuilds ? [`better-sqlite3-13/prebuilds/${isMusl() ? 'linuxmusl' : process.platform}-${process.arch}.node`] : []),
    'better-sqlite3/build/Release/better_sqlite3.node',
  ];
  // In our own node_modules, or next to us when the package manager hoists packages.
  return addons.flatMap((addon) => [join(home, 'node_modules', addon), join(home, '..', addon)]).find((path) => existsSync(path));
}
