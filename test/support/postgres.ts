import pg from 'pg';
import { inject } from 'vitest';
import { parseDatabaseAddress } from '../../src/domain/values/database-address.js';
import { openPostgres, type PostgresOptions } from '../../src/storage/postgres/engine.js';
import type { Engine } from '../../src/storage/engine.js';

/** The database that every shop is copied from. */
export const template = 'petstore_template';

/** The address of a database on the server of this test run; undefined without a server. */
export function addressOf(database: string): string | undefined {
  const address = inject('postgres');
  if (address === '') return undefined;
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}

/** An address without password and parameters, as in messages. */
export function shown(address: string): string {
  return parseDatabaseAddress(address)?.where ?? '';
}

let admin: pg.Pool | undefined;

/** Runs a statement on the server outside of any shop. */
export async function asAdmin(text: string): Promise<readonly Record<string, unknown>[]> {
  admin ??= new pg.Pool({ connectionString: addressOf('postgres'), max: 1, allowExitOnIdle: true });
  return (await admin.query<Record<string, unknown>>(text)).rows;
}

let count = 0;

/** Creates a database with a shop, or an empty one; returns its address and a function that drops it. */
export async function freshDatabase(empty = false): Promise<{ readonly address: string; readonly name: string; readonly drop: () => Promise<void> }> {
  const name = `petstore_${process.pid}_${process.env['VITEST_POOL_ID'] ?? 0}_${(count += 1)}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${empty ? 'template0' : template}`);
  return { name, address: addressOf(name) ?? '', drop: async () => void (await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`)) };
}

/** An unused database, with a connection that clears it. */
interface Idle {
  readonly address: string;
  readonly client: pg.Client;
  readonly drop: () => Promise<void>;
  /** The shop in it, from the first scenario that uses it. */
  engine?: Engine | undefined;
}

const idle: Idle[] = [];

async function made(): Promise<Idle> {
  const { address, drop } = await freshDatabase();
  const client = new pg.Client(address);
  await client.connect();
  return { address, client, drop };
}

/** Deletes every row, with triggers disabled. */
async function clear({ client }: Idle): Promise<void> {
  const { rows } = await client.query<{ readonly name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'shop'");
  await client.query(`SET session_replication_role = replica; ${rows.map(({ name }) => `DELETE FROM ${name};`).join(' ')}`);
}

const othersAtWork = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'";

/** Closes the shop of a scenario that has left work behind, such as a transaction; any other serves the next scenario. */
async function closeIfAtWork(shop: Idle): Promise<void> {
  const { rows } = await shop.client.query(othersAtWork);
  if (rows.length === 0) return;
  await shop.engine?.close();
  shop.engine = undefined;
}

/** A database without rows. */
export interface EmptyShop {
  readonly address: string;
  /** Opens the shop in it, which `giveBack` closes if it has to be. */
  readonly open: () => Promise<Engine>;
  readonly giveBack: () => Promise<void>;
}

/**
 * A shop without rows, for a scenario that changes only rows. The database and its connections are reused, because creating and
 * opening them takes longer than most scenarios.
 */
export async function emptyShop(): Promise<EmptyShop> {
  const shop = idle.pop() ?? (await made());
  return {
    address: shop.address,
    open: async () => (shop.engine ??= await openShop(shop.address)),
    giveBack: async () => {
      await closeIfAtWork(shop);
      await clear(shop);
      idle.push(shop);
    },
  };
}

/** Drops the returned databases. */
export async function dropEmptyShops(): Promise<void> {
  for (const { client, engine, drop } of idle.splice(0)) {
    await engine?.close();
    await client.end();
    await drop();
  }
}

/** Opens a shop in a database. */
export function openShop(address: string, options: Partial<PostgresOptions> = {}): Promise<Engine> {
  return openPostgres(address, { where: shown(address), waitSeconds: 5, ...options });
}
