import type { Migration } from './migration.js';

/** Access tokens. Rows are never deleted, because `everCreated` must know whether a shop ever had a token. */
export const tokens = {
  version: 2,
  columns: {
    tokens: {
      id: 'number',
      name: 'text',
      digest: 'text',
      scopes: 'text',
      created_at: 'number',
      last_used_at: 'number',
      expires_at: 'number',
      revoked_at: 'number',
    },
  },
  sqlite: [
    `CREATE TABLE tokens (
      id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      digest TEXT NOT NULL CHECK (length(digest) = 64),
      scopes TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER,
      expires_at INTEGER,
      revoked_at INTEGER
    ) STRICT`,
    'CREATE UNIQUE INDEX tokens_by_name ON tokens (name) WHERE revoked_at IS NULL',
  ],
  postgres: [
    `CREATE TABLE tokens (
      id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
      name TEXT COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      digest TEXT COLLATE "C" NOT NULL CHECK (length(digest) = 64),
      scopes TEXT COLLATE "C" NOT NULL,
      created_at BIGINT NOT NULL,
      last_used_at BIGINT,
      expires_at BIGINT,
      revoked_at BIGINT
    )`,
    'CREATE UNIQUE INDEX tokens_by_name ON tokens (name) WHERE revoked_at IS NULL',
  ],
} satisfies Migration;
