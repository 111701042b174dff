import Database from 'better-sqlite3';
import { migrations } from '../../src/storage/migrate.js';

const petsInAscii = 0x50455453;

/** A shop as the first schema had it, with some of everything that its rows depend on. */
export function makeFirstShop(path: string): void {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  for (const step of migrations[0]?.sqlite ?? []) database.exec(step);
  database.pragma('user_version = 1');
  database.pragma(`application_id = ${petsInAscii}`);
  database.exec(`
    INSERT INTO categories (name, folded) VALUES ('Dogs', 'dogs');
    INSERT INTO pets (name, folded, category_id) VALUES ('Rex', 'rex', 1);
    INSERT INTO stock (pet_id, quantity) VALUES (1, 5);
    INSERT INTO orders (pet_id, quantity, state) VALUES (1, 2, 'open');
    INSERT INTO ledger (kind, pet_id, delta, quantity_after, at, actor, source) VALUES ('opening', 1, 5, 5, 0, 'ana', 'cli');
    INSERT INTO ledger (kind, pet_id, order_id, at, actor, source) VALUES ('order.placed', 1, 1, 0, 'ana', 'cli');
  `);
  database.close();
}
