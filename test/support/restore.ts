import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { runAll, type CliFixture } from './cli.js';

export const keptShops = ({ store }: CliFixture): readonly string[] =>
  readdirSync(dirname(store)).filter((name) => /^shop\.db\.before-restore-[\dTZ-]+$/.test(name));
export const leftovers = ({ store }: CliFixture): readonly string[] => readdirSync(dirname(store)).filter((name) => name.startsWith('.petstore-'));

/** The tables of a shop without the ledger entry of a restore. */
export function withoutRestoreEntry(tables: Readonly<Record<string, readonly unknown[]>>): Readonly<Record<string, readonly unknown[]>> {
  return { ...tables, ledger: (tables['ledger'] ?? []).filter((row) => (row as { readonly kind: string }).kind !== 'shop.restored') };
}

/** A shop that was changed after a backup. */
export async function changeAfterBackup(cli: CliFixture): Promise<void> {
  await runAll(cli, [`backup ${cli.path('b.db')}`, 'pet create --name Nemo --category Fish', 'inventory set 4 12', 'order complete 1']);
}

export const question = ({ store, path }: CliFixture, present: string): string =>
  `Replace the shop at ${store} (${present}) with the backup ${path('b.db')} (5 pets, newest ledger entry 17 of 2026-11-20 07:00 UTC)?`;
