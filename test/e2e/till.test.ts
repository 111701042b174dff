import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import { dump } from '../support/cli.js';
import { prepare, stockedShop } from '../support/program.js';
import { startProxy } from '../support/proxy.js';
import { startServer } from '../support/server-process.js';
import { keys, plain, runInTerminal, testInTerminal } from '../support/terminal.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');
const ean = (pet: number): string => `code-${pet}`;
const carton = '10012345000017';

beforeEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await stockedShop(store, 5, 150);
  await prepare(store, ['code', 'add', '1', ean(1)], ['code', 'add', '2', ean(2)], ['code', 'add', '1', carton, '--units', '20']);
});

/** The sold units by pet, one entry for each order. */
function sold(): readonly (readonly [pet: number, units: number])[] {
  const orders = dump(store)['orders'] as readonly { readonly id: number; readonly pet_id: number; readonly quantity: number; readonly state: string }[];
  return orders
    .filter(({ state }) => state === 'complete')
    .toSorted((one, other) => one.id - other.id)
    .map(({ pet_id: pet, quantity }) => [pet, quantity]);
}

testInTerminal('three pets are sold by scans, a wrong scan is taken back, and a number is typed after a scan', async () => {
  const { stdout, exitCode } = await runInTerminal(store, 'sell -', [
    [/Code: $/, `${ean(1)}\r`],
    [/✓ 1 × Guppy 1; 1 unit to sell[^]*Code: $/, `${carton}\r`],
    [/✓ 1 × 20 = 20 × Guppy 1; 21 units to sell[^]*Code: $/, `${ean(2)}\r`],
    [/✓ 1 × Guppy 2; 22 units to sell[^]*Code: $/, '-\r'],
    [/✓ Taken back: 1 × Guppy 2; 21 units to sell[^]*Code: $/, 'guppy 3\r'],
    [/✓ 1 × Guppy 3; 22 units to sell[^]*Code: $/, 'x3\r'],
    [/✓ 3 × Guppy 3; 24 units to sell[^]*Code: $/, keys.enter],
  ]);
  expect([exitCode, sold()]).toEqual([
    0,
    [
      [1, 1],
      [1, 20],
      [3, 3],
    ],
  ]);
  expect(plain(stdout)).toContain('✓ Sold 1 × 20 = 20 × Guppy 1: 149 → 129 available');
});

testInTerminal('scans of a burst are all taken, with an empty line in between; a number behind a refused one sets none', async () => {
  const burst = [ean(1), '', ean(1), '5901234123457', 'x7', ean(2), 'x2', ''];
  const { stdout, exitCode } = await runInTerminal(store, 'sell -', [
    [/Code: $/, burst.map((line) => `${line}\r\n`).join('')],
    [/Sold 2 × Guppy 2/, ''],
  ]);
  expect([exitCode, sold()]).toEqual([
    0,
    [
      [1, 2],
      [2, 2],
    ],
  ]);
  expect(plain(stdout)).toContain('"x7" is about the last scan; it was refused and added nothing.');
});

testInTerminal('Ctrl-C changes nothing, and Ctrl-D sells', async () => {
  const before = dump(store);
  const stopped = await runInTerminal(store, 'sell -', [
    [/Code: $/, `${ean(1)}\r`],
    [/1 unit to sell[^]*Code: $/, keys.interrupt],
  ]);
  expect([stopped.exitCode, dump(store)]).toEqual([130, before]);
  const empty = await runInTerminal(store, 'sell -', [[/Code: $/, keys.enter]]);
  expect([empty.exitCode, plain(empty.stdout).includes('Nothing was sold.'), dump(store)]).toEqual([0, true, before]);
  const ended = await runInTerminal(store, 'sell -', [
    [/Code: $/, `${ean(1)}\r`],
    [/1 unit to sell[^]*Code: $/, keys.end],
  ]);
  expect([ended.exitCode, sold()]).toEqual([0, [[1, 1]]]);
});

testInTerminal('an unknown code can be added to a pet, which is then scanned', async () => {
  const { stdout, exitCode } = await runInTerminal(store, 'sell -', [
    [/Code: $/, '777888\r'],
    [/To add the code\s+777888 to a pet, type \+ and the pet;\s+or go on\.[^]*Code: $/, 'x3\r'],
    [/it was refused and\s+added nothing\.[^]*Code: $/, '+ nobody\r'],
    [/There is no pet named "nobody"[^]*Code: $/, '+guppy 4\r'],
    [/Added code 777888 to pet 4\.[^]*1 × Guppy 4; 1 unit to sell[^]*Code: $/, '777888\r'],
    [/2 units to sell[^]*Code: $/, keys.enter],
  ]);
  expect([exitCode, sold()]).toEqual([0, [[4, 2]]]);
  expect(plain(stdout)).toContain('Sold 2 × Guppy 4');
});

testInTerminal('a sale that the shop refuses stays open, to be corrected', async () => {
  const { exitCode } = await runInTerminal(store, 'sell -', [
    [/Code: $/, `${ean(1)}\r${ean(2)}\r`],
    [
      /2 units to sell[^]*Code: $/,
      async ({ type }) => {
        await prepare(store, ['pet', 'hold', '2', '--actor', 'ben']);
        type(keys.enter);
      },
    ],
    [/✗ [^]*Nothing is sold yet[^]*Code: $/, '-\r'],
    [/Taken back: 1 × Guppy 2[^]*Code: $/, keys.enter],
  ]);
  expect([exitCode, sold()]).toEqual([0, [[1, 1]]]);
});

testInTerminal('a scan answers "Which pet?", with the units of its code, and an unknown one can be added to a pet', async () => {
  const carried = await runInTerminal(store, 'receive', [
    [/Which pet\?[^]*› 1/, `${carton}\r`],
    [/Guppy 1 has 150 on hand\. Units received \(times 20 units\):/, '2\r'],
    [/Received 2 × 20 = 40 × Guppy 1: 150 → 190 on hand/, ''],
  ]);
  const scanned = await runInTerminal(store, 'receive 1 40063813', [[/more likely a code\. Take it as units\?/, keys.enter]]);
  expect(scanned.exitCode).toBe(130);
  expect([carried.exitCode, plain(carried.stdout)]).toEqual([0, expect.stringContaining(`As a command: petstore receive code:${carton} 2`)]);
  const added = await runInTerminal(store, 'receive', [
    [/Which pet\?[^]*› 1/, '5901234123457'],
    [/› Add the code 5901234123457 to a pet/, '\r'],
    [/Which pet has the code 5901234123457\?[^]*› 1/, 'guppy 4'],
    [/› 4 {2}Guppy 4/, '\r'],
    [/Added code 5901234123457 to pet 4[^]*Guppy 4 has 150 on hand/, '3\r'],
    [/Received 3 × Guppy 4: 150 → 153 on hand/, ''],
  ]);
  expect(added.exitCode).toBe(0);
});

testInTerminal('a sale whose answer was lost is not called unsold', async () => {
  const server = await startServer(store);
  const proxy = await startProxy(server.port);
  proxy.breakAt('POST /store/', 'for good');
  const { stdout, exitCode } = await runInTerminal(`http://127.0.0.1:${proxy.port}`, 'sell - --wait 1', [
    [/Code: $/, `${ean(1)}\r\r`],
    [/✗ [^]*sold\s+once\s+at\s+most\.[^]*Code: $/, keys.interrupt],
  ]);
  expect([exitCode, sold()]).toEqual([130, [[1, 1]]]);
  expect(plain(stdout)).not.toContain('Nothing is sold yet');
  server.child.kill();
  await Promise.all([server.ended, proxy.close()]);
});
