// Builds the same commit again, from a clone in another folder with packages of its own, and compares the sums. The image
// is not compared: Debian changes the packages that it contains.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache, names, output, root } from '../places.js';
import { run, say, shell } from '../run.js';

const sums = (path) => readFileSync(path, 'utf8').trim().split('\n');

export function checkReproducible({ commit }) {
  const folder = mkdtempSync('/var/tmp/petstore-again-');
  try {
    const clone = join(folder, 'clone');
    const again = join(folder, 'cache/petstore/release');
    run('git', ['clone', '--quiet', '--shared', root, clone]);
    run('git', ['-C', clone, 'checkout', '--quiet', commit]);
    mkdirSync(again, { recursive: true });
    // The downloads have fixed sums.
    shell('cp -al "$CACHE/downloads" downloads', again, { CACHE: cache });
    const parts = ['program', 'archives', 'deb', 'sbom'];
    run(process.execPath, [join(clone, '.config/release/main.js'), ...parts], { env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') } });
    const first = sums(join(output, names.sums));
    const second = new Set(sums(join(clone, 'dist-release', names.sums)));
    const different = first.filter((line) => !second.has(line) && !line.endsWith(names.image));
    if (different.length > 0) throw new Error(`A second build has other bytes:\n${different.join('\n')}`);
    say(`  ${second.size} files, built twice, have the same bytes`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
