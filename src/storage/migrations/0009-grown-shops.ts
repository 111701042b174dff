import type { Migration } from './migration.js';

const shipDate = 'coalesce(ship_date, 9000000000000000)';
// In the order in which SQLite compares them: another one does not match the index.
const isLow = 'low_at >= quantity - reserved';
const low = `CASE WHEN ${isLow} THEN 1 ELSE 0 END`;
// 0: no units and no orders; 1: every unit is reserved; 2: more are reserved than on hand.
const shortage = 'CASE WHEN quantity < reserved THEN 2 WHEN reserved > 0 THEN 1 ELSE 0 END';
const isReserving = (row: string): string => `${row}.state = 'open' AND ${row}.pet_id IS NOT NULL`;

/** The condition for entries outside the movements of an import, which are found through their batch: an index on those would slow down imports. */
const isListed = 'actor IS NOT NULL OR delta IS NULL';

const indexes = [
  'CREATE INDEX pets_by_category_and_name ON pets (category_id, folded, id) WHERE archived = 0',
  // With the column that every row has in common: SQLite prefers the primary key to an index of the id alone.
  'DROP INDEX pets_on_hold',
  'CREATE INDEX pets_on_hold ON pets (hold, id) WHERE hold = 1 AND archived = 0',
  'DROP INDEX orders_by_ship_date',
  'CREATE INDEX ledger_by_actor ON ledger (actor, kind, id) WHERE actor IS NOT NULL',
  `CREATE INDEX ledger_by_kind ON ledger (kind, id) WHERE ${isListed}`,
  'CREATE INDEX ledger_undos_by_batch ON ledger (batch_id, id) WHERE actor IS NOT NULL AND batch_id IS NOT NULL',
];

const fillReserved = `UPDATE stock SET reserved = (SELECT sum(o.quantity) FROM orders o WHERE o.pet_id = stock.pet_id AND o.state = 'open')
  WHERE pet_id IN (SELECT pet_id FROM orders WHERE state = 'open')`;

/**
 * Indexes for lists of large shops, and the reserved units of each pet beside its stock: an index cannot compare the stock
 * with a sum of orders, and a sum takes longer with every open order of a pet. Triggers derive `reserved` from the orders.
 */
export const grownShops = {
  version: 9,
  columns: { stock: { reserved: 'number' } },
  sqlite: [
    ...indexes,
    `CREATE INDEX orders_by_state_and_date ON orders (state, ${shipDate}, id) WHERE state <> 'cancelled'`,
    'ALTER TABLE stock ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0)',
    fillReserved,
    'DROP VIEW stock_at_level',
    'DROP VIEW stock_sold_out',
    'DROP INDEX stock_low',
    'DROP INDEX stock_out',
    `CREATE INDEX stock_low ON stock (${low}, pet_id) WHERE ${isLow}`,
    `CREATE INDEX stock_unavailable ON stock (${shortage}, pet_id) WHERE quantity <= reserved`,
    `CREATE VIEW stock_at_level AS SELECT pet_id, ${low} AS low FROM stock WHERE ${isLow}`,
    `CREATE VIEW stock_without_units AS SELECT pet_id, ${shortage} AS shortage FROM stock WHERE quantity <= reserved`,
    `CREATE TRIGGER orders_reserve AFTER INSERT ON orders WHEN ${isReserving('new')}
      BEGIN UPDATE stock SET reserved = reserved + new.quantity WHERE pet_id = new.pet_id; END`,
    `CREATE TRIGGER orders_release AFTER UPDATE OF state, pet_id, quantity ON orders WHEN ${isReserving('old')}
      BEGIN UPDATE stock SET reserved = reserved - old.quantity WHERE pet_id = old.pet_id; END`,
    `CREATE TRIGGER orders_reserve_again AFTER UPDATE OF state, pet_id, quantity ON orders WHEN ${isReserving('new')}
      BEGIN UPDATE stock SET reserved = reserved + new.quantity WHERE pet_id = new.pet_id; END`,
  ],
  postgres: [
    ...indexes,
    `CREATE INDEX orders_by_state_and_date ON orders (state, (${shipDate}), id) WHERE state <> 'cancelled'`,
    'DROP VIEW stock_at_level',
    'DROP VIEW stock_sold_out',
    'ALTER TABLE stock DROP COLUMN at_level, DROP COLUMN sold_out, ADD COLUMN reserved BIGINT NOT NULL DEFAULT 0 CHECK (reserved >= 0)',
    // Both columns in one statement: the table is rewritten once.
    `ALTER TABLE stock
      ADD COLUMN at_level SMALLINT GENERATED ALWAYS AS (${low}) STORED,
      ADD COLUMN shortage SMALLINT GENERATED ALWAYS AS (CASE WHEN quantity <= reserved THEN ${shortage} END) STORED`,
    fillReserved,
    'CREATE INDEX stock_low ON stock (pet_id) WHERE at_level = 1',
    'CREATE INDEX stock_unavailable ON stock (shortage, pet_id) WHERE shortage IS NOT NULL',
    'CREATE VIEW stock_at_level AS SELECT pet_id, at_level AS low FROM stock WHERE at_level = 1',
    'CREATE VIEW stock_without_units AS SELECT pet_id, shortage FROM stock WHERE shortage IS NOT NULL',
    `CREATE FUNCTION orders_reserve() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN IF ${isReserving('OLD')} THEN
          UPDATE stock SET reserved = reserved - OLD.quantity WHERE pet_id = OLD.pet_id;
        END IF; END IF;
        IF ${isReserving('NEW')} THEN
          UPDATE stock SET reserved = reserved + NEW.quantity WHERE pet_id = NEW.pet_id;
        END IF;
        RETURN NULL;
      END $$`,
    'CREATE TRIGGER orders_reserve AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION orders_reserve()',
    'CREATE TRIGGER orders_reserve_again AFTER UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION orders_reserve()',
  ],
} satisfies Migration;
