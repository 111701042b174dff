// The files of petstore below a prefix, for one platform: what the archives, the .deb and the image contain.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { here, names, output } from './places.js';
import { unpackAddon, unpackNode } from './packages.js';
import { run } from './run.js';

/** Where shells look for the completion of a command. */
const completions = { bash: 'bash-completion/completions/petstore', zsh: 'zsh/site-functions/_petstore', fish: 'fish/vendor_completions.d/petstore.fish' };

function move(from, to) {
  mkdirSync(join(to, '..'), { recursive: true });
  renameSync(from, to);
}

/** Writes the files into the new folder `prefix`. */
export function writeTree(platform, prefix) {
  const lib = join(prefix, 'lib/petstore');
  const share = join(prefix, 'share');
  mkdirSync(lib, { recursive: true });
  run('tar', ['-xzf', join(output, names.npm), '-C', lib, '--strip-components', '1', '--no-same-owner']);
  const isWindows = platform.startsWith('win32');
  const program = isWindows ? 'node.exe' : 'node';
  const own = join(prefix, 'node');
  unpackNode(platform, own);
  move(join(own, 'bin', program), join(lib, program));
  move(join(own, 'LICENSE'), join(share, 'doc/petstore/LICENSE.node'));
  rmSync(own, { recursive: true });
  unpackAddon(platform, join(lib, 'node_modules/better-sqlite3-13'));
  writeFileSync(join(lib, 'platform'), `${platform}\n`);
  const builds = readdirSync(join(lib, 'dist')).filter((name) => name.startsWith('build-'));
  move(join(lib, 'dist', builds[0], names.notices), join(share, 'doc/petstore', names.notices));
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md']) move(join(lib, name), join(share, 'doc/petstore', name));
  // What npm runs after an installation.
  rmSync(join(lib, 'bin/check-install.js'));
  if (isWindows) rmSync(join(lib, 'dist/man'), { recursive: true });
  else {
    move(join(lib, 'dist/man'), join(share, 'man/man1'));
    for (const [shell, path] of Object.entries(completions)) {
      mkdirSync(join(share, path, '..'), { recursive: true });
      cpSync(join(lib, `data/completion/petstore.${shell}`), join(share, path));
    }
  }
  const launcher = isWindows ? 'petstore.cmd' : 'petstore';
  mkdirSync(join(prefix, 'bin'));
  cpSync(join(here, launcher), join(prefix, 'bin', launcher));
  chmodSync(join(prefix, 'bin', launcher), 0o755);
  if (!existsSync(join(lib, 'dist/start.cjs'))) throw new Error(`${names.npm} has no build.`);
}
