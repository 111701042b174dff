import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { environment, petstore, prepare, runHosted, start, type RunningProcess } from '../support/program.js';
import { inDirectory } from '../support/stores.js';

interface OpenedServer extends RunningProcess {
  readonly address: string;
}

/** Starts `serve --open` with this BROWSER and waits for its address. */
async function serveOpen(store: string, browser: string, variables: Readonly<Record<string, string>> = {}): Promise<OpenedServer> {
  const running = start(
    process.execPath,
    [petstore, 'serve', '--open', '--port', '0', '--actor', 'ana'],
    environment(store, { BROWSER: browser, ...variables }),
  );
  onTestFinished(() => void running.child.kill('SIGKILL'));
  const address = await new Promise<string>((resolve) => running.child.stdout.once('data', (text: string) => resolve(text.trim())));
  return { ...running, address };
}

/** A program that writes its argument into a file, as a browser that shows it. */
async function recordingBrowser(folder: string): Promise<{ readonly program: string; readonly opened: () => Promise<string> }> {
  const [program, file] = [join(folder, 'browser'), join(folder, 'opened')];
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$*" > "${file}.part"\nmv "${file}.part" "${file}"\n`);
  await chmod(program, 0o700);
  const opened = async (): Promise<string> => {
    for (;;) {
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text !== undefined) return text.trim();
      await sleep(20);
    }
  };
  return { program, opened };
}

test('serve --open opens the board with a one-time code, which signs in the owner and is in no output', async () => {
  await inDirectory(async (folder) => {
    const store = join(folder, 'shop.db');
    await prepare(store, ['init'], ['token', 'create', 'till', '--scope', 'store:read']);
    const { program, opened } = await recordingBrowser(folder);
    const { address, stop } = await serveOpen(store, program);
    const argument = await opened();
    expect(argument).toMatch(/^file:\/\/\/.*\.html$/);
    const file = fileURLToPath(argument);
    const page = await readFile(file, 'utf8');
    const [, url = '', code = ''] = /content="0; url=([^"]*#code=([\w-]{43}))"/.exec(page) ?? [];
    expect(url).toBe(`${address}/board/#code=${code}`);
    // Other users see the command line, and must not be able to read the page.
    expect(argument).not.toContain(code);
    expect([(await stat(file)).mode & 0o777, (await stat(dirname(file))).mode & 0o777]).toEqual([0o600, 0o700]);
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const signIn = () => fetch(`${address}/session`, { method: 'POST', headers, body: JSON.stringify({ code }) });
    const first = await signIn();
    expect([first.status, await first.json()]).toMatchObject([200, { name: 'ana', signInRequired: true, server: { shop: 'shop', engine: 'sqlite' } }]);
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    const created = await fetch(`${address}/categories`, { method: 'POST', headers: { ...headers, cookie }, body: '{"name":"Dogs"}' });
    expect([created.status, (await signIn()).status]).toEqual([201, 401]);
    const { stdout, stderr } = await stop();
    expect(stdout).toBe(`${address}\n`);
    await expect(stat(dirname(file))).rejects.toThrow('ENOENT');
    expect(stderr).toContain('a one-time code was used a second time');
    for (const secret of [code, cookie.slice(cookie.indexOf('=') + 1)]) expect(stdout + stderr).not.toContain(secret);
    expect(JSON.parse((await runHosted(store, ['log', '--json'])).stdout)).toMatchObject([{ actor: 'ana', kind: 'category.created' }]);
  });
});

test('serve --open goes on without a browser and says so', async () => {
  await inDirectory(async (folder) => {
    const store = join(folder, 'shop.db');
    await prepare(store, ['init']);
    for (const browser of [join(folder, 'missing'), 'false']) {
      const { address, child, stop } = await serveOpen(store, browser);
      let log = '';
      child.stderr.on('data', (text: string) => (log += text));
      await expect.poll(() => log).toContain('The browser could not be started');
      expect((await fetch(`${address}/session`)).status).toBe(200);
      expect((await stop()).stderr).toContain(`The browser could not be started (${browser}); open ${address}/board/ yourself.`);
    }
  });
});

test('serve --open goes on where no page can be written, and says why', async () => {
  await inDirectory(async (folder) => {
    const store = join(folder, 'shop.db');
    await prepare(store, ['init']);
    const { address, stop } = await serveOpen(store, 'true', { TMPDIR: join(folder, 'missing') });
    expect((await fetch(`${address}/session`)).status).toBe(200);
    expect((await stop()).stderr).toMatch(/The browser could not be started \(ENOENT: .*\); open http.*\/board\/ yourself\./);
  });
});

test('serve --open refuses options with which nobody could sign in', async () => {
  await inDirectory(async (folder) => {
    const store = join(folder, 'shop.db');
    await prepare(store, ['init'], ['token', 'create', 'till', '--scope', 'admin']);
    const refusals = [
      [['--socket', join(folder, 's')], 'a browser cannot use --socket'],
      [['--no-board'], '--no-board leaves it out'],
      [['--stable-only'], '--stable-only leaves out the operations that it needs'],
      [['--host', '192.0.2.1'], 'signing in without HTTPS is only possible at localhost, not at 192.0.2.1'],
    ] as const;
    for (const [flags, problem] of refusals) {
      const { exitCode, stderr } = await runHosted(store, ['serve', '--open', ...flags]);
      expect([flags, exitCode, stderr]).toEqual([
        flags,
        2,
        expect.stringContaining(`--open shows the shop board in a browser on this machine, and ${problem}.`),
      ]);
    }
  });
});
