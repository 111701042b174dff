import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** What the bundle exports. */
interface Bundle {
  readonly exports: { main?: (home: string) => Promise<void> };
}

type Wrapped = (exports: object, require: NodeJS.Require, module: Bundle, filename: string, folder: string) => void;

/** The bytecode for lines that begin with a word, such as "pet" or "--help". */
function cacheOf(folder: string, word: string): Buffer | undefined {
  for (const name of [/^-*([a-z]+)$/.exec(word)?.[1], 'petstore']) {
    const path = join(folder, `${name}.cache`);
    if (name !== undefined && existsSync(path)) return readFileSync(path);
  }
  return undefined;
}

/**
 * Starts the bundle in this folder with the bytecode the build left beside it, which saves a third of the start-up.
 * Bytecode of another version of Node is refused by V8 and then simply compiled again.
 */
export function start(folder: string, need: NodeJS.Require): { readonly script: Script; readonly done: Promise<void> | undefined } {
  const filename = join(folder, 'petstore.cjs');
  const source = readFileSync(filename, 'latin1');
  const cachedData = cacheOf(folder, process.argv[2] ?? 'help');
  const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
  const bundle: Bundle = { exports: {} };
  (script.runInThisContext() as Wrapped)(bundle.exports, need, bundle, filename, folder);
  return { script, done: bundle.exports.main?.(dirname(folder)) };
}
