import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { replaceFile } from '../settings/replace-file.js';

/** The exports of a bundle. */
interface Exports {
  readonly main?: (home: string) => Promise<void>;
}

type Wrapped = (exports: object, require: NodeJS.Require, module: { readonly exports: Exports }, filename: string, folder: string) => void;

/** The scripts of the loaded bundles by name; the build writes their bytecode. */
export const scripts: Map<string, Script> = new Map();

/** Scripts that have no bytecode, or one that V8 rejected, and where to write it. */
const withoutBytecode: { readonly script: Script; readonly path: string }[] = [];

/** The bytecode that an earlier run with this version of V8 has written. */
const runtimeCache = (folder: string, name: string): string => join(folder, `${name}-${process.versions.v8}.cache`);

/** The bytecode of a bundle; that of an earlier run comes before that of the build. */
function bytecodeOf(folder: string, name: string): Buffer | undefined {
  const path = [runtimeCache(folder, name), join(folder, `${name}.cache`)].find((one) => existsSync(one));
  return path === undefined ? undefined : readFileSync(path);
}

/**
 * Runs a bundle of `folder` with its bytecode. A package has none: the first start with each bundle writes it, for the V8 of
 * this machine. `requireModule` is the require() of the bundle.
 */
export function load(folder: string, name: string, requireModule: NodeJS.Require): Exports {
  const filename = join(folder, `${name}.cjs`);
  const source = readFileSync(filename, 'utf8');
  const cachedData = bytecodeOf(folder, name);
  const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
  if (cachedData === undefined || script.cachedDataRejected === true) withoutBytecode.push({ script, path: runtimeCache(folder, name) });
  scripts.set(name, script);
  const bundle = { exports: {} };
  (script.runInThisContext() as Wrapped)(bundle.exports, requireModule, bundle, filename, folder);
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
function bundleFor(folder: string, word: string): string {
  const name = `petstore-${/^-*([a-z]+)$/.exec(word)?.[1]}`;
  return existsSync(join(folder, `${name}.cjs`)) ? name : 'petstore';
}

/** Starts the program; with `savesBytecode` it writes the missing bytecode at its end. */
export async function start(folder: string, requireModule: NodeJS.Require, savesBytecode = true): Promise<void> {
  const { main } = load(folder, bundleFor(folder, process.argv[2] ?? 'help'), requireModule);
  await main?.(dirname(folder));
  if (savesBytecode) writeCaches();
}
