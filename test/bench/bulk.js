import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleaved, isInstalled, median, petstore, printTable, run, shown, succeed, tellsMemory, temporaryFolder } from './measure.js';
import { copyShop, makeShop, verifyRecount, writeRecount } from './shop.js';

const rounds = 3;
const pollerScript = fileURLToPath(new URL('lock-poller.js', import.meta.url));
const script = fileURLToPath(new URL('recount.sql', import.meta.url));

const program = {
  name: 'petstore inventory import -',
  steps: (store) => [{ program: process.execPath, args: [petstore, '--store', store, 'inventory', 'import', '-'], readsFile: true }],
};
const shell = {
  name: 'sqlite3, one script',
  needs: 'sqlite3',
  steps: (store) => [{ program: 'sqlite3', args: ['-bail', store, `.read ${script}`], readsFile: true }],
};
/** The same with one more line of knowledge: the shop is larger than the shell's cache of 2 MB. */
const roomyShell = {
  name: 'sqlite3, 64 MB page cache',
  needs: 'sqlite3',
  steps: (store) => [{ program: 'sqlite3', args: ['-bail', '-cmd', 'PRAGMA cache_size = -65536', store, `.read ${script}`], readsFile: true }],
};

const wanted = 'CAST(s.quantity AS INTEGER)';
const joined = 'FROM staged s JOIN stock t ON t.pet_id = CAST(s.petId AS INTEGER)';
/** What sqlite-utils can do of it: a statement a call, so not in one transaction, and with no check but that the pets exist. */
const utilities = {
  name: 'sqlite-utils, five calls',
  needs: 'sqlite-utils',
  steps: (store) => [
    { program: 'sqlite-utils', args: ['insert', store, 'staged', '-', '--csv', '--silent'], readsFile: true },
    ...[
      `INSERT INTO batches (kind, state, key, sha256, actor, source, at, mode, total, applied, unchanged, rejected, first_entry)
       SELECT 'stock', 'applied', 'u', 'u', 'u', 'import', 1800000000000, 'atomic', count(*), count(*), 0, 0, (SELECT max(id) + 1 FROM ledger) FROM staged`,
      `INSERT INTO ledger (kind, pet_id, delta, quantity_after, batch_id, line)
       SELECT 'count', t.pet_id, ${wanted} - t.quantity, ${wanted}, (SELECT max(id) FROM batches), s.rowid + 1 ${joined} WHERE ${wanted} <> t.quantity`,
      `UPDATE stock SET quantity = ${wanted} FROM staged s WHERE stock.pet_id = CAST(s.petId AS INTEGER)`,
      'DROP TABLE staged',
    ].map((sql) => ({ program: 'sqlite-utils', args: ['query', store, sql] })),
  ],
};

/** A process that looks how long a shop is locked; `stop` answers what it saw. */
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

/** One recount on a fresh copy of the shop. */
async function recount({ steps }, { base, store, file, folder, pets }) {
  copyShop(base, store);
  let ms = 0;
  let mib = tellsMemory ? 0 : undefined;
  for (const { program: command, args, readsFile } of steps(store)) {
    const ran = await succeed(command, args, { input: readsFile ? file : undefined, memory: folder });
    ms += ran.ms;
    if (tellsMemory) mib = Math.max(mib, ran.mib);
  }
  verifyRecount(store, pets);
  return { ms, mib };
}

/** The same once more while the poller looks, which is kept out of the times: it has its price for everybody. */
async function locked({ steps }, { base, store, file }) {
  copyShop(base, store);
  const poller = await lockPoller(store);
  for (const { program: command, args, readsFile } of steps(store)) await succeed(command, args, { input: readsFile ? file : undefined });
  return poller.stop();
}

/** The shop and the file of so many pets. */
async function fixture(folder, pets) {
  const at = (name) => join(folder, name);
  const paths = { folder, pets, base: at(`base-${pets}.db`), store: at('shop.db'), file: at(`recount-${pets}.csv`) };
  await makeShop(paths.base, pets);
  writeRecount(paths.file, pets);
  return paths;
}

const middle = (figures, name) => (figures[0]?.[name] === undefined ? undefined : median(figures.map((figure) => figure[name])));
const ratio = (figure, base) => (figure === undefined || !base ? '-' : `${shown(figure / base, 2)} ×`);

async function compare(contestants, paths) {
  const times = await interleaved(contestants, rounds, async (contestant) => recount(contestant, paths));
  const locks = await interleaved(contestants, rounds, async (contestant) => locked(contestant, paths));
  const base = contestants.includes(shell) ? { ms: middle(times.get(shell), 'ms'), lock: middle(locks.get(shell), 'refusedMs') } : {};
  const rows = contestants.map((contestant) => {
    const ms = middle(times.get(contestant), 'ms');
    const lock = middle(locks.get(contestant), 'refusedMs');
    return [
      contestant.name,
      shown(ms / 1000, 2),
      shown((paths.pets / ms) * 1000),
      ratio(ms, base.ms),
      shown(middle(times.get(contestant), 'mib')),
      shown(lock / 1000, 2),
      ratio(lock, base.lock),
    ];
  });
  printTable(
    `${shown(paths.pets)} quantities in random order, a ledger row each; ${rounds} interleaved rounds`,
    ['', 'seconds', 'rows/s', 'ratio', 'peak MiB', 'write lock s', 'ratio'],
    rows,
  );
  return times;
}

/** What other writers notice: orders are placed, one command after the other, until the import ends. */
async function ordersMeanwhile({ steps }, { base, store, file }) {
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

async function meanwhile(contestants, paths) {
  const results = await interleaved(contestants, rounds, async (contestant) => ordersMeanwhile(contestant, paths));
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

async function growth(contestants, folder, sizes, known) {
  const rows = [];
  const first = new Map();
  for (const pets of sizes) {
    let times = known.get(pets);
    if (times === undefined) {
      const paths = await fixture(folder, pets);
      times = await interleaved(contestants, rounds, async (contestant) => recount(contestant, paths));
      for (const path of [paths.base, paths.file]) rmSync(path);
    }
    const base = contestants.includes(shell) ? middle(times.get(shell), 'ms') : undefined;
    for (const contestant of contestants) {
      const ms = middle(times.get(contestant), 'ms');
      const mib = middle(times.get(contestant), 'mib');
      const start = first.get(contestant) ?? { pace: ms / pets, mib };
      first.set(contestant, start);
      const cells = [shown(ms / 1000, 2), ratio(ms, base), ratio(ms / pets, start.pace), shown(mib), ratio(mib, start.mib)];
      rows.push([`${shown(pets)}  ${contestant.name}`, ...cells]);
    }
  }
  printTable(`Growth; ${rounds} interleaved rounds`, ['rows', 'seconds', 'ratio', 'per row, to the first', 'peak MiB', 'to the first'], rows);
}

/** Bulk updates of stock against what a shell script would do. */
export async function benchBulk(pets) {
  const contestants = [program, shell, roomyShell, utilities].filter(({ needs }) => needs === undefined || isInstalled(needs));
  for (const { needs } of [shell, utilities]) if (needs && !isInstalled(needs)) process.stdout.write(`${needs} is not installed; left out.\n`);
  if (!tellsMemory) process.stdout.write('/usr/bin/time is not installed; peak memory left out.\n');
  const folder = temporaryFolder();
  const paths = await fixture(folder, pets);
  const times = await compare(contestants, paths);
  const single = contestants.filter((contestant) => contestant === program || contestant === shell);
  await meanwhile(single, paths);
  for (const path of [paths.base, paths.file]) rmSync(path);
  await growth(single, folder, [Math.round(pets / 10), pets, pets * 3], new Map([[pets, times]]));
}
