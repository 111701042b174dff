import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from '../../src/domain/errors.js';
import { sql } from '../../src/storage/sql.js';
import { judged, wrongWith } from './judge.js';
import { environment, start, type Ended } from './program.js';
import type { Scene } from './scene.js';

/** What a killed program left: nothing of what it was about, all of it, the part that it acknowledged, or something else, in words. */
export type Left = 'nothing' | 'whole' | 'some' | { readonly wrong: string };

/** Where a program works that is going to be killed. */
export interface Place {
  readonly folder: string;
  /** The file or the database of the shop. */
  readonly store: string;
  /** Resolves when nobody works there any more; a database hears late of the end of a program. */
  readonly quiet?: () => Promise<unknown>;
  readonly clear: () => Promise<unknown>;
}

/** Something that is killed again and again. */
export interface Kind {
  /** Makes a place as it is before. */
  readonly lay: () => Promise<Place>;
  /** What Node runs there; `turn` counts the runs. */
  readonly words: (place: Place, turn: number) => readonly string[];
  /** Judges what is there, knowing every whole line that was printed. */
  readonly left: (place: Place, said: readonly string[]) => Promise<Left>;
  /** The exit code of a run where everything was done before. */
  readonly onceMore: number;
  /** What may lie beside the shop when it is over: what the work is to make, and what the next run removes. */
  readonly keeps?: RegExp;
}

/** The figures by which a shop is judged. */
export interface Figures {
  readonly pets: number;
  readonly units: number;
  readonly orders: number;
  /** Rows of the ledger that change stock, openings aside. */
  readonly moves: number;
  readonly batches: number;
  readonly undone: number;
}

async function figuresOf({ rows }: Scene): Promise<Figures | undefined> {
  const [found] = await rows<Figures>(sql`SELECT (SELECT count(*) FROM pets) AS pets,
    (SELECT CAST(coalesce(sum(quantity), 0) AS BIGINT) FROM stock) AS units, (SELECT count(*) FROM orders) AS orders,
    (SELECT count(*) FROM ledger WHERE delta IS NOT NULL AND kind <> 'opening') AS moves,
    (SELECT count(*) FROM batches) AS batches, (SELECT count(*) FROM batches WHERE state = 'undone') AS undone`);
  return found;
}

/** The batches that are not there row for row. */
async function torn({ rows }: Scene): Promise<readonly object[]> {
  return rows<object>(sql`SELECT b.id, b.applied, count(l.id) AS found FROM batches b LEFT JOIN ledger l ON l.batch_id = b.id AND l.delta IS NOT NULL
    WHERE b.state = 'applied' GROUP BY b.id, b.applied HAVING count(l.id) <> b.applied`);
}

/** Judges a shop: sound, every batch whole, and then what `look` says of it. A shop that was never set up is nothing. */
export async function judge(store: string, look: (found: Scene) => Promise<Left>): Promise<Left> {
  try {
    const wrong = await wrongWith(store);
    if (wrong.length > 0) return { wrong: wrong.slice(0, 5).join(', ') };
    return await judged(store, async (found) => {
      const half = await torn(found);
      return half.length > 0 ? { wrong: `torn batches: ${JSON.stringify(half)}` } : look(found);
    });
  } catch (error) {
    if (error instanceof StoreError && error.code === 'store_missing') return 'nothing';
    throw error;
  }
}

/** Looks whether a shop has one set of figures, or the other. */
export function either(nothing: Figures, whole: Figures): (found: Scene) => Promise<Left> {
  return async (found) => {
    const figures = JSON.stringify(await figuresOf(found));
    if (figures === JSON.stringify(whole)) return 'whole';
    return figures === JSON.stringify(nothing) ? 'nothing' : { wrong: `half of it: ${figures}` };
  };
}

/** The contents of a folder that take room, and are not the shop. */
function bytesBeside(folder: string, known: (name: string) => boolean): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => !known(name) && statSync(join(folder, name)).isFile() && statSync(join(folder, name)).size > 0);
}

/** The files of a shop; a shop that was being made may have a journal, which the next run takes back and removes. */
function isOfAShop(name: string, isWhole: boolean): boolean {
  return /\.db(-wal|-shm)?$/.test(name) || (!isWhole && name.endsWith('.db-journal'));
}

/** How a program ended that was to be killed after so many ms, unless it was done before. */
async function killedAfter(milliseconds: number, words: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<Ended> {
  const { child, ended } = start(process.execPath, words, env);
  child.stdin.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const end = await ended;
  clearTimeout(timer);
  return end;
}

/** What came of many kills. */
export interface Killed {
  /** How long a whole run takes, in ms. */
  readonly took: number;
  readonly kills: number;
  readonly nothing: number;
  readonly whole: number;
  readonly some: number;
  /** Runs that came to an end before they were killed. */
  readonly survived: number;
  /** Runs after a kill that had to complete what it had cut off. */
  readonly again: number;
  readonly complaints: readonly string[];
}

/** What is to be complained of in how a run ended, given what it left. */
function complaintOf(left: Left, { signal, exitCode, stdout, stderr }: Ended): string | undefined {
  if (typeof left === 'object') return left.wrong;
  if (signal === null && exitCode !== 0) return `ended with ${exitCode}: ${stderr}`;
  if (left !== 'whole' && signal === null) return `said it was done, and ${left} of it is there: ${stdout}`;
  if (left === 'nothing' && stdout !== '') return `nothing is there, although it said: ${stdout}`;
  return undefined;
}

/** Runs a kind of work in one place after the other, and looks at what it left. */
async function bench(kind: Kind) {
  const scratch = mkdtempSync(join(tmpdir(), 'petstore-scratch-'));
  const complaints: string[] = [];
  let [turn, place] = [0, await kind.lay()];
  const run = async (milliseconds: number): Promise<{ readonly end: Ended; readonly left: Left; readonly took: number }> => {
    const env = environment(place.store, { TMPDIR: scratch, SQLITE_TMPDIR: scratch, NODE_PATH: join(process.cwd(), 'node_modules') });
    const began = performance.now();
    const end = await killedAfter(milliseconds, kind.words(place, (turn += 1)), env);
    const took = performance.now() - began;
    await place.quiet?.();
    const said = end.stdout.slice(0, end.stdout.lastIndexOf('\n') + 1);
    const left = await kind.left(place, said === '' ? [] : said.trimEnd().split('\n'));
    const beside = [
      ...bytesBeside(scratch, () => false),
      ...bytesBeside(place.folder, (name) => isOfAShop(name, left === 'whole') || kind.keeps?.test(name) === true),
    ];
    return { end, took, left: beside.length > 0 ? { wrong: `left behind: ${beside.join(', ')}` } : left };
  };
  return {
    run,
    complaints,
    /** Runs to the end, which must leave everything there; answers how long it took, in ms. */
    complete: async (when: string, expected: number): Promise<number> => {
      const { end, left, took } = await run(60_000);
      if (end.exitCode !== expected || left !== 'whole') complaints.push(`${when}: ended with ${end.exitCode} and left ${JSON.stringify(left)}: ${end.stderr}`);
      return took;
    },
    renew: async (): Promise<void> => {
      await place.clear();
      place = await kind.lay();
    },
    end: async (): Promise<void> => {
      await place.clear();
      rmSync(scratch, { recursive: true });
    },
  };
}

/**
 * Kills a program at moments spread over a little more than a whole run, drawn at random within their shares of it. What
 * a kill left empty-handed is completed by the next run, or met by the next kill.
 */
export async function killAgainAndAgain(kind: Kind, kills: number, random: () => number): Promise<Killed> {
  const { run, complete, complaints, renew, end: tidy } = await bench(kind);
  const met = { nothing: 0, some: 0, whole: 0, survived: 0, again: 0 };
  let took = await complete('the first run', 0);
  await complete('the second run', kind.onceMore);
  await renew();
  for (let kill = 0; kill < kills; kill += 1) {
    // The first comes early, so that one at least cuts something off, however long the run before took.
    const moment = kill === 0 ? took * 0.1 * random() : (took * 1.2 * (kill + random())) / kills;
    const { end, left } = await run(moment);
    const when = `killed after ${Math.round(moment)} of ${Math.round(took)} ms`;
    const complaint = complaintOf(left, end);
    if (complaint !== undefined) complaints.push(`${when}: ${complaint}`);
    if (end.signal === null) met.survived += 1;
    if (left === 'whole') met.whole += 1;
    if (left === 'nothing' || left === 'some') {
      met[left] += 1;
      if (random() < 0.5 && kill > 0) continue;
      // How long a run takes depends on what else goes on here.
      took = (took + (await complete(`the run after it was ${when}`, 0))) / 2;
      met.again += 1;
    }
    await renew();
  }
  await tidy();
  return { took: Math.round(took), kills, ...met, complaints };
}
