import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleaved, isInstalled, median, petstore, printTable, run, shown, succeed, tellsMemory, temporaryFolder } from './measure.js';
import { copyShop, makeShop, verifyRecount, writeRecount } from './shop.js';

const rounds = 3;
const pollerScript = fileURLToPath(new URL('lock-poller.js', import.meta.url));
const expertScript = fileURLToPath(new URL('recount-expert.sql', import.meta.url));

const program = {
  name: 'petstore inventory import -',
  steps: (store) => [{ program: process.execPath, args: [petstore, '--store', store, 'inventory', 'import', '-'], readsFile: true }],
};
/** The opponent of all ratios. */
const expert = {
  name: 'sqlite3, script of an expert',
  needs: 'sqlite3',
  leavesOut:
    'names no bad row and no line, only that the file has one; knows no expected quantities, no key and no repeat, no lines in the ledger, no shortages and low-stock entries, no other encoding and no dry run',
  steps: (store) => [{ program: 'sqlite3', args: ['-bail', store, `.read ${expertScript}`], readsFile: true }],
};

const wanted = 'CAST(s.quantity AS INTEGER)';
const joined = 'FROM staged s JOIN stock t ON t.pet_id = CAST(s.petId AS INTEGER)';
/** The recount with sqlite-utils: one statement per call, so not in one transaction, and it only checks that the pets exist. */
const utilities = {
  name: 'sqlite-utils, five calls',
  needs: 'sqlite-utils',
  leavesOut: 'checks nothing but that the pets exist, and changes the shop in five transactions, so that a failure leaves half of them',
  steps: (store) => [
    { program: 'sqlite-utils', args: ['insert', store, 'staged', '-', '--csv', '--silent'], readsFile: true },
    ...[
      `INSERT INTO batches (kind, state, key, sha256, actor, source, at, mode, total, applied, unchanged, rejected, first_entry, last_entry)
       SELECT 'stock', 'applied', 'u', 'u', 'u', 'import', 1800000000000, 'atomic', count(*), count(*), 0, 0, (SELECT max(id) + 1 FROM ledger), (SELECT max(id) FROM ledger) + count(*) FROM staged`,
      `INSERT INTO ledger (kind, pet_id, delta, quantity_after, batch_id, line)
       SELECT 'count', t.pet_id, ${wanted} - t.quantity, ${wanted}, (SELECT max(id) FROM batches), s.rowid + 1 ${joined} WHERE ${wanted} <> t.quantity`,
      `UPDATE stock SET quantity = ${wanted} FROM staged s WHERE stock.pet_id = CAST(s.petId AS INTEGER)`,
      'DROP TABLE staged',
    ].map((sql) => ({ program: 'sqlite-utils', args: ['query', store, sql] })),
  ],
};

/** A process that measures how long a shop is locked; `stop` returns the result. */
async function lockPoller(store) {
  const child = spawn(process.execPath, [pollerScript, store], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  await once(child.stdout, 'data');
  return {
    stop: async () => {
      child.stdin.end();
      await once(child, 'close');
      return JSON.parse(said.split('\n').at(-2) ?? '');
    },
  };
}

/** One recount on a new copy of the shop. */
async function recount({ steps }, { base, store, file, folder, pets }) {
  copyShop(base, store);
  let ms = 0;
  let [mib, cpuMs] = tellsMemory ? [0, 0] : [];
  for (const { program: command, args, readsFile } of steps(store)) {
    const ran = await succeed(command, args, { input: readsFile ? file : undefined, memory: folder });
    ms += ran.ms;
    if (!tellsMemory) continue;
    mib = Math.max(mib, ran.mib);
    cpuMs += ran.cpuMs;
  }
  verifyRecount(store, pets);
  return { ms, mib, cpuMs };
}

/** The same again with the lock poller, without measuring the time, because the poller slows every candidate. */
async function locked({ steps }, { base, store, file }) {
  copyShop(base, store);
  const poller = await lockPoller(store);
  for (const { program: command, args, readsFile } of steps(store)) await succeed(command, args, { input: readsFile ? file : undefined });
  return poller.stop();
}

/** The shop and the recount file for this many pets. */
async function fixture(folder, pets) {
  const at = (name) => join(folder, name);
  const paths = { folder, pets, base: at(`base-${pets}.db`), store: at('shop.db'), file: at(`recount-${pets}.csv`) };
  await makeShop(paths.base, pets);
  writeRecount(paths.file, pets);
  return paths;
}

const middle = (figures, name) => (figures[0]?.[name] === undefined ? undefined : median(figures.map((figure) => figure[name])));
const ratio = (figure, base) => (figure === undefined || !base ? '-' : `${shown(figure / base, 2)} ×`);

async function compare(candidates, paths) {
  const times = await interleaved(candidates, rounds, async (candidate) => recount(candidate, paths));
  const locks = await interleaved(candidates, rounds, async (candidate) => locked(candidate, paths));
  const base = candidates.includes(expert)
    ? { ms: middle(times.get(expert), 'ms'), cpuMs: middle(times.get(expert), 'cpuMs'), lock: middle(locks.get(expert), 'refusedMs') }
    : {};
  const rows = candidates.map((candidate) => {
    const ms = middle(times.get(candidate), 'ms');
    const lock = middle(locks.get(candidate), 'refusedMs');
    return [
      candidate.name,
      shown(ms / 1000, 2),
      shown((paths.pets / ms) * 1000),
      ratio(ms, base.ms),
      ratio(middle(times.get(candidate), 'cpuMs'), base.cpuMs),
      shown(middle(times.get(candidate), 'mib')),
      shown(lock / 1000, 2),
      ratio(lock, base.lock),
    ];
  });
  printTable(
    `${shown(paths.pets)} quantities in random order, a ledger row each; ${rounds} interleaved rounds`,
    ['', 'seconds', 'rows/s', 'ratio', 'CPU ratio', 'peak MiB', 'write lock s', 'ratio'],
    rows,
  );
  for (const { name, leavesOut } of candidates) if (leavesOut) process.stdout.write(`${name}: ${leavesOut}.\n`);
  return times;
}

/** The effect on other writers: places orders, one command after the other, until the import ends. */
async function ordersDuringImport({ steps }, { base, store, file }) {
  copyShop(base, store);
  let pet = 0;
  const place = async () => run(process.execPath, [petstore, '--store', store, 'order', 'place', '--pet', String((pet += 1))]);
  const idle = [];
  for (let index = 0; index < 5; index += 1) idle.push((await place()).ms);
  const state = { over: false };
  const [{ program: command, args }] = steps(store);
  const importing = succeed(command, args, { input: file }).finally(() => (state.over = true));
  const waits = [];
  let failed = 0;
  while (!state.over) {
    const { ms, exitCode } = await place();
    waits.push(ms);
    if (exitCode !== 0) failed += 1;
  }
  await importing;
  return { idle: median(idle), orders: waits.length, median: median(waits), slowest: Math.max(...waits), failed };
}

async function compareOrders(candidates, paths) {
  const results = await interleaved(candidates, rounds, async (candidate) => ordersDuringImport(candidate, paths));
  const rows = [...results].map(([{ name }, figures]) => [
    name,
    shown(figures.reduce((sum, { orders }) => sum + orders, 0)),
    shown(middle(figures, 'idle')),
    shown(middle(figures, 'median')),
    shown(Math.max(...figures.map(({ slowest }) => slowest))),
    shown(figures.reduce((sum, { failed }) => sum + failed, 0)),
  ]);
  printTable(
    `\`petstore order place\` from other processes while ${shown(paths.pets)} rows are imported, ${rounds} times`,
    ['import', 'orders', 'ms without import', 'median ms', 'slowest ms', 'failed'],
    rows,
  );
}

async function growth(candidates, folder, sizes, known) {
  const rows = [];
  const first = new Map();
  for (const pets of sizes) {
    let times = known.get(pets);
    if (times === undefined) {
      const paths = await fixture(folder, pets);
      times = await interleaved(candidates, rounds, async (candidate) => recount(candidate, paths));
      for (const path of [paths.base, paths.file]) rmSync(path);
    }
    const base = candidates.includes(expert) ? middle(times.get(expert), 'ms') : undefined;
    for (const candidate of candidates) {
      const ms = middle(times.get(candidate), 'ms');
      const mib = middle(times.get(candidate), 'mib');
      const start = first.get(candidate) ?? { pace: ms / pets, mib };
      first.set(candidate, start);
      const cells = [shown(ms / 1000, 2), ratio(ms, base), ratio(ms / pets, start.pace), shown(mib), ratio(mib, start.mib)];
      rows.push([`${shown(pets)}  ${candidate.name}`, ...cells]);
    }
  }
  printTable(`Growth; ${rounds} interleaved rounds`, ['rows', 'seconds', 'ratio', 'per row, ratio to first', 'peak MiB', 'ratio to first'], rows);
}

/** Bulk updates of stock compared with shell scripts. */
export async function benchBulk({ rows: pets }) {
  const candidates = [program, expert, utilities].filter(({ needs }) => needs === undefined || isInstalled(needs));
  for (const { needs } of [expert, utilities]) if (needs && !isInstalled(needs)) process.stdout.write(`${needs} is not installed and is skipped.\n`);
  if (!tellsMemory) process.stdout.write('/usr/bin/time is not installed; peak memory is not measured.\n');
  const folder = temporaryFolder();
  const paths = await fixture(folder, pets);
  const times = await compare(candidates, paths);
  const single = candidates.filter((candidate) => candidate === program || candidate === expert);
  await compareOrders(single, paths);
  for (const path of [paths.base, paths.file]) rmSync(path);
  await growth(single, folder, [Math.round(pets / 10), pets, pets * 3], new Map([[pets, times]]));
}
