import type { Migration } from './migration.js';
import { postgresTriggers, sqliteTriggers } from './0001-shop-triggers.js';
import { createTable, forSqlite, indexes, sharedTables, shopColumns } from './0001-shop-tables.js';

// In the order in which SQLite compares them: another one does not match the index.
const isLow = 'low_at >= quantity - reserved';
const low = `CASE WHEN ${isLow} THEN 1 ELSE 0 END`;
// 0: no units and no orders; 1: every unit is reserved; 2: more are reserved than on hand.
const shortage = 'CASE WHEN quantity < reserved THEN 2 WHEN reserved > 0 THEN 1 ELSE 0 END';

// With an index on `quantity`, PostgreSQL updates every index of a row whenever the quantity changes. Generated columns rarely
// change, so updates stay on the page (HOT), which needs free space on each page. In SQLite they would only cost time.
const generatedColumns = [
  `at_level SMALLINT GENERATED ALWAYS AS (${low}) STORED`,
  `shortage SMALLINT GENERATED ALWAYS AS (CASE WHEN quantity <= reserved THEN ${shortage} END) STORED`,
];

/** The references that triggers check on PostgreSQL. */
const sqliteReferences: Readonly<Record<string, readonly string[]>> = {
  pets: ['FOREIGN KEY (category_id) REFERENCES categories (id)'],
  stock: ['FOREIGN KEY (pet_id) REFERENCES pets (id)'],
};

const postgresTables = sharedTables.map((table) => (table === 'stock' ? createTable(table, generatedColumns, ' WITH (fillfactor = 45)') : createTable(table)));

/**
 * Begins a write of PostgreSQL in the present transaction: waits for its turn, stores the token of its commit, and returns the schema
 * version, the time of the newest ledger entry (0 without entries) and the highest ids. A function, because its statements are planned
 * once for each connection. Each of them sees what was committed before it: the last one, all that earlier writes have done.
 */
const beginWrite = `CREATE FUNCTION begin_write(commit_token TEXT, longest_wait TEXT)
      RETURNS TABLE (version INTEGER, at BIGINT, ledger BIGINT, orders BIGINT, pets BIGINT) LANGUAGE plpgsql AS $$
      BEGIN
        -- The lock of a stalled or unreachable client is released after 5 s.
        PERFORM set_config('lock_timeout', longest_wait, true), set_config('idle_in_transaction_session_timeout', '5s', true);
        PERFORM 1 FROM shop WHERE id = 1 FOR UPDATE;
        INSERT INTO commits VALUES (commit_token, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT));
        RETURN QUERY SELECT s.schema_version, coalesce(n.at, b.at, 0), coalesce(n.id, 0),
          coalesce((SELECT max(o.id) FROM orders o), 0), coalesce((SELECT max(p.id) FROM pets p), 0)
          FROM shop s LEFT JOIN (SELECT l.id, l.at, l.batch_id FROM ledger l ORDER BY l.id DESC LIMIT 1) n ON TRUE
          LEFT JOIN batches b ON b.id = n.batch_id WHERE s.id = 1;
      END $$`;

/** The schema of a shop. */
export const shop = {
  version: 1,
  columns: shopColumns,
  sqlite: [
    ...sharedTables.map((table) => forSqlite(createTable(table, sqliteReferences[table]))),
    ...indexes,
    `CREATE INDEX stock_low ON stock (${low}, pet_id) WHERE ${isLow}`,
    `CREATE INDEX stock_unavailable ON stock (${shortage}, pet_id) WHERE quantity <= reserved`,
    `CREATE VIEW stock_at_level AS SELECT pet_id, ${low} AS low FROM stock WHERE ${isLow}`,
    `CREATE VIEW stock_without_units AS SELECT pet_id, ${shortage} AS shortage FROM stock WHERE quantity <= reserved`,
    ...sqliteTriggers,
  ],
  postgres: [
    ...postgresTables,
    // Tells whether a transaction with an unknown commit outcome was committed.
    'CREATE TABLE commits (token TEXT PRIMARY KEY, at BIGINT NOT NULL)',
    'CREATE INDEX commits_by_age ON commits (at)',
    ...indexes,
    'CREATE INDEX stock_low ON stock (pet_id) WHERE at_level = 1',
    'CREATE INDEX stock_unavailable ON stock (shortage, pet_id) WHERE shortage IS NOT NULL',
    'CREATE VIEW stock_at_level AS SELECT pet_id, at_level AS low FROM stock WHERE at_level = 1',
    // Without a condition of its own: together with that of a query PostgreSQL would expect too few rows. A comparison implies it.
    'CREATE VIEW stock_without_units AS SELECT pet_id, shortage FROM stock',
    beginWrite,
    ...postgresTriggers,
  ],
} satisfies Migration;
