import Database from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { migrations, schemaVersion } from '../../src/storage/migrations/migrations.js';

const petsInAscii = 0x50455453;

/** Creates a shop file and fills it with SQL statements. */
export function createRawStore(path: string, rows = ''): void {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  for (const migration of migrations) for (const step of migration.sqlite) database.exec(step);
  database.pragma(`user_version = ${schemaVersion()}`);
  database.pragma(`application_id = ${petsInAscii}`);
  database.exec(rows);
  database.close();
}

/** Statements that fill the tables of a shop. */
export const rawRows = `
    INSERT INTO categories (name, folded) VALUES ('Dogs', 'dogs');
    INSERT INTO pets (name, folded, category_id) VALUES ('Rex', 'rex', 1);
    INSERT INTO stock (pet_id, quantity) VALUES (1, 5);
    INSERT INTO orders (pet_id, quantity, state) VALUES (1, 2, 'open');
    INSERT INTO ledger (kind, pet_id, delta, quantity_after, at, actor, source) VALUES ('opening', 1, 5, 5, 0, 'ana', 'cli');
    INSERT INTO ledger (kind, pet_id, order_id, at, actor, source) VALUES ('order.placed', 1, 1, 0, 'ana', 'cli');
  `;

/** Changes a file as another program could. */
export function changeFile(path: string, ...statements: readonly string[]): void {
  const database = new Database(path);
  for (const statement of statements) database.exec(statement);
  database.close();
}

/** Overwrites a part of the root page of a table or an index. */
export function damagePage(path: string, name: string, damage: (page: Buffer) => void): void {
  const database = new Database(path);
  const page = Number(database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name));
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  const bytes = readFileSync(path);
  damage(bytes.subarray((page - 1) * 4096, page * 4096));
  writeFileSync(path, bytes);
}

/** Changes the schema of a file, as another program could. */
export function changeSchema(path: string, statement: string): void {
  const database = new Database(path);
  database.unsafeMode(true);
  database.pragma('writable_schema = ON');
  database.exec(statement);
  database.close();
}
