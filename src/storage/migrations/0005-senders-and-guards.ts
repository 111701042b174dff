import type { Migration } from './migration.js';

const appendOnly = 'the ledger is append-only';
/** What a change of an import is refused with. */
export const asRecorded = 'an import is kept as it was recorded';

/** All columns of a batch except its state: they never change. */
export const recordedBatchColumns = [
  'id',
  'kind',
  'key',
  'sender',
  'sha256',
  'actor',
  'source',
  'at',
  'mode',
  'note',
  'total',
  'applied',
  'unchanged',
  'rejected',
  'refused_rows',
  'first_entry',
];

/** True for an explicit id that is not greater than all others. In a BEFORE INSERT trigger, NEW.id is -1 when SQLite chooses the id. */
function isOldId(table: string): string {
  return `NEW.id <> -1 AND NEW.id <= (SELECT id FROM ${table} ORDER BY id DESC LIMIT 1)`;
}

/**
 * Idempotency keys belong to their senders. The sender is '' for an import without a key, which is identified by the
 * digest of its file, and for rows from before this version: old imports match by their actor, old replays by the digest
 * of their request until they expire after 24 hours.
 *
 * A ledger entry whose id is not greater than all others is refused. In SQLite, INSERT OR REPLACE deletes the row it
 * conflicts with and fires no delete trigger unless the client turned on recursive_triggers; the conflict may also be on
 * `reverses`. A bulk import of a million rows takes 8 % longer in SQLite, because SQLite copies the rows of an INSERT …
 * SELECT first when the table has an insert trigger; the condition itself costs almost nothing. The entries of an import
 * take time, actor and note from the batch, which is protected in the same way. In PostgreSQL a trigger per row takes
 * longer than one per statement; if the ids of a statement have no gap and end with the highest id, the other rows need
 * not be read.
 */
export const sendersAndGuards = {
  version: 5,
  columns: { batches: { sender: 'text' }, replays: { sender: 'text' } },
  sqlite: [
    "ALTER TABLE batches ADD COLUMN sender TEXT NOT NULL DEFAULT ''",
    'ALTER TABLE replays RENAME TO old_replays',
    `CREATE TABLE replays (
      key TEXT NOT NULL,
      sender TEXT NOT NULL DEFAULT '',
      digest TEXT NOT NULL,
      answer TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (key, sender)
    ) STRICT`,
    'INSERT INTO replays (key, digest, answer, at) SELECT key, digest, answer, at FROM old_replays',
    'DROP TABLE old_replays',
    'CREATE INDEX replays_by_age ON replays (at)',
    `CREATE TRIGGER ledger_keeps_order BEFORE INSERT ON ledger
      WHEN (${isOldId('ledger')}) OR (NEW.reverses IS NOT NULL AND EXISTS (SELECT 1 FROM ledger WHERE reverses = NEW.reverses))
      BEGIN SELECT RAISE(ABORT, '${appendOnly}'); END`,
    `CREATE TRIGGER batches_keep_order BEFORE INSERT ON batches WHEN ${isOldId('batches')}
      BEGIN SELECT RAISE(ABORT, '${asRecorded}'); END`,
    `CREATE TRIGGER batches_keep_rows BEFORE DELETE ON batches
      BEGIN SELECT RAISE(ABORT, '${asRecorded}'); END`,
    `CREATE TRIGGER batches_keep_values BEFORE UPDATE ON batches
      WHEN OLD.state NOT IN ('applied', 'partial') OR NEW.state <> 'undone' OR ${recordedBatchColumns.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(' OR ')}
      BEGIN SELECT RAISE(ABORT, '${asRecorded}'); END`,
  ],
  postgres: [
    `ALTER TABLE batches ADD COLUMN sender TEXT COLLATE "C" NOT NULL DEFAULT ''`,
    `ALTER TABLE replays ADD COLUMN sender TEXT COLLATE "C" NOT NULL DEFAULT ''`,
    'ALTER TABLE replays DROP CONSTRAINT replays_pkey, ADD PRIMARY KEY (key, sender)',
    // The dynamic query, which takes ten times longer, is for ids with gaps, and for the case that a temporary table named ledger hides this one.
    `CREATE FUNCTION ledger_keeps_order() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      DECLARE lowest BIGINT; highest BIGINT; inserted BIGINT; newest BIGINT; beyond BIGINT;
      BEGIN
        SELECT min(id), max(id), count(*) INTO lowest, highest, inserted FROM added;
        IF inserted = 0 THEN RETURN NULL; END IF;
        IF to_regclass('ledger') = TG_RELID THEN
          SELECT max(id) INTO newest FROM ledger;
          IF highest = newest AND highest - lowest + 1 = inserted THEN RETURN NULL; END IF;
        END IF;
        EXECUTE format('SELECT count(*) FROM %s WHERE id >= $1', TG_RELID::regclass) INTO beyond USING lowest;
        IF beyond <> inserted THEN RAISE EXCEPTION '${appendOnly}'; END IF;
        RETURN NULL;
      END $$`,
    `CREATE FUNCTION batches_keep() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '${asRecorded}'; END $$`,
    `CREATE TRIGGER ledger_keeps_order AFTER INSERT ON ledger REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION ledger_keeps_order()`,
    'CREATE TRIGGER ledger_keeps_table BEFORE TRUNCATE ON ledger FOR EACH STATEMENT EXECUTE FUNCTION ledger_keeps()',
    'CREATE TRIGGER batches_keep_rows BEFORE DELETE ON batches FOR EACH ROW EXECUTE FUNCTION batches_keep()',
    'CREATE TRIGGER batches_keep_table BEFORE TRUNCATE ON batches FOR EACH STATEMENT EXECUTE FUNCTION batches_keep()',
    `CREATE TRIGGER batches_keep_values BEFORE UPDATE ON batches FOR EACH ROW
      WHEN (OLD.state NOT IN ('applied', 'partial') OR NEW.state <> 'undone' OR ${recordedBatchColumns.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(' OR ')})
      EXECUTE FUNCTION batches_keep()`,
  ],
} satisfies Migration;
