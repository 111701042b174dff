// Builds the npm package of a commit in a folder of its own, with the pinned Node.js, so that nothing of the work tree and of the
// Node.js of the machine gets into it.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache, names, root } from './places.js';
import { unpackNode } from './packages.js';
import { run, say, shell } from './run.js';

export const build = join(cache, 'build');
/** The files that the bundles are made of, as esbuild names them. */
export const metafile = join(cache, 'metafile.json');
export const pinnedNode = join(cache, 'node');
const ownPlatform = `${process.platform}-${process.arch}`;
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** The environment in which `node` is the pinned one. */
export function pinnedEnvironment() {
  if (!existsSync(join(pinnedNode, 'LICENSE'))) unpackNode(ownPlatform, pinnedNode);
  return { ...process.env, PATH: `${join(pinnedNode, 'bin')}:${process.env.PATH}` };
}

/** Writes the files of the commit into the folder of the build; its packages are kept while the lock file is the same. */
function checkOut(commit, env) {
  const lock = join(build, 'node_modules/.release-lock.json');
  mkdirSync(build, { recursive: true });
  for (const name of readdirSync(build)) if (name !== 'node_modules') rmSync(join(build, name), { recursive: true });
  shell('git archive "$COMMIT" | tar -x -C "$BUILD"', root, { COMMIT: commit, BUILD: build });
  if (read(lock) === read(join(build, 'package-lock.json'))) return;
  say('Installing the packages of the build …');
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: build, env });
  cpSync(join(build, 'package-lock.json'), lock);
}

/** Builds and packs the program into the folder `output`. */
export function packProgram({ commit, epoch }, output) {
  const env = { ...pinnedEnvironment(), SOURCE_DATE_EPOCH: epoch, PETSTORE_COMMIT: commit.slice(0, 8), PETSTORE_METAFILE: metafile };
  checkOut(commit, env);
  say(`Building ${names.npm} of ${commit.slice(0, 8)} …`);
  run('npm', ['pack', '--silent', '--pack-destination', output], { cwd: build, env });
}
