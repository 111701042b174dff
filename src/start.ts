import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** What a bundle exports. */
interface Exports {
  readonly main?: (home: string) => Promise<void>;
}

type Wrapped = (exports: object, require: NodeJS.Require, module: { readonly exports: Exports }, filename: string, folder: string) => void;

/** The bundles that were run, by their names: the build keeps their bytecode. */
export const scripts: Map<string, Script> = new Map();

/** The bytecode of the first of these names that the build left any for. */
function cacheOf(folder: string, names: readonly string[]): Buffer | undefined {
  for (const name of names) {
    const path = join(folder, `${name}.cache`);
    if (existsSync(path)) return readFileSync(path);
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
  const cachedData = cacheOf(folder, caches);
  const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
  scripts.set(name, script);
  const bundle = { exports: {} };
  (script.runInThisContext() as Wrapped)(bundle.exports, need, bundle, filename, folder);
  return bundle.exports;
}

/** Starts the program, with bytecode made for lines that begin like this one where there is any. */
export function start(folder: string, need: NodeJS.Require): Promise<void> | undefined {
  const word = /^-*([a-z]+)$/.exec(process.argv[2] ?? 'help')?.[1];
  const { main } = load(folder, 'petstore', [...(word === undefined ? [] : [word]), 'petstore'], need);
  return main?.(dirname(folder));
}
