import type { Migration } from './migration.js';
import { asRecorded, recordedBatchColumns } from './0005-senders-and-guards.js';

const recorded = [...recordedBatchColumns, 'file_name', 'count_id'];

/** A row for each pet has what its lines come to, so that a line changes one row and nothing reads the whole count. A pet is in one open count at most. */
const indexes = [
  'CREATE UNIQUE INDEX count_pets_open ON count_pets (pet_id) WHERE open = 1',
  'CREATE INDEX count_pets_by_time ON count_pets (pet_id, counted_at) WHERE counted_at IS NOT NULL',
  'CREATE INDEX count_lines_by_count ON count_lines (count_id, id)',
  'CREATE INDEX count_lines_by_actor ON count_lines (count_id, actor, id)',
  'CREATE INDEX count_lines_by_pet ON count_lines (count_id, pet_id, id)',
  'CREATE UNIQUE INDEX count_lines_by_key ON count_lines (count_id, key) WHERE key IS NOT NULL',
  'CREATE INDEX counts_by_state ON counts (state, id)',
];

const unitsOfOrders = "(SELECT coalesce(sum(o.quantity), 0) FROM orders o WHERE o.pet_id = stock.pet_id AND o.state = 'open')";

/**
 * Since this version the reserved units decide what can be sold; before, only lists were filtered by them. PostgreSQL commits each
 * statement of version 9: a server of an older version may have changed orders between the sums and the triggers.
 */
const correctReserved = `UPDATE stock SET reserved = ${unitsOfOrders} WHERE reserved <> ${unitsOfOrders}`;

/**
 * Counts of the stock by several people. A line names the newest ledger entry at its time (`after_entry`), which tells
 * what was on hand. The batch that a close made, and the entries about a count, name the count. To the tables a batch of a
 * count is one of kind `stock`: its entries are those of an import of counted quantities.
 */
export const counts = {
  version: 12,
  columns: {
    counts: {
      id: 'number',
      state: 'text',
      blind: 'number',
      note: 'text',
      started_by: 'text',
      started_at: 'number',
      ended_by: 'text',
      ended_at: 'number',
      pets: 'number',
      counted: 'number',
      differing: 'number',
      batch_id: 'number',
    },
    count_pets: {
      count_id: 'number',
      pet_id: 'number',
      open: 'number',
      counted: 'number',
      expected: 'number',
      counted_by: 'text',
      counted_at: 'number',
      lines: 'number',
      refused: 'text',
    },
    count_lines: {
      id: 'number',
      count_id: 'number',
      pet_id: 'number',
      number: 'number',
      adds: 'number',
      actor: 'text',
      at: 'number',
      on_hand: 'number',
      after_entry: 'number',
      key: 'text',
      undone: 'number',
    },
    batches: { count_id: 'number' },
    ledger: { count_id: 'number' },
  },
  sqlite: [
    `CREATE TABLE counts (
      id INTEGER PRIMARY KEY CHECK (id >= 1),
      state TEXT NOT NULL CHECK (state IN ('open', 'closed', 'cancelled')),
      blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
      note TEXT,
      started_by TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      ended_by TEXT,
      ended_at INTEGER,
      pets INTEGER NOT NULL CHECK (pets >= 0),
      counted INTEGER NOT NULL CHECK (counted BETWEEN 0 AND pets),
      differing INTEGER NOT NULL CHECK (differing BETWEEN 0 AND counted),
      batch_id INTEGER,
      CHECK ((state = 'open') = (ended_at IS NULL) AND (state = 'closed') = (batch_id IS NOT NULL))
    ) STRICT`,
    `CREATE TABLE count_pets (
      count_id INTEGER NOT NULL,
      pet_id INTEGER NOT NULL,
      open INTEGER NOT NULL CHECK (open IN (0, 1)),
      counted INTEGER CHECK (counted >= 0),
      expected INTEGER CHECK ((expected IS NULL) = (counted IS NULL)),
      counted_by TEXT,
      counted_at INTEGER,
      lines INTEGER NOT NULL CHECK (lines >= 0),
      refused TEXT,
      PRIMARY KEY (count_id, pet_id)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE count_lines (
      id INTEGER PRIMARY KEY CHECK (id >= 1),
      count_id INTEGER NOT NULL,
      pet_id INTEGER NOT NULL,
      number INTEGER NOT NULL CHECK (number >= 0),
      adds INTEGER NOT NULL CHECK (adds IN (0, 1)),
      actor TEXT NOT NULL,
      at INTEGER NOT NULL,
      on_hand INTEGER NOT NULL,
      after_entry INTEGER NOT NULL,
      key TEXT,
      undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1))
    ) STRICT`,
    ...indexes,
    'ALTER TABLE ledger ADD COLUMN count_id INTEGER',
    'ALTER TABLE batches ADD COLUMN count_id INTEGER',
    'CREATE UNIQUE INDEX batches_by_count ON batches (count_id) WHERE count_id IS NOT NULL',
    'DROP TRIGGER batches_keep_values',
    `CREATE TRIGGER batches_keep_values BEFORE UPDATE ON batches
      WHEN OLD.state NOT IN ('applied', 'partial') OR NEW.state <> 'undone' OR ${recorded.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(' OR ')}
      BEGIN SELECT RAISE(ABORT, '${asRecorded}'); END`,
    correctReserved,
  ],
  postgres: [
    `CREATE TABLE counts (
      id BIGINT PRIMARY KEY CHECK (id >= 1),
      state TEXT COLLATE "C" NOT NULL CHECK (state IN ('open', 'closed', 'cancelled')),
      blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
      note TEXT COLLATE "C",
      started_by TEXT COLLATE "C" NOT NULL,
      started_at BIGINT NOT NULL,
      ended_by TEXT COLLATE "C",
      ended_at BIGINT,
      pets BIGINT NOT NULL CHECK (pets >= 0),
      counted BIGINT NOT NULL CHECK (counted BETWEEN 0 AND pets),
      differing BIGINT NOT NULL CHECK (differing BETWEEN 0 AND counted),
      batch_id BIGINT,
      CHECK ((state = 'open') = (ended_at IS NULL) AND (state = 'closed') = (batch_id IS NOT NULL))
    )`,
    `CREATE TABLE count_pets (
      count_id BIGINT NOT NULL,
      pet_id BIGINT NOT NULL,
      open INTEGER NOT NULL CHECK (open IN (0, 1)),
      counted BIGINT CHECK (counted >= 0),
      expected BIGINT CHECK ((expected IS NULL) = (counted IS NULL)),
      counted_by TEXT COLLATE "C",
      counted_at BIGINT,
      lines BIGINT NOT NULL CHECK (lines >= 0),
      refused TEXT COLLATE "C",
      PRIMARY KEY (count_id, pet_id)
    )`,
    `CREATE TABLE count_lines (
      id BIGINT PRIMARY KEY CHECK (id >= 1),
      count_id BIGINT NOT NULL,
      pet_id BIGINT NOT NULL,
      number BIGINT NOT NULL CHECK (number >= 0),
      adds INTEGER NOT NULL CHECK (adds IN (0, 1)),
      actor TEXT COLLATE "C" NOT NULL,
      at BIGINT NOT NULL,
      on_hand BIGINT NOT NULL,
      after_entry BIGINT NOT NULL,
      key TEXT COLLATE "C",
      undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1))
    )`,
    ...indexes,
    'ALTER TABLE ledger ADD COLUMN count_id BIGINT',
    'ALTER TABLE batches ADD COLUMN count_id BIGINT',
    'CREATE UNIQUE INDEX batches_by_count ON batches (count_id) WHERE count_id IS NOT NULL',
    'DROP TRIGGER batches_keep_values ON batches',
    `CREATE TRIGGER batches_keep_values BEFORE UPDATE ON batches FOR EACH ROW
      WHEN (OLD.state NOT IN ('applied', 'partial') OR NEW.state <> 'undone' OR ${recorded.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(' OR ')})
      EXECUTE FUNCTION batches_keep()`,
    correctReserved,
  ],
} satisfies Migration;
