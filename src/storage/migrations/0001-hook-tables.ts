const text = 'TEXT COLLATE "C"';
const key = 'BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991)';
const flag = (column: string): string => `INTEGER NOT NULL CHECK (${column} IN (0, 1))`;

/** The columns of the tables of webhooks, as PostgreSQL writes them. */
export const hookTables = {
  // `position` and `mark` are the position in the ledger. A sender holds a hook until `held_until`. Readable secrets: they sign.
  hooks: {
    id: key,
    url: `${text} NOT NULL`,
    kinds: text,
    pet_ids: text,
    category_id: 'BIGINT',
    row_events: flag('row_events'),
    batch: 'BIGINT NOT NULL CHECK (batch BETWEEN 1 AND 100)',
    allow_private: flag('allow_private'),
    secret: `${text} NOT NULL`,
    old_secret: text,
    old_until: 'BIGINT',
    state: `${text} NOT NULL CHECK (state IN ('active', 'paused'))`,
    position: 'BIGINT NOT NULL CHECK (position >= 0)',
    mark: text,
    attempts: 'BIGINT NOT NULL CHECK (attempts >= 0)',
    next_attempt_at: 'BIGINT NOT NULL',
    last_error: text,
    last_sent_at: 'BIGINT',
    created_at: 'BIGINT NOT NULL',
    holder: text,
    held_until: 'BIGINT NOT NULL',
  },
  hook_deliveries: {
    id: key,
    hook_id: 'BIGINT NOT NULL',
    at: 'BIGINT NOT NULL',
    event: `${text} NOT NULL`,
    type: `${text} NOT NULL`,
    attempt: 'BIGINT NOT NULL',
    milliseconds: 'BIGINT NOT NULL',
    status: 'BIGINT',
    error: text,
  },
} as const;
