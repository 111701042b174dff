import { accessSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** The exports of a bundle. */
interface Exports {
  readonly main?: (home: string) => Promise<void>;
}

type Wrapped = (exports: object, require: NodeJS.Require, module: { readonly exports: Exports }, filename: string, folder: string) => void;

/** The scripts of the loaded bundles by name; the build writes their bytecode. */
export const scripts: Map<string, Script> = new Map();

/** Scripts whose bytecode V8 rejected, and where to write a new one. */
const rejected: { readonly script: Script; readonly path: string }[] = [];

/** The bytecode that an earlier run with this version of V8 has written. */
const runtimeCache = (folder: string, name: string): string => join(folder, `${name}-${process.versions.v8}.cache`);

/** The bytecode of the first name that has one; that of an earlier run comes before that of the build. */
function findCache(folder: string, names: readonly string[]): { readonly name: string; readonly bytes: Buffer } | undefined {
  for (const name of names) {
    const path = [runtimeCache(folder, name), join(folder, `${name}.cache`)].find((one) => existsSync(one));
    if (path !== undefined) return { name, bytes: readFileSync(path) };
  }
  return undefined;
}

/**
 * Runs a bundle of `folder` with the bytecode from the build, which saves a third of the start-up time. V8 rejects bytecode
 * of another version and compiles the source.
 */
export function load(folder: string, name: string, caches: readonly string[], need: NodeJS.Require): Exports {
  const filename = join(folder, `${name}.cjs`);
  const source = readFileSync(filename, 'latin1');
  const cache = findCache(folder, caches);
  const script = new Script(source, { filename, ...(cache && { cachedData: cache.bytes }) });
  if (cache && script.cachedDataRejected === true) rejected.push({ script, path: runtimeCache(folder, cache.name) });
  scripts.set(name, script);
  const bundle = { exports: {} };
  (script.runInThisContext() as Wrapped)(bundle.exports, need, bundle, filename, folder);
  return bundle.exports;
}

/** Writes new bytecode where V8 rejected the old. Without write access it is rebuilt on every start. */
function writeCaches(): void {
  for (const { script, path } of rejected) {
    try {
      accessSync(dirname(path), constants.W_OK);
      // Atomically: another process may start at the same time.
      writeFileSync(`${path}.${process.pid}`, script.createCachedData());
      renameSync(`${path}.${process.pid}`, path);
    } catch {
      return;
    }
  }
}

/** Starts the program, with the bytecode made for this command if there is one. */
export async function start(folder: string, need: NodeJS.Require): Promise<void> {
  const word = /^-*([a-z]+)$/.exec(process.argv[2] ?? 'help')?.[1];
  const { main } = load(folder, 'petstore', [...(word === undefined ? [] : [word]), 'petstore'], need);
  await main?.(dirname(folder));
  writeCaches();
}
