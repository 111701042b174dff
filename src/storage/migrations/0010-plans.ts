import type { Migration } from './migration.js';

// Ends with the id, so that pets of a category follow each other in its order. Deleted pets have their own range, for stock at a past time.
const petsByCategory = ['DROP INDEX pets_by_category', 'CREATE INDEX pets_by_category ON pets (category_id, archived, id)'];

/** Indexes and views for which both engines read a page of a list of a large shop by an index. */
export const plans = {
  version: 10,
  columns: {},
  sqlite: petsByCategory,
  postgres: [
    ...petsByCategory,
    // Without a condition of its own: together with that of a query PostgreSQL would expect a tenth of the rows. A comparison implies it.
    'CREATE OR REPLACE VIEW stock_without_units AS SELECT pet_id, shortage FROM stock',
  ],
} satisfies Migration;
