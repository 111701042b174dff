import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect } from 'vitest';
import { dump } from '../support/cli.js';
import { environment, petstore, prepare, runHosted, stockedShop } from '../support/program.js';
import { startServer, startServerWith } from '../support/server-process.js';
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

testInTerminal('lines of a scanner, 40 a second, are all recorded in their order', async () => {
  const sent = Array.from({ length: 60 }, (_, index) => [(index % pets) + 1, 1000 + index] as const);
  const scan: Step = [
    /Scan: $/,
    ({ type }) => {
      const lines = [...sent];
      const timer = setInterval(() => {
        const line = lines.shift();
        if (line === undefined) clearInterval(timer);
        else type(`${line.join('\t')}\r\n`);
      }, 25);
    },
  ];
  const { stdout, exitCode } = await runInTerminal(store, 'count scan', [scan, [/\+1059, /, keys.enter], [/60 lines recorded/, '']]);
  expect([exitCode, recorded()]).toEqual([0, sent]);
  expect(plain(stdout)).toContain('60 lines recorded in count 1: 20 of 20 pets counted, 20 differ.');
});

testInTerminal('a blind count shows nothing of what is expected, and --also takes in other pets', async () => {
  await prepare(store, ['count', 'cancel', '--yes'], ['count', 'start', '1', '--blind', '--quiet']);
  const { stdout } = await runInTerminal(
    store,
    'count scan --also',
    [
      [/Scan: $/, '1\r'],
      [/✓ Guppy 1[^]*Scan: $/, '2\tx\r'],
      [/✗ [^]*Scan: $/, '2\t4\r'],
      [/✓ Guppy 2[^]*Scan: $/, keys.enter],
    ],
    { columns: 40 },
  );
  expect(plain(stdout)).not.toMatch(/expected|10|differ/);
  for (const line of plain(stdout).split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  expect(recorded()).toEqual([
    [1, 1],
    [2, 4],
  ]);
});

testInTerminal('Ctrl-C ends with 130 and says how many lines are recorded', async () => {
  const { stdout, exitCode } = await runInTerminal(store, 'count scan', [
    [/Scan: $/, '1\t5\r2\t6\r'],
    [/Guppy 2: \+6[^]*Scan: $/, `3${keys.interrupt}`],
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

testInTerminal('Ctrl-C ends the wait for a server that does not answer, and shows what is not recorded', async () => {
  const server = await startServer(store);
  const { stdout, exitCode } = await runInTerminal(server.address, 'count scan --wait 1', [
    [
      /Scan: $/,
      async ({ type }) => {
        server.child.kill('SIGKILL');
        await server.ended;
        type('2\r3\r');
      },
    ],
    [/waits\s+until\s+the\s+shop\s+answers/, keys.interrupt],
  ]);
  expect([exitCode, plain(stdout)]).toEqual([130, expect.stringMatching(/0 lines recorded in count 1, 2 not recorded:\s+2\s+3\s/)]);
});

testInTerminal('a "no" to the question of count cancel does not say that it was cancelled', async () => {
  const { stdout, exitCode } = await runInTerminal(store, 'count cancel', [[/Cancel count 1 [^]*\?/, 'n\r']]);
  expect([exitCode, plain(stdout)]).toEqual([130, expect.stringMatching(/No\nNothing was cancelled\.\n$/)]);
});

testInTerminal('after another command it says "Cancelled.", also with that word in a value', async () => {
  const { stdout, exitCode } = await runInTerminal(store, 'inventory set 1 10000 --note cancel', [[/Take it as units\?/, 'n\r']]);
  expect([exitCode, plain(stdout)]).toEqual([130, expect.stringMatching(/No\nCancelled\.\n$/)]);
});

testInTerminal('a count that somebody closes meanwhile ends the scan with the reason and the lines that are not recorded', async () => {
  const { stdout, exitCode } = await runInTerminal(store, 'count scan', [
    [/Scan: $/, '1\r'],
    [
      /✓[^]*Scan: $/,
      async ({ type }) => {
        await runHosted(store, ['count', 'close', '--yes']);
        type('2\tx\r2\t6\r');
      },
    ],
    [/not recorded/, ''],
  ]);
  expect(exitCode).toBe(4);
  expect(plain(stdout)).toMatch(/1 line recorded in count 1, 1 not recorded:\s+2\s+6/);
  expect(plain(stdout)).toContain('error: Count 1 is closed');
});

testInTerminal('closing shows what would change and asks', async () => {
  await prepare(store, ['count', 'add', 'guppy 1', '9'], ['count', 'add', '2', '10']);
  const { stdout, exitCode } = await runInTerminal(store, 'count close', [[/Close count 1 and change 1 pet\? /, `y${keys.enter}`]]);
  expect([exitCode, plain(stdout)]).toEqual([
    0,
    expect.stringMatching(/1 +Guppy 1 +9 +10 +10 +9 +-1[^]*18 pets not counted keep their stock[^]*Closed count 1: 1 pet changed, 1 as expected/),
  ]);
});

/** Units of a count by pet, of the lines that are not undone. */
async function counted(): Promise<string> {
  return (await runHosted(store, ['count', 'view', '--state', 'counted', '--fields', 'petId,counted', '--format', 'csv'])).stdout;
}

testInTerminal('a paste of 200 scans with two cartons adds a unit for each scan, and the units of a carton', async () => {
  await prepare(store, ['code', 'add', '3', '4006381333931'], ['code', 'add', '3', '10012345000017', '--units', '20']);
  const scans = Array.from({ length: 200 }, (_, index) =>
    index === 50 || index === 150 ? '10012345000017' : index === 61 ? '\r7' : index % 2 === 0 ? '4006381333931' : '7',
  );
  const { stdout, exitCode } = await runInTerminal(store, 'count scan', [
    [/Scan: $/, `${scans.join('\r')}\r`],
    [/Guppy 7: \+1, 100 so far/, keys.enter],
  ]);
  expect([exitCode, await counted()]).toEqual([0, 'petId,counted\n3,138\n7,100\n']);
  expect(plain(stdout)).toContain('200 lines recorded in count 1: 2 of 20 pets counted');
});

testInTerminal('a scanned text is never a number, and an unknown one takes no number', async () => {
  await prepare(store, ['code', 'add', '3', 'x12'], ['code', 'add', '4', '40170725']);
  const typed = ['7', '13', '40170725', '99', 'x5', 'x12', '-', 'nobody', '-', '7', 'x12', 'code:x12', '*4', '5', 'x10000'];
  const { stdout, exitCode } = await runInTerminal(store, 'count scan', [
    [/Scan: $/, `${typed.join('\r')}\r`],
    [/10000 is no number of scans/, keys.enter],
  ]);
  expect([exitCode, await counted()]).toEqual([0, 'petId,counted\n3,4\n4,1\n5,1\n7,2\n13,1\n']);
  const screen = plain(stdout).replace(/\s+/g, ' ');
  for (const said of [
    'There is no pet 99.',
    '"x5" is about the last scan; it was refused and added nothing.',
    '"x12" is a code of pet 3',
    'There is no pet named "nobody"',
  ])
    expect(screen).toContain(said);
});

testInTerminal('x12 sets the last scan and - takes it back', async () => {
  await prepare(store, ['code', 'add', '3', '10012345000017', '--units', '20']);
  const typed = ['10012345000017', 'x3', 'x2', '5\t6', '-', '6', 'x9', '7', 'x1000'];
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
  await second?.stop();
  expect([exitCode, await counted()]).toEqual([0, 'petId,counted\n1,1\n2,1\n3,5\n5,1\n']);
});

testInTerminal('a scan that the server refuses because it is read-only is refused at once, and does not wait', async () => {
  const server = await startServerWith(environment(store, { PETSTORE_READ_ONLY: '1' }), petstore);
  const { stdout, exitCode } = await runInTerminal(server.address, 'count scan', [
    [/Scan: $/, '1\r'],
    [/✗ [^]*for reading only[^]*Scan: $|waits\s+until/, keys.enter],
    [/0 lines recorded/, ''],
  ]);
  expect([exitCode, plain(stdout)]).toEqual([0, expect.not.stringMatching(/waits\s+until/)]);
});

testInTerminal('--pairs takes a name that ends like a number of scans as it is', async () => {
  await prepare(store, ['pet', 'edit', '7', '--name', 'Guppy x7']);
  const { exitCode } = await runInTerminal(store, 'count scan --pairs', [
    [/Scan: $/, 'guppy x7\r12\r'],
    [/Guppy x7: \+12|no pet named/, keys.enter],
  ]);
  expect([exitCode, await counted()]).toEqual([0, 'petId,counted\n7,12\n']);
});

testInTerminal('--pairs takes a pet and then its number, again after a refused one, and names a pet without one at the end', async () => {
  await prepare(store, ['code', 'add', '3', '10012345000017', '--units', '20']);
  const typed = ['7', '12', 'nobody', '10012345000017', '4006381333931', 'two', '2', '8', '-', '9', '5', '-', '5'];
  const { stdout, exitCode } = await runInTerminal(store, 'count scan --pairs', [
    [/Scan or type a pet, then how many[^]*Scan: $/, `${typed.join('\r')}\r`],
    [/Guppy 5: how many\?/, keys.enter],
    [/1 not recorded:\s+5\s/, ''],
  ]);
  expect([exitCode, await counted()]).toEqual([0, 'petId,counted\n3,40\n7,12\n']);
  const screen = plain(stdout).replace(/\s+/g, ' ');
  for (const said of [
    'There is no pet named "nobody"',
    '4006381333931 is no number of scans; at least 1 and at most 9,999 are taken.',
    '"two" is no number; type how many of Guppy 3, or - to leave it out.',
    'Guppy 8 is left out.',
    'Guppy 9: +5 taken back',
  ])
    expect(screen).toContain(said);
});
