// Prepares a clone: installs the packages that are missing or differ from the lock file, then builds. The commands of an
// installation by link keep running meanwhile.
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modifiedAt = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const newest = (folder) => Math.max(...readdirSync(join(root, folder), { recursive: true }).map((path) => modifiedAt(join(folder, path))));
const canOpenShops = () => spawnSync(process.execPath, [join(root, 'bin/check-install.js')], { stdio: 'ignore' }).status === 0;

/** Worktrees may share one folder of packages by a link, and `npm ci` would empty that folder. */
const isShared = () => lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** The packages of a lock file by path; none if there is no such file. */
const lockedIn = (path) => (modifiedAt(path) > 0 ? JSON.parse(readFileSync(join(root, path), 'utf8')).packages : {});

/** Whether the packages are those of the lock file; optional ones may be for other platforms. */
function isUpToDate() {
  const installed = lockedIn('node_modules/.package-lock.json');
  const isInstalled = ([path, { integrity, optional }]) => path === '' || (path in installed ? installed[path].integrity === integrity : optional);
  return Object.entries(lockedIn('package-lock.json')).every(isInstalled);
}

/** Installs packages with a command of npm: `ci` removes all of them first, `install --no-save` replaces only those that changed. */
function install(...words) {
  console.error('Installing packages; the first time takes a minute or two …');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts=false', '--loglevel=error'];
  // npm is a script on Windows, which only a shell runs.
  const { status } = spawnSync('npm', [...words, ...flags], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!isShared()) {
  if (!canOpenShops()) install('ci');
  else if (!isUpToDate()) install('install', '--no-save');
}
if (modifiedAt('dist/start.cjs') < Math.max(newest('src'), newest('.config'), modifiedAt('package.json'))) {
  execFileSync(process.execPath, [join(root, '.config/build.js')], { cwd: root, stdio: 'inherit' });
}
