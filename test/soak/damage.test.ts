import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { seededRandom, isFullSize, seed } from '../support/seeded-random.js';
import { testWithoutShop, type CliFixture, type CommandResult } from '../support/cli.js';
import { changeFile } from '../support/raw-store.js';

const flips = isFullSize ? 3000 : 30;
const pageSize = 4096;
/** At the small size every tenth page. */
const step = isFullSize ? pageSize : 10 * pageSize;

/** One command of every kind. */
const commandLines = [
  'pet list',
  'status',
  'log',
  'inventory list --low',
  'order list --open',
  'report stock',
  'inventory adjust 3 +1',
  'order place --pet 3',
  'pet delete 5 --yes',
] as const;

/** Replaces the shop by these bytes and removes its other files. */
function writeStore({ store }: CliFixture, bytes: Uint8Array): void {
  for (const path of [`${store}-wal`, `${store}-shm`]) rmSync(path, { force: true });
  writeFileSync(store, bytes);
}

/** The problem with the behaviour of a command on a damaged shop; undefined if it is acceptable. */
function problemOf(line: string, before: Uint8Array, { store }: CliFixture, { exitCode, stdout, stderr }: CommandResult): string | undefined {
  if (/^ +at /m.test(stderr)) return `${line} showed a stack: ${stderr}`;
  // A damaged constraint of the schema cannot be distinguished from a bug.
  if (exitCode === 1 && stderr.includes('constraint failed')) return undefined;
  if (![0, 3, 4, 6, 7].includes(exitCode)) return `${line} ended with ${exitCode}: ${stderr}`;
  if (
    exitCode === 7 &&
    !/^error: .*(damaged|is empty|not a petstore shop|database of another program|newer|failed|written to|opened|petstore did not create)/m.test(stderr)
  )
    return `${line} said ${stderr}`;
  if (exitCode !== 7) return undefined;
  if (stdout !== '' && !line.includes('list') && line !== 'log') return `${line} printed beside its refusal: ${stdout}`;
  return readFileSync(store).equals(before) ? undefined : `${line} was refused and wrote to the file`;
}

/** Runs all commands on a shop of these bytes, each on a new copy; returns the exit codes and the problems. */
async function runCommandsOn(cli: CliFixture, bytes: Uint8Array): Promise<{ readonly codes: readonly number[]; readonly problems: readonly string[] }> {
  const [codes, problems]: [number[], string[]] = [[], []];
  for (const line of commandLines) {
    writeStore(cli, bytes);
    const ran = await cli.petstore(line).catch((error: unknown) => ({ exitCode: -1, stdout: '', stderr: String(error) }));
    codes.push(ran.exitCode);
    const found = problemOf(line, bytes, cli, ran);
    if (found !== undefined) problems.push(found);
  }
  return { codes, problems };
}

async function sampleShop(cli: CliFixture): Promise<Buffer> {
  expect((await cli.petstore('init --sample')).exitCode).toBe(0);
  changeFile(cli.store, 'PRAGMA wal_checkpoint(TRUNCATE)');
  return readFileSync(cli.store);
}

testWithoutShop('a flipped bit is reported or harmless, without a stack or a write to a refused file', async (cli) => {
  const whole = await sampleShop(cli);
  const random = seededRandom(seed);
  const problems: string[] = [];
  let refused = 0;
  for (let flip = 0; flip < flips; flip += 1) {
    const [at, bit] = [Math.floor(random() * whole.length), Math.floor(random() * 8)];
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
    const found = await runCommandsOn(cli, bytes);
    if (found.codes.includes(7)) refused += 1;
    problems.push(...found.problems.map((one) => `byte ${at}, bit ${bit}: ${one}`));
  }
  console.log(`${flips} flipped bits, ${commandLines.length} commands on each: ${refused} detected (seed ${seed})`);
  expect(problems).toEqual([]);
  expect(refused).toBeGreaterThan(0);
});

testWithoutShop('a file truncated at any page is refused or partly read', async (cli) => {
  const whole = await sampleShop(cli);
  const problems: string[] = [];
  for (let size = 0; size < whole.length; size += step) {
    const found = await runCommandsOn(cli, whole.subarray(0, size));
    problems.push(...found.problems.map((one) => `${size} bytes: ${one}`));
    expect(found.codes).toContain(7);
  }
  console.log(`${Math.ceil(whole.length / step)} truncations`);
  expect(problems).toEqual([]);
});

testWithoutShop('does not change a file that is not a shop', async (cli) => {
  const problems: string[] = [];
  const strange: Readonly<Record<string, string | Uint8Array>> = {
    'a text file': 'petId,quantity\n7,12\n',
    'one byte': '\0',
    'random bytes': Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 251)),
    'the header alone': 'SQLite format 3\0',
  };
  for (const [name, content] of Object.entries(strange)) {
    const { codes, problems: found } = await runCommandsOn(cli, Buffer.from(content));
    expect([name, new Set(codes)]).toEqual([name, new Set([7])]);
    problems.push(...found.map((one) => `${name}: ${one}`));
  }
  expect(problems).toEqual([]);
});
