import { accessSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** What a bundle exports. */
interface Exports {
  readonly main?: (home: string) => Promise<void>;
}

type Wrapped = (exports: object, require: NodeJS.Require, module: { readonly exports: Exports }, filename: string, folder: string) => void;

/** The bundles that were run, by their names: the build keeps their bytecode. */
export const scripts: Map<string, Script> = new Map();

/** What V8 did not take, and where it may find what it would. */
const refused: { readonly script: Script; readonly path: string }[] = [];

/** Where the bytecode of a name lies that a run of this very V8 has left, before that of the build. */
const ownCache = (folder: string, name: string): string => join(folder, `${name}-${process.versions.v8}.cache`);

/** The bytecode of the first of these names that there is any for. */
function cacheOf(folder: string, names: readonly string[]): { readonly name: string; readonly bytes: Buffer } | undefined {
  for (const name of names) {
    const path = [ownCache(folder, name), join(folder, `${name}.cache`)].find((one) => existsSync(one));
    if (path !== undefined) return { name, bytes: readFileSync(path) };
  }
  return undefined;
}

/**
 * Runs a bundle of this folder with the bytecode the build left beside it, which saves a third of the start-up.
 * Bytecode of another version of Node is refused by V8 and then simply compiled again.
 */
export function load(folder: string, name: string, caches: readonly string[], need: NodeJS.Require): Exports {
  const filename = join(folder, `${name}.cjs`);
  const source = readFileSync(filename, 'latin1');
  const cache = cacheOf(folder, caches);
  const script = new Script(source, { filename, ...(cache && { cachedData: cache.bytes }) });
  if (cache && script.cachedDataRejected === true) refused.push({ script, path: ownCache(folder, cache.name) });
  scripts.set(name, script);
  const bundle = { exports: {} };
  (script.runInThisContext() as Wrapped)(bundle.exports, need, bundle, filename, folder);
  return bundle.exports;
}

/** Leaves the bytecode of this run for the next, where the last was refused; whoever may not write there compiles each time. */
function keep(): void {
  for (const { script, path } of refused) {
    try {
      accessSync(dirname(path), constants.W_OK);
      // Others may start meanwhile: they find a whole file or none.
      writeFileSync(`${path}.${process.pid}`, script.createCachedData());
      renameSync(`${path}.${process.pid}`, path);
    } catch {
      return;
    }
  }
}

/** Starts the program, with bytecode made for lines that begin like this one where there is any. */
export async function start(folder: string, need: NodeJS.Require): Promise<void> {
  const word = /^-*([a-z]+)$/.exec(process.argv[2] ?? 'help')?.[1];
  const { main } = load(folder, 'petstore', [...(word === undefined ? [] : [word]), 'petstore'], need);
  await main?.(dirname(folder));
  keep();
}
