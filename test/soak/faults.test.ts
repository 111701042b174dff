import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/storage/sql.js';
import { seededRandom, isFullSize, seed } from '../support/seeded-random.js';
import { withStore, storeProblems } from '../support/inspect-store.js';
import { environment, petstore, prepare, runHosted, runProgram, runShell, start, stockedShop, type ProcessResult } from '../support/program.js';
import { skipWith, missingTool } from '../support/optional-tools.js';
import { testFolder } from '../support/files.js';

const pets = 300;
const opening = 10;
const folder = testFolder();
const template = join(folder, 'template.db');
const delivery = join(folder, 'delivery.csv');

beforeAll(async () => {
  await stockedShop(template, pets, opening);
  await prepare(template, ['status']);
  writeFileSync(delivery, `petId,delta\n${Array.from({ length: pets }, (_, index) => `${index + 1},1\n`).join('')}`);
});
/** The failing system call and its error, as strace flags. */
const failures = ['pwrite64:error=EIO', 'pwrite64:error=ENOSPC', 'fsync,fdatasync:error=EIO', 'ftruncate:error=EIO', 'pread64:error=EIO'] as const;

/** The commands that run while the disk fails, with the number of units that they add on success. */
const commands: Readonly<Record<string, { readonly words: readonly string[]; readonly adds: number }>> = {
  'a change of one pet': { words: ['inventory', 'adjust', '3', '+1'], adds: 1 },
  'a delivery': { words: ['inventory', 'import', delivery, '--quiet'], adds: pets },
  'an order': { words: ['order', 'place', '--pet', '3', '--complete'], adds: -1 },
  'a list': { words: ['pet', 'list', '--format', 'count'], adds: 0 },
};

const noFaults = missingTool('strace(1) that may inject faults', 'strace', ['-qq', '-e', 'trace=fsync', '-e', 'inject=fsync:error=EIO', 'true']);

/** Runs a command while the nth call of a kind fails, and every later one if `on` is set. */
async function failing(store: string, words: readonly string[], failure: string, nth: number, on: boolean): Promise<ProcessResult> {
  const [calls = ''] = failure.split(':');
  // Only for files of the shop, because Node reads other files.
  const paths = ['', '-wal', '-shm'].flatMap((ending) => ['-P', `${store}${ending}`]);
  const fault = `inject=${failure}:when=${nth}${on ? '+' : ''}`;
  const { child, ended } = start(
    'strace',
    ['-f', '-qq', '-o', '/dev/null', ...paths, '-e', `trace=${calls}`, '-e', fault, process.execPath, petstore, ...words],
    environment(store),
  );
  child.stdin.end();
  return ended;
}

async function unitsIn(store: string): Promise<number> {
  const [found] = await withStore(store, ({ rows }) => rows<{ readonly units: number }>(sql`SELECT CAST(sum(quantity) AS BIGINT) AS units FROM stock`));
  return found?.units ?? 0;
}

/** The problem with a command that met a fault, or with its shop. */
async function problemOf(store: string, adds: number, { exitCode, stderr }: ProcessResult): Promise<string | undefined> {
  if (/^ +at /m.test(stderr)) return `showed a stack: ${stderr}`;
  if (exitCode !== 0 && exitCode !== 7) return `ended with ${exitCode}: ${stderr}`;
  if (exitCode === 7 && !/^error: .*(failed|No space left|cannot be|cannot write|damaged)/m.test(stderr)) return `said: ${stderr}`;
  const wrong = await storeProblems(store);
  if (wrong.length > 0) return `left a broken shop: ${wrong.join(', ')}`;
  const moved = (await unitsIn(store)) - pets * opening;
  return moved === (exitCode === 0 ? adds : 0) ? undefined : `moved ${moved} units and ended with ${exitCode}: ${stderr}`;
}

function freshShop(name: string): string {
  const directory = join(folder, name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  copyFileSync(template, join(directory, 'shop.db'));
  return join(directory, 'shop.db');
}

// Later calls do not affect the result of a command.
const maximumCall = 60;

/** Makes each call of a command fail in turn; at the small size only the first. */
async function faultsOf(name: string, failure: string): Promise<{ readonly tried: number; readonly refused: number; readonly problems: readonly string[] }> {
  const { words = [], adds = 0 } = commands[name] ?? {};
  const random = seededRandom(seed);
  const drawn = Array.from({ length: maximumCall }, (_, index) => index + 1).filter((nth) => isFullSize || nth === 1);
  const problems: string[] = [];
  let refused = 0;
  for (const nth of drawn) {
    const store = freshShop(name.replaceAll(' ', '-'));
    const on = random() < 0.5;
    const ended = await failing(store, words, failure, nth, on);
    if (ended.exitCode === 7) refused += 1;
    const problem = await problemOf(store, adds, ended);
    if (problem !== undefined) problems.push(`${failure} at call ${nth}${on ? ' and later' : ''}: ${name} ${problem}`);
  }
  return { tried: drawn.length, refused, problems };
}

test.for(Object.keys(commands))('%s on a failing disk reports it and leaves the shop unchanged', { timeout: 900_000 }, async (name, context) => {
  skipWith(noFaults, context);
  const found = [];
  for (const failure of failures) found.push({ failure, ...(await faultsOf(name, failure)) });
  console.log(`${name}: ${found.map(({ failure, tried, refused }) => `${failure} ${refused} of ${tried} refused`).join(', ')} (seed ${seed})`);
  expect(found.flatMap(({ problems }) => problems)).toEqual([]);
});

test('at the file size limit a change is refused with a hint, and the shop is unchanged', { timeout: 900_000 }, async () => {
  const codes = [];
  for (const kibibytes of isFullSize ? Array.from({ length: 40 }, (_, index) => index * 4) : [0, 40, 160]) {
    const store = freshShop('limit');
    const ended = await runShell(store, `ulimit -f ${kibibytes}; petstore inventory import "${delivery}" --quiet`);
    expect([kibibytes, await problemOf(store, pets, ended)]).toEqual([kibibytes, undefined]);
    codes.push(ended.exitCode);
  }
  expect([codes[0], codes.at(-1)]).toEqual([7, 0]);
});

test('reports a full disk for temporary files and changes nothing', async () => {
  const [store, long] = [freshShop('scratch'), join(folder, 'long.csv')];
  writeFileSync(long, `petId,delta\n${Array.from({ length: 60_000 }, (_, row) => `${(row % pets) + 1},1\n`).join('')}`);
  // 64 KiB: enough for the shop, but not for the temporary file of the report.
  const { exitCode, stdout, stderr } = await runShell(store, `ulimit -f 64; petstore inventory import ${long} --format ndjson`);
  expect([exitCode, stdout]).toEqual([7, '']);
  expect(stderr).toMatch(/"code":"store_full","message":"No space left for temporary files in .*; nothing was changed\."/);
  expect([await storeProblems(store), await unitsIn(store)]).toEqual([[], pets * opening]);
});

/** A test with a copy of the shop on a disk of its own that has a little space. */
function testOnSmallDisk(name: string, spareKib: number, scenario: (mount: string, store: string) => Promise<void>): void {
  test(name, async (context) => {
    const mount = mkdtempSync(join(folder, 'disk-'));
    const size = `size=${Math.ceil(statSync(template).size / 1024) + spareKib}k`;
    skipWith(missingTool('root, to mount a small disk,', 'mount', ['-t', 'tmpfs', '-o', size, 'petstore', mount]), context);
    try {
      copyFileSync(template, join(mount, 'shop.db'));
      await scenario(mount, join(mount, 'shop.db'));
    } finally {
      execFileSync('umount', [mount]);
    }
  });
}

testOnSmallDisk('opening a shop on a full disk, also for reading, reports the full disk', 100, async (mount, store) => {
  const filler = join(mount, 'filler');
  expect(() => writeFileSync(filler, Buffer.alloc(1 << 20))).toThrow('ENOSPC');
  for (const args of [['pet', 'list'], ['status'], ['log']]) {
    const { exitCode, stdout, stderr } = await runProgram(store, args);
    const message = `error: The disk is full or failing: cannot write ${store}-shm, which is also needed for reading; nothing was changed.`;
    expect([exitCode, stdout, stderr]).toEqual([7, '', `${message}\nhint: Free some disk space and run the command again.\n`]);
  }
  rmSync(filler);
  expect((await runHosted(store, ['pet', 'list'])).exitCode).toBe(0);
});

testOnSmallDisk('a disk that is full', 400, async (_, store) => {
  const refusals = isFullSize ? 3 : 1;
  let refused = 0;
  for (let time = 0; refused < refusals && time < 400; time += 1) {
    const ended = await runProgram(store, ['inventory', 'import', delivery, '--quiet', '--key', `time ${time}`]);
    if (ended.exitCode === 0) continue;
    refused += 1;
    expect([ended.exitCode, ended.stderr]).toEqual([7, expect.stringMatching(/^error: (No space left|The disk is full) .*nothing was changed/)]);
    expect(await storeProblems(store)).toEqual([]);
  }
  expect(refused).toBe(refusals);
});
