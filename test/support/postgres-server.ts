import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';
import { memoryFolder } from './memory-folder.js';
import { account, postgresPrograms } from './postgres-programs.js';

export { canStart } from './postgres-programs.js';

/** A PostgreSQL server started by the tests, on a port of this machine. */
export interface PostgresServer {
  /** The address of a database, with the password. */
  readonly urlOf: (database: string) => string;
  readonly port: number;
  /** The folder of its files. */
  readonly data: string;
  /** Stops the server immediately (SIGQUIT), and restarts it on the same files and port. */
  readonly crash: () => Promise<void>;
  /** Kills every process of the server, and restarts it on the same files and port. */
  readonly kill: () => Promise<void>;
  /** Stops the server with a fast shutdown (SIGINT), and restarts it on the same files and port. */
  readonly restart: () => Promise<void>;
  /** Kills every process of the server, which stays away until `start`. */
  readonly halt: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops every process of the server (SIGSTOP): connections are open, and nothing answers. */
  readonly freeze: () => void;
  /** Continues after `freeze`. */
  readonly thaw: () => void;
  readonly stop: () => Promise<void>;
}

/** The password of the user petstore; no message may contain it. */
export const password = 'open-sesame';

/** The child processes of a process, on Linux. */
function childrenOf(pid: number | undefined): readonly number[] {
  const found = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return found === '' ? [] : found.split(' ').map(Number);
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Starts the server, and a watcher process that stops it and removes its files when this process ends. */
async function begin(data: string, port: number, settings: readonly string[]): Promise<{ readonly server: ChildProcess; readonly watcher: ChildProcess }> {
  const words = [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    ...settings.flatMap((one) => ['-c', one]),
  ];
  const server = spawn(join(postgresPrograms(), 'postgres'), words, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, ...account });
  let said = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-4000)));
  const watch = 'cat >/dev/null; kill -QUIT "$0" 2>/dev/null; sleep 0.3; rm -rf "$1"';
  const watcher = spawn('sh', ['-c', watch, String(server.pid), dirname(data)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  watcher.unref();
  for (let tries = 0; !/ready to accept (read-only )?connections/.test(said); tries += 1) {
    if (server.exitCode !== null || tries > 1500) {
      watcher.kill();
      throw new Error(`PostgreSQL did not start: ${said}`);
    }
    await sleep(20);
  }
  server.stderr?.destroy();
  server.unref();
  return { server, watcher };
}

const restartTries = 50;

/** Restarts a killed server: the shared memory of its last processes may be freed after a moment. */
async function beginAgain(data: string, port: number, settings: readonly string[]): ReturnType<typeof begin> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await begin(data, port, settings);
    } catch (error) {
      if (tries === restartTries || !String(error).includes('pre-existing shared memory block')) throw error;
      await sleep(200);
    }
  }
}

/** Creates a folder for a server, owned by its account. */
export function newFolder(durable: boolean): string {
  const folder = mkdtempSync(join(durable ? tmpdir() : memoryFolder, 'petstore-postgres-'));
  const { uid, gid } = account;
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/** Runs a program with the account of the server. */
export async function runAsServer(file: string, args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}): Promise<void> {
  await promisify(execFile)(file, args, { env: { PATH: process.env['PATH'], ...env }, ...account });
}

const careless = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off', 'max_wal_size=2GB'];

/** The variable that names the files of a new server, which the processes of a test run copy. */
const filesVariable = 'TEST_POSTGRES_FILES';

/** Creates the files of a new server in the subfolder `data` of a folder. */
async function createFiles(folder: string): Promise<void> {
  const data = join(folder, 'data');
  const shared = process.env[filesVariable];
  // A copy takes a quarter of the time.
  if (shared !== undefined) return runAsServer('cp', ['-rp', shared, data]);
  const secret = join(folder, 'password');
  await runAsServer('sh', ['-c', 'printf %s "$1" >"$2"', 'sh', password, secret]);
  const initial = [
    '-D',
    data,
    '-U',
    'petstore',
    '--auth=scram-sha-256',
    `--pwfile=${secret}`,
    // One iteration is enough for tests and makes every connection faster.
    '--set=scram_iterations=1',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
    '--no-instructions',
  ];
  await runAsServer(join(postgresPrograms(), 'initdb'), initial, { HOME: folder });
}

/** Creates the files that every server of a test run starts with a copy of; returns a function that removes them. */
export async function shareFiles(): Promise<() => Promise<void>> {
  const folder = newFolder(false);
  await createFiles(folder);
  process.env[filesVariable] = join(folder, 'data');
  return () => rm(folder, { recursive: true, force: true });
}

/** Starts a server whose files are in memory unless `durable` is set; `more` settings override the defaults. */
export async function startPostgres(durable = false, more: readonly string[] = []): Promise<PostgresServer> {
  const folder = newFolder(durable);
  await createFiles(folder);
  return startOn(folder, durable, more);
}

/** Starts a server on the files in the subfolder `data` of a folder, at a free port unless one is given. */
export async function startOn(folder: string, durable: boolean, more: readonly string[], usedPort?: number): Promise<PostgresServer> {
  const data = join(folder, 'data');
  const port = usedPort ?? (await freePort());
  const settings = ['max_connections=200', 'shared_buffers=128MB', ...(durable ? [] : careless), ...more];
  let running = await begin(data, port, settings);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const { server } = running;
    const ended = once(server, 'exit');
    // Without this a program with nothing else to do would end before the server has.
    server.ref();
    server.kill(signal);
    await ended;
  };
  const halt = async (signal: NodeJS.Signals): Promise<void> => {
    const children = signal === 'SIGKILL' ? childrenOf(running.server.pid) : [];
    const ended = end(signal);
    for (const child of children) signalIfThere(child, signal);
    await ended;
  };
  const start = async (): Promise<void> => {
    running.watcher.kill();
    running = await beginAgain(data, port, settings);
  };
  const again = async (signal: NodeJS.Signals): Promise<void> => {
    await halt(signal);
    await start();
  };
  // Only on Linux the children are known.
  const killing = process.platform === 'linux' ? 'SIGKILL' : 'SIGQUIT';
  const signalAll = (signal: NodeJS.Signals): void => {
    // The first process first: it starts no other one then.
    for (const pid of [running.server.pid ?? 0, ...childrenOf(running.server.pid)]) signalIfThere(pid, signal);
  };
  return {
    port,
    data,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    urlOf: (database) => `postgres://petstore:${password}@127.0.0.1:${port}/${database}`,
    crash: () => again('SIGQUIT'),
    kill: () => again(killing),
    halt: () => halt(killing),
    start,
    restart: () => again('SIGINT'),
    stop: async () => {
      if (running.server.exitCode === null && running.server.signalCode === null) {
        if (process.platform === 'linux') signalAll('SIGCONT');
        await end('SIGINT');
      }
      running.watcher.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
