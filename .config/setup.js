// Prepares a fresh clone for a script: installs the packages that are missing or older than the lock file, then builds.
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modifiedAt = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const newest = (folder) => Math.max(...readdirSync(join(root, folder), { recursive: true }).map((path) => modifiedAt(join(folder, path))));
const canOpenShops = () => spawnSync(process.execPath, [join(root, 'bin/check-install.js')], { stdio: 'ignore' }).status === 0;

/** Worktrees may share one folder of packages by a link, and `npm ci` would empty that folder. */
const isShared = () => lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() === true;

function install() {
  console.error('Installing packages; the first time takes a minute or two …');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts=false', '--loglevel=error'];
  // npm is a script on Windows, which only a shell runs.
  const { status } = spawnSync('npm', ['ci', ...flags], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

const isOutdated = modifiedAt('node_modules/.package-lock.json') < modifiedAt('package-lock.json');
if (!isShared() && (isOutdated || !canOpenShops())) install();
if (modifiedAt('dist/petstore.cache') < Math.max(newest('src'), newest('.config'), modifiedAt('package.json'))) {
  execFileSync(process.execPath, [join(root, '.config/build.js')], { cwd: root, stdio: 'inherit' });
}
