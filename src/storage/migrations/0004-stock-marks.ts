import type { Migration } from './migration.js';

/**
 * Views of the pets at their low level and of those sold out. With an index on `quantity`, PostgreSQL updates every
 * index of a row whenever the quantity changes. Generated columns rarely change, so updates stay on the page (HOT),
 * which needs free space on each page. In SQLite generated columns would only cost time.
 */
export const stockMarks = {
  version: 4,
  columns: {},
  sqlite: [
    'CREATE VIEW stock_at_level AS SELECT pet_id FROM stock WHERE quantity <= low_at',
    'CREATE VIEW stock_sold_out AS SELECT pet_id FROM stock WHERE quantity = 0',
  ],
  postgres: [
    'DROP INDEX stock_low',
    'DROP INDEX stock_out',
    'ALTER TABLE stock SET (fillfactor = 45)',
    // Both columns in one statement: the table is rewritten once, with the free space.
    `ALTER TABLE stock ADD COLUMN at_level SMALLINT GENERATED ALWAYS AS (CASE WHEN quantity <= low_at THEN 1 ELSE 0 END) STORED,
      ADD COLUMN sold_out SMALLINT GENERATED ALWAYS AS (CASE WHEN quantity = 0 THEN 1 ELSE 0 END) STORED`,
    'CREATE INDEX stock_low ON stock (pet_id) WHERE at_level = 1',
    'CREATE INDEX stock_out ON stock (pet_id) WHERE sold_out = 1',
    'CREATE VIEW stock_at_level AS SELECT pet_id FROM stock WHERE at_level = 1',
    'CREATE VIEW stock_sold_out AS SELECT pet_id FROM stock WHERE sold_out = 1',
  ],
} satisfies Migration;
