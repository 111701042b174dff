import type { Migration } from './migration.js';

/**
 * What an undo needs to know about an entry. `change_id` is the id of the first entry of its change: one operation, or
 * several in one transaction. `previous` holds the former values of the fields that the entry changed, as JSON. Both are
 * NULL in entries of imports, which are undone as a whole, and in entries from before this version.
 */
export const changes = {
  version: 7,
  columns: { ledger: { change_id: 'number', previous: 'text' } },
  sqlite: ['ALTER TABLE ledger ADD COLUMN change_id INTEGER', 'ALTER TABLE ledger ADD COLUMN previous TEXT'],
  postgres: ['ALTER TABLE ledger ADD COLUMN change_id BIGINT', 'ALTER TABLE ledger ADD COLUMN previous TEXT COLLATE "C"'],
} satisfies Migration;
