import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.js';
import { account } from './postgres-programs.js';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find((path) => existsSync(path));

/** Whether PgBouncer is installed. */
export const hasPgBouncer = program !== undefined;

/** PgBouncer, in transaction mode, in front of the server of an address. */
export interface PgBouncer {
  /** The same address through PgBouncer. */
  readonly pooled: string;
  /** Kills PgBouncer, and starts it again on the same port. */
  readonly crash: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The settings that the guide recommends, in the format of PgBouncer. */
export function guideSettings(): string {
  const guide = readFileSync(fileURLToPath(new URL('../../data/guide/postgresql.md', import.meta.url)), 'utf8');
  const [, settings] = /^```ini\n([^]*?)^```$/m.exec(guide) ?? [];
  if (settings === undefined) throw new Error('The guide shows no settings of PgBouncer.');
  return settings;
}

/** Settings with other values of some names, and with other databases. */
function withValues(settings: string, databases: string, values: Readonly<Record<string, string | number>>): string {
  const lines = settings
    .replace(/^\[databases\]\n(?!\[)(.+\n)*/m, `[databases]\n${databases}\n`)
    .split('\n')
    .filter((line) => !Object.keys(values).some((name) => new RegExp(`^${name}\\s*=`).test(line)));
  return [...lines, ...Object.entries(values).map(([name, value]) => `${name} = ${value}`), ''].join('\n');
}

/** Starts PgBouncer with the settings of the guide, but with this many connections for each database. */
export async function startPgBouncer(address: string, connections: number): Promise<PgBouncer> {
  if (program === undefined) throw new Error('PgBouncer is not installed.');
  const { hostname, port: serverPort, username, password } = new URL(address);
  const folder = mkdtempSync(join(tmpdir(), 'petstore-pgbouncer-'));
  const [settings, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'userlist.txt')];
  const port = await freePort();
  const values = { listen_addr: '127.0.0.1', listen_port: port, auth_file: users, default_pool_size: connections, unix_socket_dir: '' };
  writeFileSync(settings, withValues(guideSettings(), `* = host=${hostname} port=${serverPort}`, values));
  writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  // PgBouncer refuses to run as root.
  const { uid, gid } = account;
  if (uid !== undefined && gid !== undefined) for (const path of [folder, settings, users]) chownSync(path, uid, gid);
  const begin = async () => {
    const child = spawn(program, [settings], { stdio: ['ignore', 'ignore', 'pipe'], ...account });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-4000)));
    while (!said.includes('process up')) {
      await Promise.race([once(child.stderr, 'data'), once(child, 'exit')]);
      if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${said}`);
    }
    return child;
  };
  let child = await begin();
  const kill = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const pooled = new URL(address);
  [pooled.hostname, pooled.port] = ['127.0.0.1', String(port)];
  return {
    pooled: pooled.href,
    crash: async () => {
      await kill();
      child = await begin();
    },
    close: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
