import type { Migration } from './migration.js';

const appendOnly = 'the ledger is append-only';
const asRecorded = 'an import is kept as it was recorded';

/** Every column of an import but its state: what the ledger rows of the import take from it, and what it is known by. */
const recorded = [
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

/** Whether an id that a client chose is not beyond all others; before a row is inserted, an id that SQLite is to choose is -1. */
function isOldId(table: string): string {
  return `NEW.id <> -1 AND NEW.id <= (SELECT id FROM ${table} ORDER BY id DESC LIMIT 1)`;
}

/**
 * Idempotency keys belong to their senders. The sender is '' where nobody owns a key: an import without a key is known by
 * the digest of its file, whoever sends it, and rows from before this version do not tell. Old imports go by their actor,
 * old replays by the digest of their request until they expire after 24 hours.
 *
 * A ledger row whose id is not beyond all others is refused. In SQLite, INSERT OR REPLACE deletes the row it collides with
 * and asks no trigger for deletions unless its client turned on recursive_triggers; the collision may also be one of
 * `reverses`. A bulk import of a million rows takes 8 % longer in SQLite, nearly all because SQLite copies the rows of an
 * INSERT … SELECT before it inserts them as soon as a table has any trigger for inserts; the condition costs next to
 * nothing. Time, actor and note of an import's rows stand in its batch, which is kept the same way. In PostgreSQL a
 * trigger for each row takes longer than one for all rows of a statement; a statement that leaves no gap and ends with
 * the highest id needs no look at the other rows.
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
      WHEN OLD.state NOT IN ('applied', 'partial') OR NEW.state <> 'undone' OR ${recorded.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(' OR ')}
      BEGIN SELECT RAISE(ABORT, '${asRecorded}'); END`,
  ],
  postgres: [
    `ALTER TABLE batches ADD COLUMN sender TEXT COLLATE "C" NOT NULL DEFAULT ''`,
    `ALTER TABLE replays ADD COLUMN sender TEXT COLLATE "C" NOT NULL DEFAULT ''`,
    'ALTER TABLE replays DROP CONSTRAINT replays_pkey, ADD PRIMARY KEY (key, sender)',
    // A temporary table of the same name would be found first; a query made of text takes ten times longer, so it is for that case and for gaps.
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
      WHEN (OLD.state NOT IN ('applied', 'partial') OR NEW.state <> 'undone' OR ${recorded.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(' OR ')})
      EXECUTE FUNCTION batches_keep()`,
  ],
} satisfies Migration;
