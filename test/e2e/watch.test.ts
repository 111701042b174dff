import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { runHosted, stockedShop } from '../support/program.js';
import { startServer } from '../support/server-process.js';
import { keys, plain, runInTerminal, testInTerminal } from '../support/terminal.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');

beforeAll(() => stockedShop(store, 1, 500));

const beginFrame = '\u001b[?2026h';
const [enter, leave] = ['\u001b[?1049h', '\u001b[?1049l'];

/** The frames that a terminal got, without colours. */
function framesOf(output: string): readonly string[] {
  return output
    .slice(0, output.lastIndexOf(leave))
    .split(beginFrame)
    .slice(1)
    .map((frame) => plain(frame));
}

async function set(quantity: number): Promise<void> {
  expect(await runHosted(store, ['inventory', 'set', '1', String(quantity)])).toMatchObject({ exitCode: 0 });
}

testInTerminal('--watch draws a list again after a change, ends at Ctrl-C with 130 and shows again what was there before', async () => {
  const { stdout, exitCode } = await runInTerminal(store, 'inventory list --watch', [
    [/500[^]*Ctrl-C ends/, () => set(321)],
    [/321[^]*Ctrl-C ends/, keys.interrupt],
  ]);
  expect(exitCode).toBe(130);
  expect([stdout.split(enter).length, stdout.split(leave).length]).toEqual([2, 2]);
  const frames = framesOf(stdout);
  expect([frames[0], frames.at(-1)]).toEqual([expect.stringContaining('500'), expect.stringContaining('321')]);
  for (const frame of frames) expect(frame.split('\n').length).toBeLessThanOrEqual(24);
});

testInTerminal('--watch ends at Ctrl-\\ with the screen that was there before', async () => {
  const { stdout, exitCode } = await runInTerminal(store, 'status --watch', [[/Ctrl-C ends/, keys.quit]]);
  // The exit code of SIGQUIT in a shell.
  expect(exitCode).toBe(131);
  expect([stdout.split(enter).length, stdout.split(leave).length]).toEqual([2, 2]);
});

testInTerminal('--watch shows what was there before while it is suspended (SIGTSTP), and draws again when it continues', async () => {
  const pidFile = join(folder, 'pid');
  const suspend = (): void => void process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTSTP');
  // The test has no shell with job control: the process continues at once.
  const { stdout, exitCode } = await runInTerminal(
    store,
    'status --watch',
    [
      [/Ctrl-C ends/, suspend],
      [/Ctrl-C ends/, suspend],
      [/Ctrl-C ends/, keys.interrupt],
    ],
    { pidFile },
  );
  expect(exitCode).toBe(130);
  expect([stdout.split(enter).length, stdout.split(leave).length]).toEqual([4, 4]);
});

testInTerminal('--watch beside writers draws at most four frames a second, the last with all changes', async () => {
  const started = Date.now();
  const changes = 12;
  const { stdout } = await runInTerminal(store, 'status --watch', [
    [
      /Ctrl-C ends/,
      async () => {
        for (let units = 1; units <= changes; units += 1) await runHosted(store, ['inventory', 'set', '1', String(1000 + units)]);
      },
    ],
    [/1,012 on hand[^]*Ctrl-C ends/, keys.interrupt],
  ]);
  const frames = framesOf(stdout);
  expect(frames.length).toBeLessThanOrEqual(Math.ceil((Date.now() - started) / 250));
  expect(frames.at(-1)).toContain('1,012 on hand');
});

testInTerminal('a list longer than the terminal is cut, and what the list refuses is refused before the screen opens', async () => {
  const { stdout } = await runInTerminal(store, 'status --watch', [[/more lines\. Updated/, keys.interrupt]], { rows: 5 });
  expect(framesOf(stdout)[0]?.split('\n')).toHaveLength(5);
  const wrong = await runInTerminal(store, 'pet list --category Birds --watch');
  expect([wrong.exitCode, wrong.stdout.includes(enter)]).toEqual([6, false]);
  const json = await runInTerminal(store, 'pet list --watch --json');
  expect([json.exitCode, plain(json.stdout)]).toEqual([2, expect.stringContaining('--watch draws a table, not json.')]);
});

testInTerminal('--watch keeps its figures while the server is away, says why, and goes on when it is back', async () => {
  const first = await startServer(store);
  const { port } = new URL(first.address);
  let second: Awaited<ReturnType<typeof startServer>> | undefined;
  const { stdout, exitCode } = await runInTerminal(first.address, 'status --watch --wait 1', [
    [
      /Ctrl-C ends/,
      async () => {
        await set(77);
        first.child.kill('SIGKILL');
      },
    ],
    [
      /No petstore server answers|cannot be reached|refused the connection|did not answer/,
      async () => {
        second = await startServer(store, '--port', port);
        await set(78);
      },
    ],
    [/78 on hand[^]*Ctrl-C ends/, keys.interrupt],
  ]);
  await second?.stop();
  expect([exitCode, stdout.includes(leave)]).toEqual([130, true]);
});

testInTerminal('--watch ends with the refusal of a server that runs another version from now on', async () => {
  const server = await startServer(store);
  // What such a server answers to a program that it does not support.
  const upgraded = createServer(
    (_, response) => void response.writeHead(406).end('{"code":"not_acceptable","message":"The types are not offered.","status":406}'),
  );
  onTestFinished(() => void upgraded.close());
  const { stdout, exitCode } = await runInTerminal(server.address, 'status --watch --wait 5', [
    [
      /Ctrl-C ends/,
      async () => {
        server.child.kill('SIGKILL');
        await server.ended;
        upgraded.listen(server.port, '127.0.0.1');
      },
    ],
    [/runs\s+another\s+version/, ''],
  ]);
  expect([exitCode, plain(stdout.slice(stdout.lastIndexOf(leave)))]).toEqual([
    7,
    expect.stringMatching(/error: The server at \S+ runs another version of petstore/),
  ]);
});
