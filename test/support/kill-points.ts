import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from '../../src/domain/errors.js';
import { sql } from '../../src/storage/sql.js';
import { withStore, storeProblems } from './inspect-store.js';
import { environment, start, type ProcessResult } from './program.js';
import type { TestShop } from './test-shop.js';

/** What a killed program has stored: nothing, everything, the part that it acknowledged, or something wrong, as text. */
export type Outcome = 'nothing' | 'whole' | 'some' | { readonly wrong: string };

/** The folder and the store of a program that will be killed. */
export interface Workspace {
  readonly folder: string;
  /** The file or the database of the shop. */
  readonly store: string;
  /** Resolves when the store has no clients any more; a database notices the end of a client late. */
  readonly waitUntilIdle?: () => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
}

/** A program that is killed repeatedly. */
export interface KillTarget {
  /** Prepares a workspace for a run. */
  readonly prepare: () => Promise<Workspace>;
  /** The arguments of Node; `turn` counts the runs. */
  readonly args: (workspace: Workspace, turn: number) => readonly string[];
  /** Its standard input. */
  readonly input?: string;
  /** Inspects the store, given every complete line that was printed. */
  readonly inspect: (workspace: Workspace, said: readonly string[]) => Promise<Outcome>;
  /** The exit code of a run after everything was done. */
  readonly repeatExitCode: number;
  /** The files that may exist next to the shop afterwards: results, and files that the next run removes. */
  readonly expectedFiles?: RegExp;
}

/** The figures that are compared to decide on an outcome. */
export interface Figures {
  readonly pets: number;
  readonly units: number;
  readonly orders: number;
  /** Ledger rows that change stock, without openings. */
  readonly stockEntries: number;
  readonly batches: number;
  readonly undone: number;
  readonly codes: number;
}

async function figuresOf({ rows }: TestShop): Promise<Figures | undefined> {
  const [found] = await rows<Figures>(sql`SELECT (SELECT count(*) FROM pets) AS pets,
    (SELECT CAST(coalesce(sum(quantity), 0) AS BIGINT) FROM stock) AS units, (SELECT count(*) FROM orders) AS orders,
    (SELECT count(*) FROM ledger WHERE delta IS NOT NULL AND kind <> 'opening') AS "stockEntries",
    (SELECT count(*) FROM batches) AS batches, (SELECT count(*) FROM batches WHERE state = 'undone') AS undone, (SELECT count(*) FROM codes) AS codes`);
  return found;
}

/** The batches without a ledger row for each applied row: of a movement, or of a code in an import of codes. */
async function incompleteBatches({ rows }: TestShop): Promise<readonly object[]> {
  return rows<object>(sql`SELECT b.id, b.applied, count(l.id) AS found FROM batches b LEFT JOIN ledger l ON l.batch_id = b.id AND CASE b.kind WHEN 'codes' THEN l.kind = 'code.added' ELSE l.delta IS NOT NULL END
    WHERE b.state = 'applied' GROUP BY b.id, b.applied HAVING count(l.id) <> b.applied`);
}

/** Checks the invariants and batches of a shop, then returns the outcome of `look`. A missing shop counts as nothing. */
export async function inspectStore(store: string, look: (found: TestShop) => Promise<Outcome>): Promise<Outcome> {
  try {
    const wrong = await storeProblems(store);
    if (wrong.length > 0) return { wrong: wrong.slice(0, 5).join(', ') };
    return await withStore(store, async (found) => {
      const half = await incompleteBatches(found);
      return half.length > 0 ? { wrong: `torn batches: ${JSON.stringify(half)}` } : look(found);
    });
  } catch (error) {
    if (error instanceof StoreError && error.code === 'store_missing') return 'nothing';
    throw error;
  }
}

/** Returns an inspection that compares a shop with two sets of figures. */
export function compareFigures(nothing: Figures, whole: Figures): (found: TestShop) => Promise<Outcome> {
  return async (found) => {
    const figures = JSON.stringify(await figuresOf(found));
    if (figures === JSON.stringify(whole)) return 'whole';
    return figures === JSON.stringify(nothing) ? 'nothing' : { wrong: `half of it: ${figures}` };
  };
}

/** The non-empty files of a folder that are not known. */
function unexpectedFiles(folder: string, known: (name: string) => boolean): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => !known(name) && statSync(join(folder, name)).isFile() && statSync(join(folder, name)).size > 0);
}

/** The files of a shop. An incomplete shop may have a journal, which the next run rolls back and removes. */
function isStoreFile(name: string, isWhole: boolean): boolean {
  return /\.db(-wal|-shm)?$/.test(name) || (!isWhole && name.endsWith('.db-journal'));
}

/** Runs a program with this input and kills it after this many ms, unless it has ended before. */
async function runAndKill(
  milliseconds: number,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  input = '',
): Promise<ProcessResult> {
  const { child, ended } = start(process.execPath, words, env);
  child.stdin.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const end = await ended;
  clearTimeout(timer);
  return end;
}

/** The result of many kills. */
export interface KillResult {
  /** The duration of a complete run, in ms. */
  readonly tookMs: number;
  readonly kills: number;
  readonly nothing: number;
  readonly whole: number;
  readonly some: number;
  /** Runs that ended before they were killed. */
  readonly survived: number;
  /** Runs that had to complete the work of a killed run. */
  readonly reruns: number;
  readonly problems: readonly string[];
}

/** The problem with the end of a run, given its outcome. */
function problemOf(left: Outcome, { signal, exitCode, stdout, stderr }: ProcessResult): string | undefined {
  if (typeof left === 'object') return left.wrong;
  if (signal === null && exitCode !== 0) return `ended with ${exitCode}: ${stderr}`;
  if (left !== 'whole' && signal === null) return `said it was done, and ${left} of it is there: ${stdout}`;
  if (left === 'nothing' && stdout !== '') return `nothing is there, although it said: ${stdout}`;
  return undefined;
}

/** Runs a target in one workspace after the other and inspects the result. */
async function createRunner(kind: KillTarget) {
  const scratch = mkdtempSync(join(tmpdir(), 'petstore-scratch-'));
  const problems: string[] = [];
  let [turn, workspace] = [0, await kind.prepare()];
  const run = async (milliseconds: number): Promise<{ readonly end: ProcessResult; readonly left: Outcome; readonly tookMs: number }> => {
    const env = environment(workspace.store, { TMPDIR: scratch, SQLITE_TMPDIR: scratch, NODE_PATH: join(process.cwd(), 'node_modules') });
    const began = performance.now();
    const end = await runAndKill(milliseconds, kind.args(workspace, (turn += 1)), env, kind.input);
    const tookMs = performance.now() - began;
    await workspace.waitUntilIdle?.();
    const said = end.stdout.slice(0, end.stdout.lastIndexOf('\n') + 1);
    const left = await kind.inspect(workspace, said === '' ? [] : said.trimEnd().split('\n'));
    const beside = [
      ...unexpectedFiles(scratch, () => false),
      ...unexpectedFiles(workspace.folder, (name) => isStoreFile(name, left === 'whole') || kind.expectedFiles?.test(name) === true),
    ];
    return { end, tookMs, left: beside.length > 0 ? { wrong: `left behind: ${beside.join(', ')}` } : left };
  };
  return {
    run,
    problems,
    /** Runs to the end, after which everything must be stored; returns the duration in ms. */
    complete: async (when: string, expected: number): Promise<number> => {
      const { end, left, tookMs } = await run(60_000);
      if (end.exitCode !== expected || left !== 'whole') problems.push(`${when}: ended with ${end.exitCode} and left ${JSON.stringify(left)}: ${end.stderr}`);
      return tookMs;
    },
    renew: async (): Promise<void> => {
      await workspace.remove();
      workspace = await kind.prepare();
    },
    end: async (): Promise<void> => {
      await workspace.remove();
      rmSync(scratch, { recursive: true });
    },
  };
}

/**
 * Kills a program at random moments spread over a little more than a complete run. After a kill that left the work
 * incomplete, the next run completes it or is killed in the same workspace.
 */
export async function killRepeatedly(kind: KillTarget, kills: number, random: () => number): Promise<KillResult> {
  const { run, complete, problems, renew, end: tidy } = await createRunner(kind);
  const met = { nothing: 0, some: 0, whole: 0, survived: 0, reruns: 0 };
  let tookMs = await complete('the first run', 0);
  await complete('the second run', kind.repeatExitCode);
  await renew();
  for (let kill = 0; kill < kills; kill += 1) {
    // The first kill is early, so at least one interrupts a run of any duration.
    const moment = kill === 0 ? tookMs * 0.1 * random() : (tookMs * 1.2 * (kill + random())) / kills;
    const { end, left } = await run(moment);
    const when = `killed after ${Math.round(moment)} of ${Math.round(tookMs)} ms`;
    const problem = problemOf(left, end);
    if (problem !== undefined) problems.push(`${when}: ${problem}`);
    if (end.signal === null) met.survived += 1;
    if (left === 'whole') met.whole += 1;
    if (left === 'nothing' || left === 'some') {
      met[left] += 1;
      if (random() < 0.5 && kill > 0) continue;
      // The duration of a run depends on the load of the machine.
      tookMs = (tookMs + (await complete(`the run after it was ${when}`, 0))) / 2;
      met.reruns += 1;
    }
    await renew();
  }
  await tidy();
  return { tookMs: Math.round(tookMs), kills, ...met, problems };
}
