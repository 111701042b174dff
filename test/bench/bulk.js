import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleaved, isInstalled, median, petstore, printTable, run, shown, succeed, tellsMemory, temporaryFolder } from './measure.js';
import { copyShop, makeShop, verifyRecount, writeRecount } from './shop.js';

const rounds = 3;
const expertScript = fileURLToPath(new URL('recount-expert.sql', import.meta.url));

const program = {
  name: 'petstore inventory import -',
  command: (store) => [process.execPath, [petstore, '--store', store, 'inventory', 'import', '-']],
};
/** The opponent of all ratios. */
const expert = {
  name: 'sqlite3, script of an expert',
  leavesOut:
    'names no bad row and no line, only that the file has one; knows no expected quantities, no key and no repeat, no lines in the ledger, no shortages and low-stock entries, no other encoding and no dry run',
  command: (store) => ['sqlite3', ['-bail', store, `.read ${expertScript}`]],
};

/** One recount on a new copy of the shop. */
async function recount({ command }, { base, store, file, folder, pets }) {
  copyShop(base, store);
  const { ms, mib, cpuMs } = await succeed(...command(store), { input: file, memory: folder });
  verifyRecount(store, pets);
  return { ms, mib, cpuMs };
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
  const base = candidates.includes(expert) ? { ms: middle(times.get(expert), 'ms'), cpuMs: middle(times.get(expert), 'cpuMs') } : {};
  const rows = candidates.map((candidate) => {
    const ms = middle(times.get(candidate), 'ms');
    return [
      candidate.name,
      shown(ms / 1000, 2),
      shown((paths.pets / ms) * 1000),
      ratio(ms, base.ms),
      ratio(middle(times.get(candidate), 'cpuMs'), base.cpuMs),
      shown(middle(times.get(candidate), 'mib')),
    ];
  });
  printTable(
    `${shown(paths.pets)} quantities in random order, a ledger row each; ${rounds} interleaved rounds`,
    ['', 'seconds', 'rows/s', 'ratio', 'CPU ratio', 'peak MiB'],
    rows,
  );
  for (const { name, leavesOut } of candidates) if (leavesOut) process.stdout.write(`${name}: ${leavesOut}.\n`);
  return times;
}

/** The effect on other writers: places orders, one command after the other, until the import ends. */
async function ordersDuringImport({ command }, { base, store, file }) {
  copyShop(base, store);
  let pet = 0;
  const place = async () => run(process.execPath, [petstore, '--store', store, 'order', 'place', '--pet', String((pet += 1))]);
  const idle = [];
  for (let index = 0; index < 5; index += 1) idle.push((await place()).ms);
  const state = { over: false };
  const importing = succeed(...command(store), { input: file }).finally(() => (state.over = true));
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
  const candidates = isInstalled('sqlite3') ? [program, expert] : [program];
  if (!isInstalled('sqlite3')) process.stdout.write('sqlite3 is not installed, and its script is skipped.\n');
  if (!tellsMemory) process.stdout.write('/usr/bin/time is not installed; peak memory is not measured.\n');
  const folder = temporaryFolder();
  const paths = await fixture(folder, pets);
  const times = await compare(candidates, paths);
  await compareOrders(candidates, paths);
  for (const path of [paths.base, paths.file]) rmSync(path);
  await growth(candidates, folder, [Math.round(pets / 10), pets, pets * 3], new Map([[pets, times]]));
}
