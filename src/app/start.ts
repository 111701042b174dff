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

let loaded: { readonly program: Program; readonly script: Script; readonly lacksBytecode: boolean } | undefined;

/** Loads the bundle, with its bytecode if V8 accepts it. */
function loadOnce(): NonNullable<typeof loaded> {
  if (loaded !== undefined) return loaded;
  const filename = join(build, 'petstore.cjs');
  const cachedData = existingBytecode();
  // The build writes ASCII, which is read faster as Latin-1.
  const script = new Script(readFileSync(filename, 'latin1'), { filename, ...(cachedData && { cachedData }) });
  const bundle = { exports: {} };
  (script.runInThisContext() as Wrapped)(bundle.exports, require, bundle, filename, build);
  loaded = { program: bundle.exports as Program, script, lacksBytecode: cachedData === undefined || script.cachedDataRejected === true };
  return loaded;
}

/** Runs what belongs to the file of a thread. */
export function startThread(name: string): void {
  void loadOnce().program.threads[name]?.();
}

/** Writes the bytecode of the functions that were compiled so far. Without write access they are compiled on every start. */
export function writeBytecode(): void {
  try {
    accessSync(build, constants.W_OK);
    // Atomically: another process may start at the same time.
    replaceFile(bytecodePath, loadOnce().script.createCachedData(), { draft: `${bytecodePath}.${process.pid}` });
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
  const { program, lacksBytecode } = loadOnce();
  const usedShop = await program.main(join(build, '..', '..'), build);
  // Help and the version compile too little of what other commands need.
  if (savesBytecode && lacksBytecode && usedShop) writeBytecode();
}
