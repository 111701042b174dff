import type { Migration } from '../migrate.js';

/**
 * Idempotency keys belong to their senders. The sender is '' where nobody owns a key: an import without a key is known by
 * the digest of its file, whoever sends it, and rows from before this version do not tell. Old imports go by their actor,
 * old replays by the digest of their request until they expire after 24 hours.
 */
export const keySenders: Migration = {
  version: 5,
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
  ],
  postgres: [
    `ALTER TABLE batches ADD COLUMN sender TEXT COLLATE "C" NOT NULL DEFAULT ''`,
    `ALTER TABLE replays ADD COLUMN sender TEXT COLLATE "C" NOT NULL DEFAULT ''`,
    'ALTER TABLE replays DROP CONSTRAINT replays_pkey, ADD PRIMARY KEY (key, sender)',
  ],
};
