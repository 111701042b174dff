import { timeZoneNamed, utc } from '../../src/domain/values/time-zone.js';
import Database from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadJq } from 'jq-wasm';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { setupOf as programSetup } from '../../src/app/main.js';
import { processIo, type Io, type Output } from '../../src/cli/io.js';
import { commandEntry, type CommandEntry } from '../../src/cli/help/describe-command.js';
import { run } from '../../src/cli/program.js';
import { everyCommand } from '../../src/cli/command-groups.js';
import { root } from './documents.js';
import { memoryFolder } from './memory-folder.js';
import { builtFolder } from './program.js';
import { movingClock, type Clock } from './test-shop.js';
import type { Setup } from '../../src/cli/program-setup.js';

/** The streams and the environment of one command. */
export interface CommandContext {
  /** The width of the terminal behind standard output and standard error; without it both are pipes. */
  readonly terminal?: number;
  /** The stream that is a pipe although the others are a terminal. */
  readonly piped?: 'stdout' | 'stderr';
  /** The input piped into the command; without it standard input is a terminal without input. */
  readonly stdin?: string | Uint8Array;
  /** Variables to set, or to remove if undefined. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The result of one command. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command line test works with: a command runner, a clock, a folder and direct access to the rows. */
export interface CliFixture {
  /** Runs a command line, given as words or as one text with double quotes around words with spaces. */
  readonly petstore: (line: string | readonly string[], around?: CommandContext) => Promise<CommandResult>;
  readonly clock: Clock;
  /** The file of the shop. */
  readonly store: string;
  /** A path in the folder of this fixture. */
  readonly path: (name: string) => string;
  /** Writes a file into the folder and returns its path. */
  readonly file: (name: string, content: string | Uint8Array) => string;
  readonly read: (name: string) => string;
  /** Changes the shop with SQL, past the program. */
  readonly sql: (statement: string, ...values: readonly (string | number | null)[]) => void;
  /** Every row of every table. */
  readonly allRows: () => Readonly<Record<string, readonly unknown[]>>;
  /** Expects that work changes no row of any table. */
  readonly expectUnchanged: <T>(work: () => Promise<T>) => Promise<T>;
}

const jqModule = new URL('../../node_modules/jq-wasm/dist/build/jq.wasm', import.meta.url);

const { readFile } = processIo();

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(memoryFolder, 'petstore-cli-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The result of a successful command. */
export function done(stdout: string, stderr = ''): CommandResult {
  return { exitCode: 0, stdout, stderr };
}

/** The result of a refused command, with the lines of its standard error. */
export function refused(exitCode: number, ...stderr: readonly string[]): CommandResult {
  return { exitCode, stdout: '', stderr: lines(...stderr) };
}

/** Lines of text, each with a line break. */
export function lines(...texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}

/** The words of a command line; double quotes keep spaces together. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
}

function memoryOutput(width: number | undefined): Output & { readonly text: () => string } {
  let written = '';
  return {
    write: async (text) => void (written += text),
    isTerminal: width !== undefined,
    columns: width ?? 80,
    text: () => written,
  };
}

async function* piped(content: string | Uint8Array | undefined): AsyncGenerator<Uint8Array, void> {
  if (content === undefined) throw new Error('The command waits for somebody to type.');
  yield Buffer.from(content);
}

/** The setup of the program with the clock of the fixture, without its server and the thread of jq, and with a version that does not change. */
export function setupOf(clock: () => number): Setup {
  const setupWith = (now: () => number): Setup => programSetup({ home: root, clock: now }, builtFolder());
  const setup = setupWith(clock);
  return {
    ...setup,
    // A receiver compares the time of a message with its own clock.
    hooks: setupWith(Date.now).hooks,
    version: '1.2.3',
    about: async () => ({ ...(await setup.about()), version: '1.2.3', commit: '0a1b2c3d', node: '20.0.0', platform: 'linux-x64' }),
    serve: () => Promise.reject(new Error('Nothing is served here.')),
    mcp: async ({ open }) => void (await open('mcp')),
    // Without the thread and its limits.
    jq: async (expression) => {
      const jq = await loadJq({ wasmBinary: readFileSync(jqModule) });
      return { filter: async (json) => jq.raw(json, expression, ['-c', '--']), close: async () => {} };
    },
  };
}

/** The pages of the guide. */
export const { guide } = setupOf(Date.now);

/** Every row of every table of a SQLite shop. */
export function dump(store: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new Database(store, { readonly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all() as readonly string[];
    return Object.fromEntries(tables.map((table) => [table, database.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()]));
  } finally {
    database.close();
  }
}

/** Runs a command line in this process, with the shop that `setup` opens. */
export async function runCommandLine(line: string | readonly string[], around: CommandContext, setup: Setup, now: () => number): Promise<CommandResult> {
  const { terminal, piped: pipe, stdin, environment } = around;
  const [stdout, stderr] = [memoryOutput(pipe === 'stdout' ? undefined : terminal), memoryOutput(pipe === 'stderr' ? undefined : terminal)];
  const io: Io = {
    stdout,
    stderr,
    stdin: { isTerminal: stdin === undefined, bytes: () => piped(stdin) },
    environment: { PETSTORE_ACTOR: 'ana', NO_COLOR: '1', ...environment },
    now,
    localZone: () => timeZoneNamed(environment?.['TZ'] ?? 'UTC') ?? utc,
    readFile,
    sizeOf: () => undefined,
    beforeInterrupt: () => () => undefined,
    aroundSuspend: () => () => undefined,
  };
  const exitCode = await run(typeof line === 'string' ? wordsOf(line) : line, io, setup);
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

let listed: Promise<ReadonlyMap<string, CommandEntry>> | undefined;

/** Every command by its names. */
async function listedCommands(): Promise<ReadonlyMap<string, CommandEntry>> {
  const entries = (await everyCommand()).map(({ command, groupAliases }) => commandEntry(command, groupAliases));
  return new Map(entries.flatMap((entry) => [entry.command, ...entry.aliases].map((name) => [name, entry] as const)));
}

/** Every command of a test may only end with an exit code that `petstore commands` lists. */
async function expectListed(words: readonly string[], exitCode: number): Promise<void> {
  const commands = await (listed ??= listedCommands());
  const entry = [3, 2, 1].map((count) => commands.get(words.slice(0, count).join(' '))).find((one) => one !== undefined);
  if (entry?.exitCodes.includes(exitCode) === false) expect.fail(`${words.join(' ')} ended with ${exitCode}, which petstore commands does not list.`);
}

function createFixture(directory: string): CliFixture {
  const clock = movingClock();
  const store = join(directory, 'shop.db');
  const path = (name: string): string => join(directory, name);
  const environment = { PETSTORE_CONFIG: path('config.json'), PETSTORE_STORE: store };
  const setup = setupOf(clock.now);
  const petstore: CliFixture['petstore'] = async (line, around = {}) => {
    const ran = await runCommandLine(line, { ...around, environment: { ...environment, ...around.environment } }, setup, clock.now);
    await expectListed(typeof line === 'string' ? wordsOf(line) : line, ran.exitCode);
    return ran;
  };
  return {
    petstore,
    clock,
    store,
    path,
    file: (name, content) => (writeFileSync(path(name), content), path(name)),
    read: (name) => readFileSync(path(name), 'utf8'),
    sql: (statement, ...values) => {
      const database = new Database(store);
      database.prepare(statement).run(...values);
      database.close();
    },
    allRows: () => dump(store),
    expectUnchanged: async (work) => {
      const before = dump(store);
      const answer = await work();
      const after = dump(store);
      // Compares many rows faster than `expect`, which shows a difference.
      if (!isDeepStrictEqual(after, before)) expect(after).toEqual(before);
      return answer;
    },
  };
}

const aWeekAgo = ['category create --name Dogs --description "All breeds"', 'category create --name Cats', 'category create --name Fish'].concat(
  ['Rex --category Dogs', 'Bella --category Dogs --quantity 5', 'Whiskers --category Cats --status sold', 'Koi --category Fish --quantity 40'].map(
    (pet) => `pet create --name ${pet}`,
  ),
  ['pet create --name Luna --category Cats --status pending', 'inventory low-at 2 3'],
);
const ordersOfToday = [
  'order place --pet 2 --quantity 2 --ship-date 2026-12-24T09:00:00Z',
  'order place --pet 4 --quantity 3 --complete',
  'order place --quantity 1',
  'order place --pet 1 --note "by phone"',
  'order cancel 4 --note "changed his mind"',
];

/** Runs commands that must succeed, to prepare a test. */
export async function runAll({ petstore }: CliFixture, commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const { exitCode, stderr } = await petstore(command);
    if (exitCode !== 0) expect.fail(`${command} ended with ${exitCode}: ${stderr}`);
  }
}

async function stockShop(cli: CliFixture): Promise<void> {
  cli.clock.set('2026-11-13T09:00:00.000Z');
  await runAll(cli, ['init', ...aWeekAgo]);
  cli.clock.set('2026-11-20T07:00:00.000Z');
  await runAll(cli, ordersOfToday);
  cli.clock.set('2026-11-20T09:00:00.000Z');
}

/** A test in a folder without a shop. */
export function testWithoutShop(name: string, scenario: (cli: CliFixture) => Promise<void>): void {
  test(name, () => inFolder((directory) => scenario(createFixture(directory))));
}

let stockedContent: Promise<Buffer> | undefined;

async function stockedFile(): Promise<Buffer> {
  return inFolder(async (directory) => {
    const cli = createFixture(directory);
    await stockShop(cli);
    return readFileSync(cli.store);
  });
}

async function withStockedShop(scenario: (cli: CliFixture) => Promise<void>): Promise<void> {
  const content = await (stockedContent ??= stockedFile());
  await inFolder(async (directory) => {
    const cli = createFixture(directory);
    writeFileSync(cli.store, content);
    await scenario(cli);
  });
}

/**
 * A test in a small shop. Dogs: Rex (1) and Bella (2; 5 on hand, 2 reserved for order 1, low at 3); Cats:
 * Whiskers (3, sold) and Luna (5, on hold); Fish: Koi (4; 37 after order 2). Order 3 is a draft, order 4 cancelled.
 */
export function testInShop(name: string, scenario: (cli: CliFixture) => Promise<void>): void {
  test(name, () => withStockedShop(scenario));
}
