import { devNull } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverSettings, startTargets } from './targets.js';
import { interleaved, isInstalled, median, petstore, printTable, shown, succeed, tellsMemory, temporaryFolder } from './measure.js';
import { writePets, writeRecount } from './shop.js';

const importBar = 5;

const scriptAt = (name) => fileURLToPath(new URL(name, import.meta.url));
const ratio = (figure, base) => (figure === undefined || !base ? '-' : `${shown(figure / base, 2)} ×`);
const middle = (figures) => (figures.some((figure) => figure === undefined) ? undefined : median(figures));

/** The same import by the script of an expert for psql, where that is installed: the floor that the tables and indexes of the shop set. */
function expertOf(target) {
  return target?.name === 'PostgreSQL' && isInstalled('psql') ? [{ ...target, name: 'PostgreSQL, psql script of an expert', isExpert: true }] : [];
}

/** An import of as many rows as the shop has pets into a new copy of it, by the program or a script in another process. */
async function importOnce(target, { getBatch }, { folder, pets, file, command, script }) {
  const store = await target.fresh(pets);
  try {
    const words = [petstore, '--store', store, '--wait', '60', ...command, '-', '--quiet'];
    const [program, args] = target.isExpert ? ['psql', ['--quiet', '--no-psqlrc', '--output', devNull, '--file', script, store]] : [process.execPath, words];
    const { ms, mib } = await succeed(program, args, { input: file, memory: folder });
    const shop = await target.open(store);
    const batch = await shop.call(getBatch, { batchId: 2 }).finally(() => shop.close());
    if (batch.applied !== pets) throw new Error(`${target.name}: ${batch.applied} of ${pets} rows were applied.`);
    return { ms, mib };
  } finally {
    await target.done();
  }
}

async function imports(engines, parts, { rounds, what, leavesOut, ...scale }) {
  const targets = [...engines, ...engines.flatMap(expertOf)];
  const results = await interleaved(targets, rounds, (target) => importOnce(target, parts, scale));
  const base = median(results.get(targets[0]).map(({ ms }) => ms));
  const rows = targets.map((target) => {
    const figures = results.get(target);
    const ms = median(figures.map((figure) => figure.ms));
    const mib = middle(figures.map((figure) => figure.mib));
    return [
      target.name,
      shown(ms / 1000, 2),
      shown((scale.pets / ms) * 1000),
      ratio(ms, base),
      target.name === 'PostgreSQL' ? `≤ ${importBar} ×` : '',
      shown(mib),
    ];
  });
  printTable(`${shown(scale.pets)} ${what}, a ledger row each; ${rounds} interleaved rounds`, ['', 'seconds', 'rows/s', 'ratio', 'limit', 'peak MiB'], rows);
  for (const { name, isExpert } of targets) if (isExpert) process.stdout.write(`${name}: ${leavesOut}.\n`);
}

/** Imports into a file, into PostgreSQL and through a server. How reads grow with the shop, growth.js measures; orders in PostgreSQL, writers.js. */
export async function benchEngines({ quick }) {
  if (!tellsMemory) process.stdout.write('/usr/bin/time is not installed; peak memory is not measured.\n');
  const folder = temporaryFolder();
  const { targets, parts, close } = await startTargets(folder);
  try {
    const pets = quick ? 100_000 : 1_000_000;
    if (targets.length === 3) process.stdout.write(`PostgreSQL runs with ${serverSettings.join(', ')}; fsync and synchronous_commit are on.\n`);
    else process.stdout.write('PostgreSQL cannot be started and is skipped.\n');
    for (const target of targets) await target.make(pets);
    const file = join(folder, 'recount.csv');
    writeRecount(file, pets);
    const scale = { folder, pets, rounds: quick ? 2 : 3 };
    await imports(targets, parts, {
      ...scale,
      file,
      what: 'quantities in random order',
      command: ['inventory', 'import'],
      script: scriptAt('recount-expert-postgres.sql'),
      leavesOut:
        'names no bad row and no line; knows no expected quantities, no key and no repeat, no lines in the ledger, no shortages and low-stock entries, no other encoding, no dry run and no lost connection',
    });
    const newPets = join(folder, 'pets.csv');
    writePets(newPets, pets);
    await imports(targets, parts, {
      ...scale,
      file: newPets,
      what: 'new pets of 50 new categories',
      command: ['pet', 'import', '--create-categories'],
      script: scriptAt('pets-expert-postgres.sql'),
      leavesOut:
        'names no bad row and no line; knows no rules for names, no status, no key and no repeat, no lines and no categories in the ledger, no other encoding, no dry run and no lost connection, and other writers wait for all of it',
    });
  } finally {
    await close();
  }
}
