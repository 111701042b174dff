import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCommandHost, type CommandHost } from './command-host.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The program as it is installed. */
export const petstore = join(root, 'bin/petstore.js');
const built = join(root, 'dist/start.cjs');

/** Builds the program if it was not built. */
export function ensureBuilt(): void {
  if (!existsSync(built)) execFileSync(process.execPath, [join(root, '.config/build.js')], { cwd: root, stdio: 'inherit' });
}

/** The folder of the bundles and pages of the built program. */
export const builtFolder = (): string => (createRequire(import.meta.url)(built) as { readonly build: string }).build;

/** Copies what a build needs of the project into a new folder, with a link to the packages. */
export function copyProject(copy: string): void {
  mkdirSync(copy);
  for (const name of ['.config', 'bin', 'data', 'src', 'package.json', 'tsconfig.json', 'LICENSE'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** The result of a command. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The result of a process. */
export interface ProcessResult extends CommandResult {
  readonly signal: NodeJS.Signals | null;
}

/** A running process. */
export interface RunningProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<ProcessResult>;
  /** Ends it by SIGTERM. */
  readonly stop: () => Promise<ProcessResult>;
}

/** An environment that sets only the store and the actor. */
export function environment(store: string, more: Readonly<Record<string, string | undefined>> = {}): Record<string, string | undefined> {
  // The developer may have own settings.
  const own = { PETSTORE_CONFIG: devNull, PETSTORE_STORE: store, PETSTORE_ACTOR: 'ana' };
  return { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), TERM: 'xterm', LANG: 'C.UTF-8', ...own, ...more };
}

/** Starts a program; its output is collected unless `read` is false. */
export function start(file: string, args: readonly string[], env: Readonly<Record<string, string | undefined>>, read = true): RunningProcess {
  const child = spawn(file, args, { env, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdin.on('error', () => undefined);
  if (read) child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<ProcessResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }));
    if (!read) child.on('exit', () => child.stdout.destroy());
  });
  return { child, ended, stop: () => (child.kill('SIGTERM'), ended) };
}

/** Runs one command of the built program. */
export function runProgram(
  store: string,
  args: readonly string[],
  stdin = '',
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<ProcessResult> {
  const { child, ended } = start(process.execPath, [petstore, ...args], environment(store, more));
  child.stdin.end(stdin);
  return ended;
}

let host: CommandHost | undefined;

/** Runs one command of the built program as `runProgram` does, in a process that runs many: for commands whose start is not tested. */
export function runHosted(
  store: string,
  args: readonly string[],
  more: Readonly<Record<string, string | undefined>> = {},
  cwd = process.cwd(),
): Promise<CommandResult> {
  host ??= startCommandHost();
  return host.run({ args, cwd, env: environment(store, more) });
}

/** Runs a bash line in which `petstore` is the built program. */
export function runShell(store: string, line: string): Promise<ProcessResult> {
  const { child, ended } = start('bash', ['-c', `petstore() { "${process.execPath}" "${petstore}" "$@"; }\n${line}`], environment(store));
  child.stdin.end();
  return ended;
}

/** Runs commands that must succeed. */
export async function prepare(store: string, ...commands: readonly (readonly string[])[]): Promise<void> {
  for (const args of commands) {
    const { exitCode, stderr } = await runHosted(store, args);
    if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr}`);
  }
}

/** Creates a shop with one category and many pets, each with the same stock. */
export async function stockedShop(store: string, pets: number, quantity: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-pets-'));
  const file = join(folder, 'pets.csv');
  const rows = Array.from({ length: pets }, (_, index) => `Guppy ${index + 1},Fish,${quantity}\n`);
  writeFileSync(file, `name,category,quantity\n${rows.join('')}`);
  await prepare(store, ['init'], ['category', 'create', '--name', 'Fish'], ['pet', 'import', file, '--quiet']);
  rmSync(folder, { recursive: true });
}
