import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect } from 'vitest';
import { dump } from '../support/cli.js';
import { prepare, runHosted, stockedShop } from '../support/program.js';
import { startServer } from '../support/server-process.js';
import { keys, plain, runInTerminal, testInTerminal, type Step } from '../support/terminal.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');
const pets = 20;

let counting: Buffer;

beforeAll(async () => {
  await stockedShop(store, pets, 10);
  await prepare(store, ['count', 'start', '--quiet']);
  counting = readFileSync(store);
});

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(store, counting);
});

/** The lines of the count: pet and number, in the order in which they were recorded. */
function recorded(): readonly (readonly [pet: number, number: number])[] {
  const rows = dump(store)['count_lines'] as readonly { readonly id: number; readonly pet_id: number; readonly number: number }[];
  return rows.toSorted((one, other) => one.id - other.id).map(({ pet_id: pet, number }) => [pet, number]);
}

/** Pairs of a pet and a number, each pair another one. */
function pairs(count: number): readonly (readonly [pet: number, number: number])[] {
  return Array.from({ length: count }, (_, index) => [(index % pets) + 1, 1000 + index]);
}

const linesOf = (all: readonly (readonly [number, number])[]): readonly string[] => all.flat().map(String);

testInTerminal('lines of a scanner, 40 a second, are all recorded in their order', async () => {
  const sent = pairs(60);
  const scan: Step = [
    /Pet: $/,
    ({ type }) => {
      const lines = [...linesOf(sent)];
      const timer = setInterval(() => {
        const line = lines.shift();
        if (line === undefined) clearInterval(timer);
        else type(`${line}\r\n`);
      }, 25);
    },
  ];
  const { stdout, exitCode } = await runInTerminal(store, 'count scan --pairs', [scan, [/: 1059 /, keys.enter], [/60 lines recorded/, '']]);
  expect([exitCode, recorded()]).toEqual([0, sent]);
  expect(plain(stdout)).toContain('60 lines recorded in count 1: 20 of 20 pets counted, 20 differ.');
});

testInTerminal('a paste of several hundred lines is recorded in its order, with an empty line in between', async () => {
  const sent = pairs(500);
  const paste = linesOf(sent).join('\r').replace('1020\r', '1020\r\r');
  const { exitCode } = await runInTerminal(
    store,
    'count scan --pairs',
    [
      [/Pet: $/, `${paste}\r`],
      [/: 1499 /, keys.enter],
    ],
    { columns: 40 },
  );
  expect([exitCode, recorded()]).toEqual([0, sent]);
});

testInTerminal('in a burst the number of a refused pet is left out, and a wrong number leaves its pet out', async () => {
  const burst = ['1', '11', '999', '22', '2', '12', '3', 'x', '4', '14', 'nobody', '7', 'guppy 5', '15', '6\t16', '7', '+17'];
  const { stdout, exitCode } = await runInTerminal(store, 'count scan --pairs', [
    [/Pet: $/, `${burst.join('\r')}\r`],
    [/Guppy 7: \+17/, keys.enter],
  ]);
  expect([exitCode, recorded()]).toEqual([
    0,
    [
      [1, 11],
      [2, 12],
      [4, 14],
      [5, 15],
      [6, 16],
      [7, 17],
    ],
  ]);
  const screen = plain(stdout);
  for (const said of ['There is no pet 999. Its number 22 was not recorded.', '"x" is not a whole number', 'There is no pet named "nobody"'])
    expect(screen).toContain(said);
});

testInTerminal('asks again for a pet that is unknown and for a wrong number, and shows what was counted and expected', async () => {
  const later = (typed: string) => (at: { readonly type: (keys: string) => void }) => void setTimeout(() => at.type(typed), 1200);
  const { stdout, exitCode } = await runInTerminal(store, 'count scan 1 --pairs', [
    [/Pet: $/, '99\r'],
    [/Pet 99 was not found[^]*Pet: $/, later('GUPPY 2\r')],
    [/Guppy 2: not counted yet, 10 expected[^]*How many\? $/, 'many\r'],
    [/is not a whole number[^]*How many\? $/, later('9\r')],
    [/✓ Guppy 2: 9 \(10 expected\)[^]*Pet: $/, '2\r'],
    [/Guppy 2: 9 counted so far, 10 expected[^]*How many\? $/, '+1\r'],
    [/✓ Guppy 2: \+1, 10 so far \(10 expected\)[^]*Pet: $/, '3\r'],
    [/How many\? $/, '\r'],
    [/Guppy 3 was not counted\.[^]*Pet: $/, keys.end],
  ]);
  expect([exitCode, recorded()]).toEqual([
    0,
    [
      [2, 9],
      [2, 1],
    ],
  ]);
  expect(plain(stdout)).toContain('2 lines recorded in count 1: 1 of 20 pets counted, none differ.');
});

testInTerminal('a blind count shows nothing of what is expected, and --also takes in other pets', async () => {
  await prepare(store, ['count', 'cancel', '--yes'], ['count', 'start', '1', '--blind', '--quiet']);
  const { stdout } = await runInTerminal(
    store,
    'count scan --also --pairs',
    [
      [/Pet: $/, '1\r'],
      [/How many\? $/, '3\r'],
      [/✓[^]*Pet: $/, '2\r'],
      [/How many\? $/, '4\r'],
      [/✓ Guppy 2[^]*Pet: $/, keys.enter],
    ],
    {
      columns: 40,
    },
  );
  expect(plain(stdout)).not.toMatch(/expected|10|differ/);
  for (const line of plain(stdout).split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  expect(recorded()).toEqual([
    [1, 3],
    [2, 4],
  ]);
});

testInTerminal('Ctrl-C ends with 130 and says how many lines are recorded', async () => {
  const { stdout, exitCode } = await runInTerminal(store, 'count scan --pairs', [
    [/Pet: $/, '1\r5\r2\r6\r3\r'],
    [/How many\? $/, keys.interrupt],
  ]);
  expect([exitCode, recorded()]).toEqual([
    130,
    [
      [1, 5],
      [2, 6],
    ],
  ]);
  expect(plain(stdout)).toContain('2 lines recorded in count 1');
});

testInTerminal('a lost server is waited for: lines are kept, sent again and recorded once', async () => {
  const first = await startServer(store);
  const { port } = new URL(first.address);
  let second: Awaited<ReturnType<typeof startServer>> | undefined;
  const { stdout, exitCode } = await runInTerminal(first.address, 'count scan --pairs --wait 1', [
    [/Pet: $/, '1\r11\r'],
    [
      /✓ Guppy 1: 11[^]*Pet: $/,
      async ({ type }) => {
        first.child.kill('SIGKILL');
        await first.ended;
        type('2\r12\r3\r13\r4\r14\r');
      },
    ],
    [
      /waits\s+until\s+the\s+shop\s+answers/,
      async ({ type }) => {
        type('5\r15\r');
        second = await startServer(store, '--port', port);
      },
    ],
    [/Guppy 5: 15/, keys.enter],
  ]);
  second?.child.kill('SIGTERM');
  await second?.ended;
  expect([exitCode, recorded()]).toEqual([0, [1, 2, 3, 4, 5].map((pet) => [pet, pet + 10])]);
  expect(plain(stdout)).toMatch(/5 lines recorded in count 1/);
});

testInTerminal('Ctrl-C ends the wait for a server that does not answer', async () => {
  const server = await startServer(store);
  const { stdout } = await runInTerminal(server.address, 'count scan --pairs --wait 1', [
    [
      /Pet: $/,
      async ({ type }) => {
        server.child.kill('SIGKILL');
        await server.ended;
        type('2\r');
      },
    ],
    [/waits\s+until\s+the\s+shop\s+answers/, keys.interrupt],
  ]);
  expect(plain(stdout)).toContain('0 lines recorded in count 1');
});

testInTerminal('a "no" to the question of count cancel does not say that it was cancelled', async () => {
  const { stdout, exitCode } = await runInTerminal(store, 'count cancel', [[/Cancel count 1 [^]*\?/, 'n\r']]);
  expect([exitCode, plain(stdout)]).toEqual([130, expect.stringMatching(/No\nNothing was cancelled\.\n$/)]);
});

testInTerminal('a count that somebody closes meanwhile ends the scan with the reason and the lines that are not recorded', async () => {
  const { stdout, exitCode } = await runInTerminal(store, 'count scan --pairs', [
    [/Pet: $/, '1\r5\r'],
    [
      /✓[^]*Pet: $/,
      async ({ type }) => {
        await runHosted(store, ['count', 'close', '--yes']);
        type('2\r6\r');
      },
    ],
    [/not sent/, ''],
  ]);
  expect(exitCode).toBe(4);
  expect(plain(stdout)).toMatch(/1 line recorded in count 1, 1 not sent:\n2\t6|1 line recorded in count 1, 1 not sent:\n2 +6/);
  expect(plain(stdout)).toContain('error: Count 1 is closed');
});

testInTerminal('closing shows what would change and asks', async () => {
  await prepare(store, ['count', 'add', 'guppy 1', '9'], ['count', 'add', '2', '10']);
  const { stdout, exitCode } = await runInTerminal(store, 'count close', [[/Close count 1 and change 1 pet\? /, `y${keys.enter}`]]);
  expect([exitCode, plain(stdout)]).toEqual([
    0,
    expect.stringMatching(/1 +Guppy 1 +9 +10 +10 +9 +-1[^]*18 pets not counted keep their stock[^]*Closed count 1: 1 pet changed, 1 as expected/),
  ]);
  await prepare(store, ['count', 'start', '--quiet']);
  expect((await runInTerminal(store, 'count cancel', [[/Cancel count 2[^]*\? /, `n${keys.enter}`]])).exitCode).toBe(130);
});

/** Units of a count by pet, of the lines that are not undone. */
async function counted(): Promise<string> {
  return (await runHosted(store, ['count', 'view', '--state', 'counted', '--fields', 'petId,counted', '--format', 'csv'])).stdout;
}

testInTerminal('a paste of 200 scans with two cartons adds a unit for each scan, and the units of a carton', async () => {
  await prepare(store, ['code', 'add', '3', '4006381333931'], ['code', 'add', '3', '10012345000017', '--units', '20']);
  const scans = Array.from({ length: 200 }, (_, index) => (index === 50 || index === 150 ? '10012345000017' : index % 2 === 0 ? '4006381333931' : '7'));
  const { stdout, exitCode } = await runInTerminal(store, 'count scan', [
    [/Scan: $/, `${scans.join('\r')}\r`],
    [/Guppy 7: \+1, 100 so far/, keys.enter],
  ]);
  expect([exitCode, await counted()]).toEqual([0, 'petId,counted\n3,138\n7,100\n']);
  expect(plain(stdout)).toContain('200 lines recorded in count 1: 2 of 20 pets counted');
});

testInTerminal('a scanned text is never a number, and an unknown one takes no number', async () => {
  await prepare(store, ['code', 'add', '3', 'x12'], ['code', 'add', '4', '40170725']);
  const typed = ['7', '13', '40170725', '99', 'x5', 'x12', '-', 'nobody', '-', '7', 'x12', 'code:x12', '*4', '5', 'x1000'];
  const { stdout, exitCode } = await runInTerminal(store, 'count scan', [
    [/Scan: $/, `${typed.join('\r')}\r`],
    [/1000 is above 999; type "x1000" again to take it/, keys.enter],
  ]);
  expect([exitCode, await counted()]).toEqual([0, 'petId,counted\n3,4\n4,1\n5,1\n7,2\n13,1\n']);
  const screen = plain(stdout).replace(/\s+/g, ' ');
  for (const said of ['There is no pet 99.', '"x5" is about the last scan', '"x12" is a code of pet 3', 'There is no pet named "nobody"'])
    expect(screen).toContain(said);
});

testInTerminal('x12 sets the last scan and - takes it back', async () => {
  await prepare(store, ['code', 'add', '3', '10012345000017', '--units', '20']);
  const typed = ['10012345000017', 'x3', 'x2', '5\t6', '-', '-', '6', 'x9', '7', 'x1000', 'x1000'];
  const { exitCode } = await runInTerminal(store, 'count scan', [
    [/Scan: $/, `${typed.join('\r')}\r`],
    [/Guppy 7: \+999, 1000 so far/, keys.enter],
  ]);
  expect([exitCode, await counted()]).toEqual([0, 'petId,counted\n3,40\n6,9\n7,1000\n']);
});

testInTerminal('scans wait for a server that was lost, and each is added once', async () => {
  const first = await startServer(store);
  const { port } = new URL(first.address);
  let second: Awaited<ReturnType<typeof startServer>> | undefined;
  const { exitCode } = await runInTerminal(first.address, 'count scan --wait 1', [
    [/Scan: $/, '1\r'],
    [
      /✓ Guppy 1: \+1[^]*Scan: $/,
      async ({ type }) => {
        first.child.kill('SIGKILL');
        await first.ended;
        type('2\r3\rx5\r3\r-\r');
      },
    ],
    [
      /waits\s+until\s+the\s+shop\s+answers/,
      async ({ type }) => {
        type('5\r');
        second = await startServer(store, '--port', port);
      },
    ],
    [/Guppy 5: \+1/, keys.enter],
  ]);
  second?.child.kill('SIGTERM');
  await second?.ended;
  expect([exitCode, await counted()]).toEqual([0, 'petId,counted\n1,1\n2,1\n3,5\n5,1\n']);
});

testInTerminal('a number that was doubted for one scan is doubted for the next, and "-" says that a refused line added nothing', async () => {
  await prepare(store, ['count', 'cancel', '--yes'], ['count', 'start', '1', '2', '--quiet']);
  const { stdout, exitCode } = await runInTerminal(store, 'count scan', [
    [/Scan: $/, '1\rx1000\r2\rx1000\r3\r-\r'],
    [/Nothing of the last scan was recorded/, keys.enter],
  ]);
  expect([exitCode, await counted()]).toEqual([0, 'petId,counted\n1,1\n2,1\n']);
  expect(plain(stdout).match(/type "x1000" again/g)).toHaveLength(2);
});
