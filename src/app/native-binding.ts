import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The first major version of Node for better-sqlite3 13, which ships prebuilt binaries; version 12 is compiled at installation. */
const firstNodeWithPrebuilds = 22;

/** Whether the C library is musl, by the name of its dynamic loader: a binary works with only one C library. */
function isMusl(): boolean {
  const maps = '/proc/self/maps';
  return process.platform === 'linux' && existsSync(maps) && readFileSync(maps, 'latin1').includes('/ld-musl-');
}

/** The native addon of better-sqlite3. In a bundle the package cannot find it, because it searches relative to its own files. */
export function nativeBinding(home: string): string | undefined {
  const hasPrebuilds = Number.parseInt(process.versions.node, 10) >= firstNodeWithPrebuilds;
  const addons = [
    ...(hasPrebuilds ? [`better-sqlite3-13/prebuilds/${isMusl() ? 'linuxmusl' : process.platform}-${process.arch}.node`] : []),
    'better-sqlite3/build/Release/better_sqlite3.node',
  ];
  // In our own node_modules, or next to us when the package manager hoists packages.
  return addons.flatMap((addon) => [join(home, 'node_modules', addon), join(home, '..', addon)]).find((path) => existsSync(path));
}
