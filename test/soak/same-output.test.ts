import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { addressOf, freshDatabase, shown } from '../support/postgres.js';
import { prepare, runHosted } from '../support/program.js';
import { startServer } from '../support/server-process.js';
import { runsAllStores } from '../support/seeded-random.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();

const files: Readonly<Record<string, string>> = {
  'counts.csv': 'petId,expected,quantity\n1,2,5\n3,42,40\n8,1,1\n',
  'mixed.csv': 'petId,quantity\n5,4\n999,1\n6,x\n',
  'delivery.csv': 'petId,delta,note\n3,10,box 1\n13,2,box 2\n',
  'typing.csv': 'petId,quantitty\n1,2\n',
  'more.csv': 'name,category,quantity\nFlora,Dogs,1\nFido,Snails,2\n',
};

beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
/** A typical sequence of commands, one per line. */
const commandLines: readonly string[] = [
  'status',
  'category list',
  'pet list --category Fish --format csv',
  'pet list --search nandu',
  'pet list --sort -name -L 5',
  'pet view 1 4 --json',
  'pet create --name Zoë --category Dogs --quantity 3 --json',
  'pet create --name Nobody --category Unicorns',
  'pet edit 37 --name Zoë-Marie --category Cats',
  'pet edit 37 --name Zoë-Marie',
  'pet hold 37 --note at-the-vet',
  'order place --pet 37',
  'pet release 37',
  'order place --pet 37 --quantity 2 --ship-date 2026-12-24T10:00:00Z --json',
  'order place --pet 37 --quantity 2',
  'order edit 16 --quantity 1',
  'order complete 16 1',
  'order complete 16 --key once-only --note sold',
  'order complete 16 --key once-only --note sold',
  'order reopen 16',
  'order cancel 16 --dry-run',
  'order cancel 16',
  'order view 16',
  'order list --open --format count',
  'inventory set 37 7 --expect 3',
  'inventory set 37 9 --expect 3',
  'inventory set 37 7',
  'inventory set 37 -1',
  'sell 999',
  'inventory adjust 37 -2 --json',
  'inventory adjust 37 -99',
  'inventory low-at 37 6',
  'inventory low-at 37 6',
  'inventory low-at --default 1',
  'inventory low-at --default 1',
  'inventory list --low',
  'inventory import counts.csv --dry-run --json',
  'inventory import counts.csv',
  'inventory import mixed.csv',
  'inventory import mixed.csv --keep-going --rejects rejects.csv --format ndjson',
  'inventory import delivery.csv',
  'inventory import delivery.csv',
  'inventory import typing.csv',
  'inventory diff counts.csv',
  'inventory undo 1',
  'inventory undo 1',
  'inventory undo --entry 90',
  'inventory batch list --format csv',
  'inventory batch view 3 --json',
  'pet import more.csv',
  'pet import more.csv --create-categories',
  'category edit Snails --description Slow',
  'category delete Dogs --yes',
  'category delete Snails --move-to Dogs --yes',
  'pet delete 2 3 --yes',
  'report stock --format csv',
  'report movements --format json',
  'inventory export',
  'count start --category Fish --note shelf',
  'count start goldfish',
  'count add goldfish 30 --key shelf:1',
  'count add goldfish 30 --key shelf:1 --fields petId,number,countedSoFar',
  'count add 17 +2',
  'count add 1 4',
  'count add guppy 1',
  'count undo --dry-run',
  'count undo',
  'count add guppy 1',
  'sell goldfish',
  'count status --json',
  'count view --state counted --json',
  'count diff',
  'count diff --missing zero --format csv',
  'count close',
  'count close --json',
  'count close --allow-shortage --json',
  'count close --keep-going --missing zero',
  'count list --json',
  'count cancel --yes',
  'log --pet 37 --json',
  'log --kind sale --format count',
  'pet list --format ids --status sold',
  'order list --complete --json id,state,pet',
  'pet view 4711',
  'pet wiev 1',
];

/** The output without store addresses, times and digests. */
function settled(text: string, where: string): string {
  return text
    .replaceAll(where, '<store>')
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g, '<time>')
    .replaceAll(/\bon \d{4}-\d{2}-\d{2} (at )?\d{2}:\d{2}\b/g, 'on <time>')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<digest>');
}

async function walk(store: string, where: string): Promise<readonly string[]> {
  const seen: string[] = [];
  rmSync(join(folder, 'rejects.csv'), { force: true });
  for (const line of commandLines) {
    const { exitCode, stdout, stderr } = await runHosted(store, line.split(' '), {}, folder);
    seen.push(settled(`$ petstore ${line}\n${stdout}${stderr}exit ${exitCode}\n`, where));
  }
  return seen;
}

const outputs: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  'a file': async () => {
    const store = join(folder, 'file.db');
    await prepare(store, ['init', '--sample']);
    return walk(store, store);
  },
  'a server': async () => {
    const store = join(folder, 'served.db');
    await prepare(store, ['init', '--sample']);
    const { address } = await startServer(store);
    return walk(address, address);
  },
  PostgreSQL: async () => {
    const { address, drop } = await freshDatabase(true);
    try {
      await prepare(address, ['init', '--sample']);
      return await walk(address, shown(address));
    } finally {
      await drop();
    }
  },
  'a pooler': async () => {
    const { address, drop } = await freshDatabase(true);
    const { pooled, close } = await startPgBouncer(address, 2);
    try {
      await prepare(pooled, ['init', '--sample']);
      return await walk(pooled, shown(pooled));
    } finally {
      await close();
      await drop();
    }
  },
};

test(`${commandLines.length} commands print the same output and exit codes on SQLite, on PostgreSQL behind a pooler and through a server`, async () => {
  const file = await outputs['a file']?.();
  expect(file?.filter((step) => /internal_error|Something went wrong/.test(step))).toEqual([]);
  expect(await outputs['a server']?.()).toEqual(file);
  if (addressOf('') === undefined) return;
  if (!hasPgBouncer) console.warn('PgBouncer is not installed; the commands run in PostgreSQL without it.');
  // The database behind the pooler is the same one.
  if (runsAllStores || !hasPgBouncer) expect(await outputs['PostgreSQL']?.()).toEqual(file);
  if (hasPgBouncer) expect(await outputs['a pooler']?.()).toEqual(file);
}, 240_000);
