import type { Migration } from './migration.js';

/** Sessions of web pages, of a token or (with its name) of the owner of the machine. Only the SHA-256 of a secret is stored. */
export const sessions = {
  version: 8,
  columns: {
    sessions: {
      digest: 'text',
      token_id: 'number',
      owner: 'text',
      created_at: 'number',
      expires_at: 'number',
    },
  },
  sqlite: [
    `CREATE TABLE sessions (
      digest TEXT PRIMARY KEY CHECK (length(digest) = 64),
      token_id INTEGER,
      owner TEXT CHECK (length(owner) BETWEEN 1 AND 100),
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      CHECK ((token_id IS NULL) <> (owner IS NULL))
    ) STRICT`,
  ],
  postgres: [
    `CREATE TABLE sessions (
      digest TEXT COLLATE "C" PRIMARY KEY CHECK (length(digest) = 64),
      token_id BIGINT,
      owner TEXT COLLATE "C" CHECK (length(owner) BETWEEN 1 AND 100),
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      CHECK ((token_id IS NULL) <> (owner IS NULL))
    )`,
  ],
} satisfies Migration;
