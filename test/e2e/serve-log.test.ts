import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { environment, petstore, prepare, start } from '../support/program.js';
import { logLinesOf, startServer } from '../support/server-process.js';
import { testInTerminal } from '../support/terminal.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();

/** CSI, which starts a terminal control sequence, and a mark that reverses the line; file names can contain both. */
const hostileName = 'shop\u009b31m\u202e.db';
// eslint-disable-next-line no-control-regex -- looked for on purpose
const steering = /[\u0080-\u009f\u202e]/;

test('the log of a server escapes control characters', async () => {
  const store = join(folder, hostileName);
  await prepare(store, ['init']);
  const { stop } = await startServer(store);
  const whole = await stop();
  expect(whole.stderr).not.toMatch(steering);
  expect(logLinesOf(whole).find(({ msg }) => msg === 'listening')?.['store']).toBe(store);
});

testInTerminal('the log of a server in a terminal has no control characters', async () => {
  const store = join(folder, `terminal-${hostileName}`);
  await prepare(store, ['init']);
  const { child, ended } = start('script', ['-qec', `"${process.execPath}" "${petstore}" serve --port 0`, '/dev/null'], environment(store));
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  child.stdout.on('data', (text: string) => (screen += text));
  await expect.poll(() => screen).toContain('31m\u{fffd}.db');
  child.stdin.write('\u0003');
  await ended;
  expect(screen).not.toMatch(steering);
});

test('a server whose log is on a full disk answers, and stops when it is told to', async () => {
  const store = join(folder, 'full-disk.db');
  await prepare(store, ['init']);
  const { child, stop } = start('sh', ['-c', `exec "${process.execPath}" "${petstore}" serve --port 0 2> /dev/full`], environment(store));
  onTestFinished(() => void child.kill('SIGKILL'));
  const address = await new Promise<string>((resolve) => child.stdout.once('data', (text: string) => resolve(text.trim())));
  for (let request = 0; request < 5; request += 1) {
    expect((await fetch(`${address}/pets`, { signal: AbortSignal.timeout(20_000) })).status).toBe(200);
    // Longer than lines of the log wait to be written.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(await stop()).toMatchObject({ exitCode: 0, signal: null });
});
