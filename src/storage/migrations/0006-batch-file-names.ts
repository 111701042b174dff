import type { Migration } from './migration.js';
import { asRecorded, recordedBatchColumns } from './0005-senders-and-guards.js';

const recorded = [...recordedBatchColumns, 'file_name'];

/** The name of the imported file; null for standard input and for imports from before this version. It is kept like the rest of an import. */
export const batchFileNames = {
  version: 6,
  columns: { batches: { file_name: 'text' } },
  sqlite: [
    'ALTER TABLE batches ADD COLUMN file_name TEXT',
    'DROP TRIGGER batches_keep_values',
    `CREATE TRIGGER batches_keep_values BEFORE UPDATE ON batches
      WHEN OLD.state NOT IN ('applied', 'partial') OR NEW.state <> 'undone' OR ${recorded.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(' OR ')}
      BEGIN SELECT RAISE(ABORT, '${asRecorded}'); END`,
  ],
  postgres: [
    'ALTER TABLE batches ADD COLUMN file_name TEXT COLLATE "C"',
    'DROP TRIGGER batches_keep_values ON batches',
    `CREATE TRIGGER batches_keep_values BEFORE UPDATE ON batches FOR EACH ROW
      WHEN (OLD.state NOT IN ('applied', 'partial') OR NEW.state <> 'undone' OR ${recorded.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(' OR ')})
      EXECUTE FUNCTION batches_keep()`,
  ],
} satisfies Migration;
