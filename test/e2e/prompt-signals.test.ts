import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { expect, vi } from 'vitest';
import { environment, petstore, prepare, start } from '../support/program.js';
import { runInTerminal } from '../support/terminal.js';
import { promptShops } from '../support/prompts.js';

const { testPrompts } = promptShops();

// Not by `expect.poll`, which needs to know its test: these run side by side.
const wait = { timeout: 60_000 };

/** Waits for the end of a process that is not a child of this one. */
async function gone(pid: number): Promise<void> {
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), wait);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

testPrompts('a signal ends a prompt and restores the terminal', async (store) => {
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    let pid = 0;
    const told = `${store}.pid`;
    const ended = await runInTerminal(
      store,
      `pet view`,
      [
        [
          /› 1 {2}Rex/,
          () => {
            pid = Number(readFileSync(told, 'utf8'));
            process.kill(pid, signal);
          },
        ],
      ],
      { pidFile: told },
    );
    expect([signal, ended.exitCode]).toEqual([signal, exitCode]);
  }
});

testPrompts('a prompt ends when its terminal is closed', async (store) => {
  const told = `${store}.pid`;
  await runInTerminal(store, '', [[/What would you like to do\?[^]*Quit/, ({ hangUp }) => hangUp()]], { pidFile: told, lost: true });
  await gone(Number(readFileSync(told, 'utf8')));
});

testPrompts('a closed terminal ends the process by SIGHUP, not by an error', async (store) => {
  await prepare(store, ['inventory', 'set', '1', '1']);
  const told = `${store}.code`;
  const line = `trap : HUP; "${process.execPath}" "${petstore}" pet delete 1; echo $? > "${told}"`;
  const { child, ended } = start('script', ['-qec', line, '/dev/null'], environment(store));
  let seen = '';
  child.stdout.on('data', (text: string) => {
    seen += text;
    if (/Delete pet 1 \(.*\)\?/.test(seen)) child.kill('SIGKILL');
  });
  await ended;
  await vi.waitFor(() => expect(existsSync(told) ? readFileSync(told, 'utf8') : '').toBe(`${128 + constants.signals.SIGHUP}\n`), wait);
});
