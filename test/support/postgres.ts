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
  return parseDatabaseAddress(address)?.shown ?? '';
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

/** Statements that revert a database to schema 4. */
export const backToSchema4: readonly string[] = [
  'DROP FUNCTION stock_has_pets, pets_have_categories, pets_keep_stock, categories_keep_pets, ids_are_kept CASCADE',
  'ALTER TABLE stock ADD CONSTRAINT stock_pet_id_fkey FOREIGN KEY (pet_id) REFERENCES pets (id)',
  'ALTER TABLE pets ADD CONSTRAINT pets_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories (id)',
  'DROP TABLE counts, count_pets, count_lines',
  'ALTER TABLE staged_pets DROP COLUMN number',
  'DROP TRIGGER orders_reserve ON orders',
  'DROP TRIGGER orders_reserve_again ON orders',
  'DROP FUNCTION orders_reserve',
  'DROP VIEW stock_at_level, stock_without_units',
  'ALTER TABLE stock DROP COLUMN at_level, DROP COLUMN shortage, DROP COLUMN reserved',
  `ALTER TABLE stock ADD COLUMN at_level SMALLINT GENERATED ALWAYS AS (CASE WHEN quantity <= low_at THEN 1 ELSE 0 END) STORED,
    ADD COLUMN sold_out SMALLINT GENERATED ALWAYS AS (CASE WHEN quantity = 0 THEN 1 ELSE 0 END) STORED`,
  'CREATE INDEX stock_low ON stock (pet_id) WHERE at_level = 1',
  'CREATE INDEX stock_out ON stock (pet_id) WHERE sold_out = 1',
  'CREATE VIEW stock_at_level AS SELECT pet_id FROM stock WHERE at_level = 1',
  'CREATE VIEW stock_sold_out AS SELECT pet_id FROM stock WHERE sold_out = 1',
  'DROP INDEX pets_by_category_and_name, pets_on_hold, orders_by_state_and_date, ledger_by_actor, ledger_by_kind, ledger_undos_by_batch',
  'CREATE INDEX pets_on_hold ON pets (id) WHERE hold = 1 AND archived = 0',
  "CREATE INDEX orders_by_ship_date ON orders ((coalesce(ship_date, 9000000000000000)), id) WHERE state <> 'cancelled'",
  'DROP TABLE sessions',
  'DROP TRIGGER ledger_keeps_order ON ledger',
  'DROP TRIGGER ledger_keeps_table ON ledger',
  'DROP TRIGGER batches_keep_rows ON batches',
  'DROP TRIGGER batches_keep_table ON batches',
  'DROP TRIGGER batches_keep_values ON batches',
  'DROP FUNCTION ledger_keeps_order, batches_keep',
  'ALTER TABLE ledger DROP COLUMN change_id, DROP COLUMN previous, DROP COLUMN count_id',
  'ALTER TABLE batches DROP COLUMN sender, DROP COLUMN file_name, DROP COLUMN count_id',
  'ALTER TABLE replays DROP CONSTRAINT replays_pkey, DROP COLUMN sender, ADD PRIMARY KEY (key)',
  'UPDATE shop SET schema_version = 4, steps = 0',
];
