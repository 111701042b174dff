import { accessSync, constants, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { replaceFile } from '../settings/replace-file.js';

/** The exports of the bundle. */
interface Program {
  /** Runs the command line of this process; answers whether it used a shop. */
  readonly main: (home: string, build: string) => Promise<boolean>;
  /** What runs in threads, by the names of their files. */
  readonly threads: Readonly<Record<string, () => Promise<unknown>>>;
}

type Wrapped = (exports: object, require: NodeJS.Require, module: { readonly exports: object }, filename: string, folder: string) => void;

/** The folder of this build. Its files load each other from here, also when a newer build has become the current one. */
export const build: string = __dirname;

/** The bytecode that this version of V8 has written. */
const bytecodePath = join(build, `petstore-${process.versions.v8}.cache`);

/** The bytecode of an earlier run; undefined if there is none, or it cannot be read. */
function existingBytecode(): Buffer | undefined {
  try {
    return readFileSync(bytecodePath);
  } catch {
    return undefined;
  }
}

/** The compiled bundle. */
let script: Script | undefined;
let lacksBytecode = false;

/** Loads the bundle, with its bytecode if V8 accepts it. Each time its modules begin anew. */
export function load(): Program {
  const filename = join(build, 'petstore.cjs');
  if (script === undefined) {
    const cachedData = existingBytecode();
    // The build writes ASCII, which is read faster as Latin-1.
    script = new Script(readFileSync(filename, 'latin1'), { filename, ...(cachedData && { cachedData }) });
    lacksBytecode = cachedData === undefined || script.cachedDataRejected === true;
  }
  const bundle = { exports: {} };
  (script.runInThisContext() as Wrapped)(bundle.exports, require, bundle, filename, build);
  return bundle.exports as Program;
}

/** Runs what belongs to the file of a thread. */
export function startThread(name: string): void {
  void load().threads[name]?.();
}

/** Writes the bytecode of the functions that were compiled so far. Without write access they are compiled on every start. */
export function writeBytecode(): void {
  if (script === undefined) return;
  try {
    accessSync(build, constants.W_OK);
    // Atomically: another process may start at the same time.
    replaceFile(bytecodePath, script.createCachedData(), { draft: `${bytecodePath}.${process.pid}` });
  } catch {
    return;
  }
}

/** Sets HOME where Node finds no home folder: without HOME, for a user without an entry in the user database, as in a container. */
function ensureHome(): void {
  try {
    homedir();
  } catch {
    process.env['HOME'] = '/';
  }
}

/** Runs the command line of this process; with `savesBytecode` a command that uses a shop writes the bytecode if it is missing. */
export async function start(savesBytecode = true): Promise<void> {
  ensureHome();
  const usedShop = await load().main(join(build, '..', '..'), build);
  // Help and the version compile too little of what other commands need.
  if (savesBytecode && usedShop && lacksBytecode) writeBytecode();
}
