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
  const { child, ended } = await startServer(store);
  child.kill('SIGTERM');
  const whole = await ended;
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
