// Everything a fresh clone needs before a script runs: packages when they are missing or older than the lock file, and a build.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const newest = (folder) => Math.max(...readdirSync(join(root, folder), { recursive: true }).map((path) => at(join(folder, path))));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

if (at('node_modules/.package-lock.json') < at('package-lock.json') || at('node_modules/better-sqlite3/build/Release/better_sqlite3.node') === 0) {
  console.error('Installing packages; the first time takes a minute or two …');
  execFileSync(npm, ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts=false', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
if (at('dist/petstore.cache') < Math.max(newest('src'), newest('.config'), at('package.json'))) {
  execFileSync(process.execPath, [join(root, '.config/build.js')], { cwd: root, stdio: 'inherit' });
}
