import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareFigures, inspectStore, type Figures, type Outcome } from './kill-points.js';
import type { PostgresServer } from './postgres-server.js';
import { environment, petstore, start, stockedShop, type ProcessResult } from './program.js';
import { proxyTo } from './proxy.js';

/**
 * Settings of a server in memory whose commits survive a crash of its processes like those of a server on a disk, and
 * that loses everything else: the WAL is written late unless a commit waits for it.
 */
export const delayedWalSettings = ['synchronous_commit=on', 'full_page_writes=on', 'wal_writer_delay=10s', 'wal_writer_flush_after=1GB', 'wal_buffers=32MB'];

const template = 'stocked';
const lock = 7;

/** An import into a database, and the shop before and after it. */
export interface DatabaseImport {
  /** The words of the command line. */
  readonly words: readonly string[];
  readonly rows: number;
  readonly before: Figures;
  readonly after: Figures;
}

/** When the database crashes: after this many ms, or at a step of the import. */
export type CrashPoint = number | Step;

/** A step of an import: the statements that block it there, or the bytes whose answer is lost. */
export type Step = { readonly name: string; readonly blockedBy: readonly string[] } | { readonly name: string; readonly answerOf: string };

const pauseFunction = [
  'CREATE SEQUENCE statements',
  `CREATE FUNCTION pause() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('statements') = CAST(TG_ARGV[0] AS BIGINT) THEN PERFORM pg_advisory_xact_lock(${lock}); END IF; RETURN NULL; END $$`,
];

/** Blocks after the nth statement that inserts into a table. */
function afterInsert(table: string, nth = 1): Step {
  const trigger = `CREATE TRIGGER pausing AFTER INSERT ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION pause('${nth}')`;
  return { name: `statement ${nth} that inserts into ${table}`, blockedBy: [...pauseFunction, trigger, `SELECT pg_advisory_lock(${lock})`] };
}

const shopLock: Step = { name: 'the wait for its turn', blockedBy: ['BEGIN', 'SELECT 1 FROM shop FOR UPDATE'] };
const commit: Step = {
  name: 'its commit',
  blockedBy: [
    ...pauseFunction,
    `CREATE CONSTRAINT TRIGGER pausing AFTER INSERT ON commits DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pause('1')`,
    `SELECT pg_advisory_lock(${lock})`,
  ],
};
const answer: Step = { name: 'the answer to its commit', answerOf: 'COMMIT /*' };

/** The steps of an import that inserts into these tables. */
export function stepsOf(...tables: readonly string[]): readonly Step[] {
  return [shopLock, ...tables.map((table) => afterInsert(table)), commit, answer];
}

async function connected(address: string): Promise<pg.Client> {
  const client = new pg.Client(address);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function runSql(address: string, ...texts: readonly string[]): Promise<void> {
  const client = await connected(address);
  for (const text of texts) await client.query(text);
  await client.end();
}

/** Creates the shop that every run gets a copy of. */
export async function makeTemplate(server: PostgresServer, pets: number, quantity: number): Promise<void> {
  await runSql(server.urlOf('postgres'), `CREATE DATABASE ${template}`);
  await stockedShop(server.urlOf(template), pets, quantity);
}

/** Waits until the import is blocked or has ended. */
async function waitUntilBlocked(server: PostgresServer, hasEnded: () => boolean): Promise<void> {
  const client = await connected(server.urlOf('postgres'));
  const waits = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'petstore' AND wait_event_type = 'Lock'";
  while (!hasEnded() && (await client.query(waits)).rows.length === 0) await sleep(5);
  await client.end();
}

/** Runs an import whose database crashes at a moment and restarts at once. */
async function runUntilCrash(
  server: PostgresServer,
  store: string,
  words: readonly string[],
  moment: CrashPoint,
  die: () => Promise<void>,
): Promise<ProcessResult> {
  const proxy = await proxyTo(store);
  const answerLost = new Promise<void>((resolve) => proxy.onBroken(resolve));
  const holder = typeof moment === 'object' && 'blockedBy' in moment ? await connected(store) : undefined;
  try {
    if (typeof moment === 'object') {
      if ('answerOf' in moment) proxy.breakAt(moment.answerOf, 'after');
      else for (const text of moment.blockedBy) await holder?.query(text);
    }
    const { child, ended } = start(process.execPath, [petstore, ...words, '--json', '--wait', '60'], environment(proxy.through));
    child.stdin.end();
    let isOver = false;
    const over = ended.then(() => (isOver = true));
    if (typeof moment === 'number') await sleep(moment);
    else if ('answerOf' in moment) await Promise.race([answerLost, over]);
    else await waitUntilBlocked(server, () => isOver);
    await die();
    return await ended;
  } finally {
    await holder?.end().catch(() => undefined);
    await proxy.close();
  }
}

interface Report {
  readonly applied: number;
  readonly alreadyApplied: number;
}

/** The problem with the end of a run, given its outcome: success must mean everything is stored, and an error nothing. */
function problemOf({ exitCode, stdout, stderr }: ProcessResult, left: Outcome, wanted: Partial<Report>): string | undefined {
  if (typeof left === 'object') return left.wrong;
  if (exitCode === 0 && left !== 'whole') return `said it was done, and ${left} of it is there: ${stdout}`;
  if (exitCode === 0) {
    const report = JSON.parse(stdout) as Report;
    const other = Object.entries(wanted).find(([name, value]) => report[name as keyof Report] !== value);
    return other && `said ${JSON.stringify(report)}, not ${other.join(': ')}`;
  }
  if (exitCode !== 7) return `ended with ${exitCode}: ${stderr}`;
  return left === 'nothing' ? undefined : `ended with ${exitCode}, although ${left} of it is there: ${stderr}`;
}

/** The result of an import whose database crashed: its outcome and the problems found. */
export interface CrashResult {
  readonly left: Outcome;
  readonly exitCode: number | null;
  readonly tookMs: number;
  readonly problems: readonly string[];
}

let count = 0;

/** Runs an import whose database crashes at a moment, and then again, to complete it or to find it complete. */
export async function crashDuring(
  server: PostgresServer,
  { words, rows, before, after }: DatabaseImport,
  moment: CrashPoint,
  die: () => Promise<void>,
): Promise<CrashResult> {
  const name = `dying_${(count += 1)}`;
  const store = server.urlOf(name);
  await runSql(server.urlOf('postgres'), `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const began = performance.now();
  const end = await runUntilCrash(server, store, words, moment, die);
  const tookMs = performance.now() - began;
  const left = await inspectStore(store, compareFigures(before, after));
  const problems = [problemOf(end, left, { applied: rows, alreadyApplied: 0 })];
  const { child, ended } = start(process.execPath, [petstore, ...words, '--json'], environment(store));
  child.stdin.end();
  const again = await ended;
  const wanted = left === 'nothing' ? { applied: rows, alreadyApplied: 0 } : { applied: 0, alreadyApplied: rows };
  if (again.exitCode === 0) problems.push(problemOf(again, await inspectStore(store, compareFigures(before, after)), wanted));
  else problems.push(`the next run ended with ${again.exitCode}: ${again.stderr}`);
  await runSql(server.urlOf('postgres'), `DROP DATABASE ${name} WITH (FORCE)`);
  const at = typeof moment === 'number' ? `${Math.round(moment)} ms` : moment.name;
  return { left, exitCode: end.exitCode, tookMs, problems: problems.flatMap((one) => (one === undefined ? [] : [`at ${at}: ${one}`])) };
}
