import Database from 'better-sqlite3';
import { chmodSync } from 'node:fs';
import { expect } from 'vitest';
import { testInShop, type CliFixture } from './cli.js';
import { changeFile } from './raw-store.js';

export interface Check {
  readonly name: string;
  readonly status: string;
  readonly message: string;
}

/** The failed checks of doctor by name, without those that depend on the machine. */
export async function failedChecks(
  { petstore }: CliFixture,
  more = '',
): Promise<{ readonly exitCode: number; readonly found: Readonly<Record<string, string>> }> {
  const { exitCode, stdout } = await petstore(`doctor --json${more}`);
  const { ok, checks } = JSON.parse(stdout) as { readonly ok: boolean; readonly checks: readonly Check[] };
  expect([ok, exitCode]).toEqual(checks.some(({ status }) => status === 'fail') ? [false, 1] : [true, 0]);
  const found = checks.filter(({ name, status }) => status !== 'pass' && !['file system', 'free space', 'owner'].includes(name));
  return { exitCode, found: Object.fromEntries(found.map(({ name, status, message }) => [name, `${status}: ${message}`])) };
}

/** A test in a valid shop that is readable only by its owner. */
export function testInValidShop(name: string, scenario: (cli: CliFixture) => Promise<void>): void {
  testInShop(name, async (cli) => {
    chmodSync(cli.store, 0o600);
    expect(await failedChecks(cli)).toEqual({ exitCode: 0, found: {} });
    await scenario(cli);
  });
}

/** Changes the shop with all constraints and triggers disabled. */
export function runUnchecked({ store }: Pick<CliFixture, 'store'>, ...statements: readonly string[]): void {
  changeFile(store, 'PRAGMA foreign_keys = OFF', ...statements);
}

export const ledgerTriggers = [
  'ledger_keeps_rows',
  'ledger_keeps_values',
  'ledger_keeps_order',
  'batches_keep_order',
  'batches_keep_rows',
  'batches_keep_values',
];
export const withoutTriggers = ledgerTriggers.map((name) => `DROP TRIGGER ${name}`);
export const triggers = /CREATE TRIGGER [^]*?END/g;
export const triggersOf = (cli: CliFixture): readonly string[] => {
  const database = new Database(cli.store, { readonly: true });
  const found = database.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name <> 'orders'").pluck().all();
  database.close();
  return found.flatMap((text) => text.match(triggers) ?? []);
};
