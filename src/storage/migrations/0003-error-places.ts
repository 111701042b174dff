import type { Migration } from './migration.js';

/** The index of a row error among those of its batch: rows of a JSON file can share a line. Errors of older batches keep index 0 and their row order. */
export const errorPlaces = {
  version: 3,
  columns: { batch_errors: { place: 'number' } },
  sqlite: ['ALTER TABLE batch_errors ADD COLUMN place INTEGER NOT NULL DEFAULT 0'],
  postgres: ['ALTER TABLE batch_errors ADD COLUMN place BIGINT NOT NULL DEFAULT 0'],
} satisfies Migration;
