import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { follow } from '../support/event-stream.js';
import { environment, petstore, prepare, runHosted, start } from '../support/program.js';
import { ask } from '../support/server.js';
import { logLinesOf, startServer } from '../support/server-process.js';
import { sendRaw, rawRequest, openRawConnection } from '../support/raw-connection.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
let shops = 0;

/** A shop with many units of pet 1. */
async function shop(): Promise<string> {
  shops += 1;
  const store = join(folder, `shop-${shops}.db`);
  await prepare(store, ['init'], ['category', 'create', '--name', 'Dogs'], ['pet', 'create', '--name', 'Rex', '--category', '1', '--quantity', '5000']);
  return store;
}

/** A client that sends requests until the server accepts no connection any more; returns the number of answers. */
async function busyClient(port: number): Promise<number> {
  for (let answered = 0; ;) {
    const line = await openRawConnection(port).catch(() => undefined);
    if (line === undefined) return answered;
    for (;;) {
      const body = JSON.stringify({ petId: 1, quantity: 1 });
      line.send(rawRequest('POST /store/orders', ['Content-Type: application/json', `Content-Length: ${body.length}`], body));
      let answer;
      try {
        answer = await line.answer();
      } catch {
        // A request on a connection that was not accepted, or was closed just before, has no effect.
        return answered;
      }
      expect(answer.status).toBe(201);
      answered += 1;
      if (answer.headers['connection'] === 'close') break;
    }
  }
}

test('a stopped server answers its requests, ends its streams and exits', async () => {
  const store = await shop();
  const { address, port, stop } = await startServer(store);
  const streams = await Promise.all(Array.from({ length: 5 }, () => follow(address)));
  const clients = Array.from({ length: 20 }, () => busyClient(port));
  for (const stream of streams) expect((await stream.next(20)).map(({ event }) => event)).toEqual(Array.from({ length: 20 }, () => 'order.placed'));
  const end = await stop();
  expect([end.exitCode, end.signal]).toEqual([0, null]);
  for (const stream of streams) await stream.rest();
  const answered = (await Promise.all(clients)).reduce((sum, one) => sum + one, 0);
  expect((await runHosted(store, ['order', 'list', '--format', 'count'])).stdout).toBe(`${answered}\n`);
  const log = logLinesOf(end);
  expect([log[0]?.msg, ...log.slice(-1).map(({ msg }) => msg)]).toEqual(['listening', 'stopped']);
  expect(log.filter(({ msg, status }) => msg === 'request' && status === 201)).toHaveLength(answered);
});

test('a stopping server is not ready, completes running requests and exits', async () => {
  const { child, ended, port } = await startServer(await shop());
  const late = await openRawConnection(port);
  late.send(rawRequest('POST /store/orders', ['Content-Type: application/json', 'Content-Length: 2']));
  expect((await sendRaw(port, rawRequest('GET /readyz'))).status).toBe(200);
  child.kill('SIGTERM');
  let answer = await sendRaw(port, rawRequest('GET /readyz'));
  for (let turn = 0; turn < 100 && answer.status === 200; turn += 1) answer = await sendRaw(port, rawRequest('GET /readyz'));
  expect([answer.status, answer.code, answer.headers['connection'], answer.headers['retry-after']]).toEqual([503, 'shutting_down', 'close', '1']);
  late.send('{}');
  const placed = await late.answer();
  expect([placed.status, placed.headers['connection']]).toEqual([201, 'close']);
  expect((await ended).exitCode).toBe(0);
});

test('a second signal ends a server at once', async () => {
  const { child, port, stop } = await startServer(await shop());
  const line = await openRawConnection(port);
  // A request that is never complete, which the server has begun to read.
  line.send(rawRequest('POST /store/orders', ['Content-Type: application/json', 'Content-Length: 9999', 'Expect: 100-continue'], '{'));
  await line.until('100 Continue');
  child.kill('SIGTERM');
  // Two signals at the same time would arrive as one. A server that stops closes connections whose request it has not read yet.
  const isReady = (): Promise<boolean> =>
    sendRaw(port, rawRequest('GET /readyz')).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (await isReady());
  expect(await stop()).toMatchObject({ exitCode: 1 });
});

test('a server that cannot start reports the reason', async () => {
  const store = await shop();
  const { address, port } = await startServer(store, '--no-board');
  expect((await ask(address, 'GET', '/board/')).code).toBe('not_found');
  const taken = await runHosted(store, ['serve', '--port', String(port)]);
  expect([taken.exitCode, taken.stdout]).toEqual([2, '']);
  expect(taken.stderr).toContain(`Another program is already listening on 127.0.0.1:${port}.`);
  const missing = await runHosted(join(folder, 'nowhere.db'), ['serve', '--port', '0']);
  expect([missing.exitCode, missing.stdout]).toEqual([7, '']);
  expect(missing.stderr).toContain('There is no shop at');
  const exposed = await runHosted(store, ['serve', '--port', '0', '--host', '0.0.0.0']);
  expect([exposed.exitCode, exposed.stdout]).toEqual([2, '']);
  expect(exposed.stderr).toContain('petstore token create');
  const foreign = join(folder, 'foreign.db');
  writeFileSync(foreign, 'this is no database, whatever its name says'.repeat(100));
  expect((await runHosted(foreign, ['serve', '--port', '0'])).exitCode).toBe(7);
  for (const flags of [
    ['--port', '70000'],
    ['--base-path', 'x y'],
    ['--base-path', '/a/../b'],
    ['--cors-origin', 'shop'],
    ['--auth', 'maybe'],
    ['--rate-limit', '-1'],
  ]) {
    expect([flags, (await runHosted(store, ['serve', '--socket', join(folder, 'never.sock'), ...flags])).exitCode]).toEqual([flags, 2]);
  }
});

test('the log has a line of JSON for each request, a warning if the server runs as root, and no token', async () => {
  const store = await shop();
  const created = await runHosted(store, ['token', 'create', 'till', '--scope', 'admin']);
  const [token = ''] = /pst_\d+_[\w-]{43}/.exec(created.stdout + created.stderr) ?? [];
  const { child, ended, address, port } = await startServer(store, '--base-path', '/shop');
  expect(address).toBe(`http://127.0.0.1:${port}/shop`);
  const authorization = `Bearer ${token}`;
  expect((await ask(address, 'GET', '/pets', { headers: { authorization, 'x-request-id': 'one' } })).status).toBe(200);
  expect((await ask(address, 'GET', '/pets')).code).toBe('unauthenticated');
  expect((await ask(address, 'POST', '/store/orders', { headers: { authorization }, body: {} })).status).toBe(201);
  expect((await sendRaw(port, 'garbage\r\n\r\n')).code).toBe('invalid_request');
  child.kill('SIGINT');
  const end = await ended;
  expect([end.exitCode, end.stdout]).toEqual([0, `${address}\n`]);
  expect(end.stderr).not.toContain(token.split('_').slice(2).join('_'));
  const requests = logLinesOf(end).filter(({ msg }) => msg === 'request');
  expect(requests).toMatchObject([
    { id: 'one', method: 'GET', url: '/shop/pets', status: 200, actor: 'till' },
    { method: 'GET', url: '/shop/pets', status: 401 },
    { method: 'POST', url: '/shop/store/orders', status: 201, actor: 'till' },
    { status: 400, code: 'invalid_request' },
  ]);
  for (const line of logLinesOf(end)) expect(String(line['time'])).toMatch(/^\d{4}-\d\d-\d\dT/);
  const asRoot = expect.stringContaining('running as root') as unknown;
  expect(logLinesOf(end).flatMap(({ level, msg }) => (level === 40 ? [msg] : []))).toEqual(process.getuid?.() === 0 ? [asRoot] : []);
});

test('a full disk refuses changes, and the server continues', async () => {
  const store = await shop();
  // Limits files to 250 KiB.
  const limited = `trap '' XFSZ; ulimit -f 250; exec "${process.execPath}" "${petstore}" serve --port 0`;
  const { child, stop } = start('bash', ['-c', limited], environment(store));
  onTestFinished(() => void child.kill('SIGKILL'));
  const address = String(await new Promise((resolve) => child.stdout.once('data', resolve))).trim();
  const adjust = () => ask(address, 'POST', '/store/inventory/1/adjustments', { body: { delta: 1, note: 'x'.repeat(500) } });
  let kept = 5000;
  const refusals = new Set<string>();
  for (let full = 0; full < 3;) {
    const codes = (await Promise.all(Array.from({ length: 20 }, adjust))).map(({ code }) => code);
    kept += codes.filter((code) => code === '').length;
    for (const code of codes.filter((one) => one !== '')) refusals.add(code);
    full = codes.includes('') ? 0 : full + 1;
    // Long enough for a checkpoint, which frees space at first and then fails as well.
    if (full > 0) await new Promise((resolve) => setTimeout(resolve, 700));
  }
  expect([...refusals].filter((code) => code !== 'store_full' && code !== 'store_unreadable')).toEqual([]);
  expect((await ask(address, 'GET', '/store/inventory/1')).json()).toMatchObject({ quantity: kept });
  expect((await stop()).exitCode).toBe(0);
  expect((await runHosted(store, ['inventory', 'view', '1', '--fields', 'quantity', '--format', 'tsv'])).stdout).toBe(`${kept}\n`);
});

test('a Unix socket is accessible only to its owner at any moment, with any umask; its client counts as local, and it is removed at the end', async () => {
  const store = await shop();
  const path = join(folder, 'petstore.sock');
  for (const umask of ['000', '777']) {
    const line = `umask ${umask}; exec "${process.execPath}" "${petstore}" serve --socket "${path}"`;
    const { child, ended, stop } = start('bash', ['-c', line], environment(store));
    onTestFinished(() => void child.kill('SIGKILL'));
    let isListening = false;
    child.stdout.once('data', () => (isListening = true));
    void ended.then(() => (isListening = true));
    const seen = new Set<number>();
    while (!isListening) {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found) seen.add(found.mode & 0o077);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([umask, [...seen].filter((mode) => mode !== 0), statSync(path).mode & 0o777]).toEqual([umask, [], 0o600]);
    const { request: send } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      send({ socketPath: path, path: '/pets', headers: { host: 'localhost' } }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
    expect((await stop()).exitCode).toBe(0);
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  }
});

test('refuses a path that is not a socket and leaves it unchanged', async () => {
  const store = await shop();
  const path = join(folder, 'letter.txt');
  writeFileSync(path, 'Dear Ana');
  const { exitCode, stderr } = await runHosted(store, ['serve', '--socket', path]);
  expect([exitCode, stderr]).toEqual([2, `error: ${path} exists and is not a socket.\nhint: Choose another path with --socket.\n`]);
  expect(readFileSync(path, 'utf8')).toBe('Dear Ana');
});
