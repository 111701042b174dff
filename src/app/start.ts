import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { replaceFile } from '../settings/replace-file.js';

/** The exports of a bundle. */
interface Exports {
  readonly main?: (home: string, build: string) => Promise<void>;
}

type Wrapped = (exports: object, require: NodeJS.Require, module: { readonly exports: Exports }, filename: string, folder: string) => void;

/** The folder of this build. Its bundles load each other from here, also when a newer build has become the current one. */
export const build: string = __dirname;

/** The scripts of the loaded bundles by name; the build writes their bytecode. */
export const scripts: Map<string, Script> = new Map();

/** Scripts that have no bytecode, or one that V8 rejected, and where to write it. */
const withoutBytecode: { readonly script: Script; readonly path: string }[] = [];

/** The bytecode that an earlier run with this version of V8 has written. */
const runtimeCache = (name: string): string => join(build, `${name}-${process.versions.v8}.cache`);

/** The bytecode of a bundle; that of an earlier run comes before that of the build. */
function bytecodeOf(name: string): Buffer | undefined {
  const path = [runtimeCache(name), join(build, `${name}.cache`)].find((one) => existsSync(one));
  return path === undefined ? undefined : readFileSync(path);
}

/** Runs a bundle with its bytecode. A package has none: the first start with each bundle writes it, for the V8 of this machine. */
export function load(name: string): Exports {
  const filename = join(build, `${name}.cjs`);
  const source = readFileSync(filename, 'utf8');
  const cachedData = bytecodeOf(name);
  const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
  if (cachedData === undefined || script.cachedDataRejected === true) withoutBytecode.push({ script, path: runtimeCache(name) });
  scripts.set(name, script);
  const bundle = { exports: {} };
  (script.runInThisContext() as Wrapped)(bundle.exports, require, bundle, filename, build);
  return bundle.exports;
}

/** Writes the missing bytecode. Without write access the bundles are compiled on every start. */
function writeCaches(): void {
  for (const { script, path } of withoutBytecode) {
    try {
      accessSync(dirname(path), constants.W_OK);
      // Atomically: another process may start at the same time.
      replaceFile(path, script.createCachedData(), { draft: `${path}.${process.pid}` });
    } catch {
      return;
    }
  }
}

/** The bundle for a command line that begins with `word`; `petstore` is for all that have none of their own. */
function bundleFor(word: string): string {
  const name = `petstore-${/^-*([a-z]+)$/.exec(word)?.[1]}`;
  return existsSync(join(build, `${name}.cjs`)) ? name : 'petstore';
}

/** Sets HOME where Node finds no home folder: without HOME, for a user without an entry in the user database, as in a container. */
function ensureHome(): void {
  try {
    homedir();
  } catch {
    process.env['HOME'] = '/';
  }
}

/** Starts the program; with `savesBytecode` it writes the missing bytecode at its end. */
export async function start(savesBytecode = true): Promise<void> {
  ensureHome();
  const { main } = load(bundleFor(process.argv[2] ?? 'help'));
  await main?.(join(build, '..', '..'), build);
  if (savesBytecode) writeCaches();
}
