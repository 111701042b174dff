import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect } from 'vitest';
import { petstore, prepare, runHosted, stockedShop } from '../support/program.js';
import { testInTerminal, runInTerminal } from '../support/terminal.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const [store, seen, config] = [join(folder, 'shop.db'), join(folder, 'seen'), join(folder, 'config.json')];

/** A pager that records its input and how it was started. */
const pager = script('pager', `{ printf '%s %s\\n' "$LESS" "$*"; cat; } > '${seen}'; echo paged`);

function script(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** How the pager was started, and the lines of its input. */
function given(): { readonly how: string | undefined; readonly lines: readonly string[] } {
  const [how, ...lines] = readFileSync(seen, 'utf8').trimEnd().split('\n');
  return { how, lines };
}

beforeAll(async () => {
  await stockedShop(store, 40, 2);
  await prepare(store, ['pet', 'edit', '1', '--name', `$(touch ${folder}/run) ; "quoted"`]);
});
beforeEach(() => rmSync(seen, { force: true }));

testInTerminal('shows a table that is longer than the terminal in the pager', async () => {
  const { exitCode, stdout } = await runInTerminal(store, 'pet list --no-color', [], { more: { PETSTORE_PAGER: pager } });
  expect([exitCode, stdout]).toEqual([0, 'paged\r\nShowing 30 of 40; use -L <n> to show more.\r\n']);
  const { how, lines } = given();
  expect([how, lines.length]).toEqual(['FRX ', 31]);
  expect(lines[1]).toContain(`$(touch ${folder.slice(0, 5)}`);
  expect(existsSync(join(folder, 'run'))).toBe(false);
});

testInTerminal('uses no pager for a short table, a pipe or another format', async () => {
  for (const line of ['pet list -L 20', 'pet list --json', 'pet list --no-pager', 'pet list | cat', '--help --no-pager']) {
    const { exitCode } = await runInTerminal(store, line, [], { more: { PETSTORE_PAGER: pager } });
    expect([line, exitCode, existsSync(seen)]).toEqual([line, 0, false]);
  }
  expect((await runHosted(store, ['pet', 'list', '--format', 'table'], { PETSTORE_PAGER: pager })).stdout).toContain('Guppy 30');
  expect(existsSync(seen)).toBe(false);
});

testInTerminal('shows help that is longer than the terminal in the pager', async () => {
  for (const line of ['--help', 'inventory import --help', 'help flags']) {
    rmSync(seen, { force: true });
    const { exitCode, stdout } = await runInTerminal(store, line, [], { more: { PETSTORE_PAGER: pager } });
    expect([line, exitCode, stdout]).toEqual([line, 0, 'paged\r\n']);
    expect(given().lines.length).toBeGreaterThan(23);
  }
});

testInTerminal('shows help that is a few lines longer than the terminal without the pager', async () => {
  rmSync(seen, { force: true });
  // 12 lines.
  const { stdout } = await runInTerminal(store, 'sell --help', [], { rows: 11, more: { PETSTORE_PAGER: pager } });
  expect([stdout.includes('Sell pets over the counter'), existsSync(seen)]).toEqual([true, false]);
});

testInTerminal('PETSTORE_PAGER overrides PAGER, which overrides the setting; an empty value or cat means no pager', async () => {
  writeFileSync(config, JSON.stringify({ pager: `${pager} kept` }));
  const how = async (more: Readonly<Record<string, string>>) => {
    rmSync(seen, { force: true });
    const { exitCode, stdout } = await runInTerminal(store, 'pet list', [], { more: { PETSTORE_CONFIG: config, ...more } });
    expect(exitCode).toBe(0);
    if (existsSync(seen)) return given().how;
    expect(stdout).toContain('Guppy 30');
    return 'none';
  };
  expect(await how({ PETSTORE_PAGER: `${pager} own`, PAGER: `${pager} usual` })).toBe('FRX own');
  expect(await how({ PAGER: `${pager} "of the" shell`, LESS: 'R' })).toBe('R of the shell');
  expect(await how({})).toBe('FRX kept');
  expect(await how({ PETSTORE_PAGER: '', PAGER: pager })).toBe('none');
  expect(await how({ PAGER: 'cat' })).toBe('none');
});

testInTerminal('prints without a pager when it is missing or cannot be run', async () => {
  writeFileSync(join(folder, 'plain'), '');
  for (const missing of [join(folder, 'nothing'), join(folder, 'plain'), `${join(folder, 'nothing')} "of the shell"`]) {
    const { exitCode, stdout } = await runInTerminal(store, 'pet list --no-color', [], { more: { PETSTORE_PAGER: missing } });
    expect([missing, exitCode, /Guppy 30 .*\r\nShowing 30 of 40/.test(stdout)]).toEqual([missing, 0, true]);
  }
});

testInTerminal('the pager can be closed before it has read everything', async () => {
  const early = script('early', 'exec < /dev/null; echo closed');
  await prepare(store, ['pet', 'list']);
  const { exitCode, stdout } = await runInTerminal(store, 'log -L 5000', [], { more: { PETSTORE_PAGER: early } });
  expect([exitCode, stdout]).toEqual([0, 'closed\r\n']);
});

testInTerminal('Ctrl-C goes to the pager and does not end the program', async () => {
  const patient = script('patient', `trap 'echo heard; exit 0' INT; cat > /dev/null; echo ready; while :; do sleep 0.1; done`);
  const { exitCode, stdout } = await runInTerminal(store, 'pet list', [[/ready/, '\u0003']], { more: { PETSTORE_PAGER: patient } });
  expect([exitCode, stdout.replaceAll('^C', '')]).toEqual([0, 'ready\r\nheard\r\nShowing 30 of 40; use -L <n> to show more.\r\n']);
});

testInTerminal('the shop is not locked while the pager is open', async () => {
  // A reader on an old snapshot prevents the WAL from being reset.
  const look = `new (require("better-sqlite3"))(${JSON.stringify(store)}).pragma("wal_checkpoint(TRUNCATE)")[0].busy`;
  const writer = script('writer', `cat > /dev/null; '${process.execPath}' '${petstore}' inventory adjust 2 +1 > /dev/null; '${process.execPath}' -p '${look}'`);
  const { exitCode, stdout } = await runInTerminal(store, 'inventory list', [], { more: { PETSTORE_PAGER: writer, NO_COLOR: '1' } });
  expect([exitCode, stdout]).toEqual([0, '0\r\nShowing 30 of 40; use -L <n> to show more.\r\n']);
  expect((await runHosted(store, ['inventory', 'view', '2', '--fields', 'quantity'])).stdout).toBe('3\n');
});
