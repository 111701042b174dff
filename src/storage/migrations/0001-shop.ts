import type { Migration } from './migration.js';
import { shopColumns } from './0001-shop-columns.js';

const maximumId = '9007199254740991';
const maximumQuantity = '2147483647';

/** The first schema: categories, pets, stock, orders, batches, the ledger and the replays of keyed requests. */
export const shop = {
  version: 1,
  columns: shopColumns,
  sqlite: [
    `CREATE TABLE categories (
      id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND ${maximumId}),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      folded TEXT NOT NULL,
      description TEXT,
      archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1))
    ) STRICT`,
    'CREATE INDEX categories_by_name ON categories (folded, id) WHERE archived = 0',
    `CREATE TABLE pets (
      id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND ${maximumId}),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      folded TEXT NOT NULL,
      category_id INTEGER NOT NULL REFERENCES categories (id),
      hold INTEGER NOT NULL DEFAULT 0 CHECK (hold IN (0, 1)),
      archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1))
    ) STRICT`,
    'CREATE INDEX pets_by_name ON pets (folded, id) WHERE archived = 0',
    'CREATE INDEX pets_by_category ON pets (category_id, id) WHERE archived = 0',
    'CREATE INDEX pets_on_hold ON pets (id) WHERE hold = 1 AND archived = 0',
    // One row for each live pet, in a narrow table: a bulk update writes only these few bytes of each pet.
    `CREATE TABLE stock (
      pet_id INTEGER PRIMARY KEY REFERENCES pets (id),
      quantity INTEGER NOT NULL CHECK (quantity BETWEEN 0 AND ${maximumQuantity}),
      low_at INTEGER CHECK (low_at BETWEEN 0 AND ${maximumQuantity}),
      low_own INTEGER NOT NULL DEFAULT 0 CHECK (low_own IN (0, 1))
    ) STRICT`,
    'CREATE INDEX stock_low ON stock (pet_id) WHERE quantity <= low_at',
    'CREATE INDEX stock_out ON stock (pet_id) WHERE quantity = 0',
    'CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT',
    `CREATE TABLE orders (
      id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND ${maximumId}),
      pet_id INTEGER REFERENCES pets (id),
      quantity INTEGER CHECK (quantity BETWEEN 1 AND ${maximumQuantity}),
      ship_date INTEGER,
      state TEXT NOT NULL CHECK (state IN ('open', 'complete', 'cancelled')),
      CHECK (pet_id IS NULL OR quantity IS NOT NULL)
    ) STRICT`,
    "CREATE INDEX orders_open ON orders (pet_id, id, quantity) WHERE state = 'open'",
    "CREATE INDEX orders_by_pet ON orders (pet_id, id) WHERE state <> 'cancelled'",
    "CREATE INDEX orders_by_ship_date ON orders (coalesce(ship_date, 9000000000000000), id) WHERE state <> 'cancelled'",
    "CREATE INDEX orders_by_state ON orders (state, id) WHERE state <> 'cancelled'",
    `CREATE TABLE batches (
      id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND ${maximumId}),
      kind TEXT NOT NULL CHECK (kind IN ('stock', 'pets')),
      state TEXT NOT NULL CHECK (state IN ('applied', 'partial', 'refused', 'undone')),
      key TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      actor TEXT NOT NULL,
      source TEXT NOT NULL,
      at INTEGER NOT NULL,
      mode TEXT NOT NULL CHECK (mode IN ('atomic', 'keep-going')),
      note TEXT,
      total INTEGER NOT NULL,
      applied INTEGER NOT NULL,
      unchanged INTEGER NOT NULL,
      rejected INTEGER NOT NULL,
      refused_rows TEXT NOT NULL DEFAULT '',
      first_entry INTEGER NOT NULL
    ) STRICT`,
    "CREATE INDEX batches_by_key ON batches (key, id) WHERE state <> 'refused'",
    `CREATE TABLE batch_errors (
      batch_id INTEGER NOT NULL REFERENCES batches (id),
      line INTEGER NOT NULL,
      pet_id INTEGER,
      "column" TEXT,
      value TEXT,
      code TEXT NOT NULL,
      message TEXT NOT NULL
    ) STRICT`,
    'CREATE INDEX batch_errors_by_batch ON batch_errors (batch_id, line)',
    // An entry of a batch takes time, actor and source from the batch. No foreign keys: entries stay when their subject
    // is deleted. Few checks, the cheap condition first: a bulk update evaluates each a million times.
    `CREATE TABLE ledger (
      id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND ${maximumId}),
      kind TEXT NOT NULL,
      pet_id INTEGER,
      order_id INTEGER,
      category_id INTEGER,
      delta INTEGER,
      quantity_after INTEGER,
      batch_id INTEGER,
      line INTEGER,
      at INTEGER,
      actor TEXT,
      source TEXT,
      reverses INTEGER,
      shortage INTEGER,
      note TEXT,
      CHECK (batch_id IS NOT NULL OR (at IS NOT NULL AND actor IS NOT NULL AND source IS NOT NULL AND source IN ('cli', 'http', 'import'))),
      CHECK (CASE WHEN delta IS NULL THEN quantity_after IS NULL ELSE coalesce(quantity_after, -1) BETWEEN 0 AND ${maximumQuantity} END)
    ) STRICT`,
    'CREATE INDEX ledger_by_pet ON ledger (pet_id, id) WHERE pet_id IS NOT NULL',
    'CREATE INDEX ledger_by_order ON ledger (order_id, id) WHERE order_id IS NOT NULL',
    'CREATE INDEX ledger_by_category ON ledger (category_id, id) WHERE category_id IS NOT NULL',
    'CREATE UNIQUE INDEX ledger_reversed_once ON ledger (reverses) WHERE reverses IS NOT NULL',
    `CREATE TRIGGER ledger_keeps_rows BEFORE DELETE ON ledger
      BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END`,
    `CREATE TRIGGER ledger_keeps_values BEFORE UPDATE ON ledger
      BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END`,
    `CREATE TABLE replays (
      key TEXT PRIMARY KEY,
      digest TEXT NOT NULL,
      answer TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT`,
    'CREATE INDEX replays_by_age ON replays (at)',
  ],
  postgres: [
    `CREATE TABLE categories (
      id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND ${maximumId}),
      name TEXT COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      folded TEXT COLLATE "C" NOT NULL,
      description TEXT COLLATE "C",
      archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1))
    )`,
    'CREATE INDEX categories_by_name ON categories (folded, id) WHERE archived = 0',
    `CREATE TABLE pets (
      id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND ${maximumId}),
      name TEXT COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      folded TEXT COLLATE "C" NOT NULL,
      category_id BIGINT NOT NULL REFERENCES categories (id),
      hold INTEGER NOT NULL DEFAULT 0 CHECK (hold IN (0, 1)),
      archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1))
    )`,
    'CREATE INDEX pets_by_name ON pets (folded, id) WHERE archived = 0',
    'CREATE INDEX pets_by_category ON pets (category_id, id) WHERE archived = 0',
    'CREATE INDEX pets_on_hold ON pets (id) WHERE hold = 1 AND archived = 0',
    `CREATE TABLE stock (
      pet_id BIGINT PRIMARY KEY REFERENCES pets (id),
      quantity BIGINT NOT NULL CHECK (quantity BETWEEN 0 AND ${maximumQuantity}),
      low_at BIGINT CHECK (low_at BETWEEN 0 AND ${maximumQuantity}),
      low_own INTEGER NOT NULL DEFAULT 0 CHECK (low_own IN (0, 1))
    )`,
    'CREATE INDEX stock_low ON stock (pet_id) WHERE quantity <= low_at',
    'CREATE INDEX stock_out ON stock (pet_id) WHERE quantity = 0',
    'CREATE TABLE settings (name TEXT COLLATE "C" PRIMARY KEY, value TEXT COLLATE "C" NOT NULL)',
    `CREATE TABLE orders (
      id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND ${maximumId}),
      pet_id BIGINT REFERENCES pets (id),
      quantity BIGINT CHECK (quantity BETWEEN 1 AND ${maximumQuantity}),
      ship_date BIGINT,
      state TEXT COLLATE "C" NOT NULL CHECK (state IN ('open', 'complete', 'cancelled')),
      CHECK (pet_id IS NULL OR quantity IS NOT NULL)
    )`,
    "CREATE INDEX orders_open ON orders (pet_id, id, quantity) WHERE state = 'open'",
    "CREATE INDEX orders_by_pet ON orders (pet_id, id) WHERE state <> 'cancelled'",
    "CREATE INDEX orders_by_ship_date ON orders ((coalesce(ship_date, 9000000000000000)), id) WHERE state <> 'cancelled'",
    "CREATE INDEX orders_by_state ON orders (state, id) WHERE state <> 'cancelled'",
    `CREATE TABLE batches (
      id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND ${maximumId}),
      kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('stock', 'pets')),
      state TEXT COLLATE "C" NOT NULL CHECK (state IN ('applied', 'partial', 'refused', 'undone')),
      key TEXT COLLATE "C" NOT NULL,
      sha256 TEXT COLLATE "C" NOT NULL,
      actor TEXT COLLATE "C" NOT NULL,
      source TEXT COLLATE "C" NOT NULL,
      at BIGINT NOT NULL,
      mode TEXT COLLATE "C" NOT NULL CHECK (mode IN ('atomic', 'keep-going')),
      note TEXT COLLATE "C",
      total BIGINT NOT NULL,
      applied BIGINT NOT NULL,
      unchanged BIGINT NOT NULL,
      rejected BIGINT NOT NULL,
      refused_rows TEXT COLLATE "C" NOT NULL DEFAULT '',
      first_entry BIGINT NOT NULL
    )`,
    "CREATE INDEX batches_by_key ON batches (key, id) WHERE state <> 'refused'",
    `CREATE TABLE batch_errors (
      batch_id BIGINT NOT NULL REFERENCES batches (id),
      line BIGINT NOT NULL,
      pet_id BIGINT,
      "column" TEXT COLLATE "C",
      value TEXT COLLATE "C",
      code TEXT COLLATE "C" NOT NULL,
      message TEXT COLLATE "C" NOT NULL
    )`,
    'CREATE INDEX batch_errors_by_batch ON batch_errors (batch_id, line)',
    `CREATE TABLE ledger (
      id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND ${maximumId}),
      kind TEXT COLLATE "C" NOT NULL,
      pet_id BIGINT,
      order_id BIGINT,
      category_id BIGINT,
      delta BIGINT,
      quantity_after BIGINT,
      batch_id BIGINT,
      line BIGINT,
      at BIGINT,
      actor TEXT COLLATE "C",
      source TEXT COLLATE "C",
      reverses BIGINT,
      shortage INTEGER,
      note TEXT COLLATE "C",
      CHECK (batch_id IS NOT NULL OR (at IS NOT NULL AND actor IS NOT NULL AND source IS NOT NULL AND source IN ('cli', 'http', 'import'))),
      CHECK (CASE WHEN delta IS NULL THEN quantity_after IS NULL ELSE coalesce(quantity_after, -1) BETWEEN 0 AND ${maximumQuantity} END)
    )`,
    'CREATE INDEX ledger_by_pet ON ledger (pet_id, id) WHERE pet_id IS NOT NULL',
    'CREATE INDEX ledger_by_order ON ledger (order_id, id) WHERE order_id IS NOT NULL',
    'CREATE INDEX ledger_by_category ON ledger (category_id, id) WHERE category_id IS NOT NULL',
    'CREATE UNIQUE INDEX ledger_reversed_once ON ledger (reverses) WHERE reverses IS NOT NULL',
    `CREATE FUNCTION ledger_keeps() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$`,
    'CREATE TRIGGER ledger_keeps_rows BEFORE DELETE ON ledger FOR EACH ROW EXECUTE FUNCTION ledger_keeps()',
    'CREATE TRIGGER ledger_keeps_values BEFORE UPDATE ON ledger FOR EACH ROW EXECUTE FUNCTION ledger_keeps()',
    `CREATE TABLE replays (
      key TEXT COLLATE "C" PRIMARY KEY,
      digest TEXT COLLATE "C" NOT NULL,
      answer TEXT COLLATE "C" NOT NULL,
      at BIGINT NOT NULL
    )`,
    'CREATE INDEX replays_by_age ON replays (at)',
    // Tells whether a transaction with an unknown commit outcome was committed.
    'CREATE TABLE commits (token TEXT PRIMARY KEY, at BIGINT NOT NULL)',
    'CREATE INDEX commits_by_age ON commits (at)',
    // Staged rows of imports, many in the arrays of one row: they are written, read and deleted as a whole.
    `CREATE TABLE staged_moves (
      run TEXT COLLATE "C" NOT NULL,
      chunk BIGINT NOT NULL,
      first BIGINT NOT NULL,
      pet_ids BIGINT[] NOT NULL,
      befores BIGINT[] NOT NULL,
      afters BIGINT[] NOT NULL,
      origins BIGINT[] NOT NULL,
      lasts INTEGER[],
      shortages INTEGER[],
      kinds TEXT[],
      notes TEXT[],
      PRIMARY KEY (run, chunk)
    )`,
    `CREATE TABLE staged_pets (
      run TEXT COLLATE "C" NOT NULL,
      place BIGINT NOT NULL,
      line BIGINT NOT NULL,
      name TEXT NOT NULL,
      folded TEXT NOT NULL,
      category TEXT COLLATE "C" NOT NULL,
      hold INTEGER NOT NULL,
      opening BIGINT NOT NULL,
      PRIMARY KEY (run, place)
    )`,
  ],
} satisfies Migration;
