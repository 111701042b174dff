import type { ColumnType } from './migration.js';

const quantity = 'BETWEEN 0 AND 2147483647';
const text = 'TEXT COLLATE "C"';
const key = 'BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991)';
const flag = (column: string): string => `INTEGER NOT NULL CHECK (${column} IN (0, 1))`;
const digest = (column: string): string => `CHECK (length(${column}) = 64)`;
const name = (column: string): string => `CHECK (length(${column}) BETWEEN 1 AND 100)`;

/** The columns of each table, as PostgreSQL writes them. */
const tables = {
  categories: {
    id: key,
    name: `${text} NOT NULL ${name('name')}`,
    folded: `${text} NOT NULL`,
    description: text,
    archived: `${flag('archived')} DEFAULT 0`,
  },
  pets: {
    id: key,
    name: `${text} NOT NULL ${name('name')}`,
    folded: `${text} NOT NULL`,
    category_id: 'BIGINT NOT NULL',
    hold: `${flag('hold')} DEFAULT 0`,
    archived: `${flag('archived')} DEFAULT 0`,
  },
  // One row for each live pet, in a narrow table: a bulk update writes only these few bytes of each pet. Triggers derive
  // `reserved` from the orders: an index cannot compare the stock with a sum of orders.
  stock: {
    pet_id: 'BIGINT PRIMARY KEY',
    quantity: `BIGINT NOT NULL CHECK (quantity ${quantity})`,
    low_at: `BIGINT CHECK (low_at ${quantity})`,
    low_own: `${flag('low_own')} DEFAULT 0`,
    reserved: 'BIGINT NOT NULL DEFAULT 0 CHECK (reserved >= 0)',
  },
  settings: {
    name: `${text} PRIMARY KEY`,
    value: `${text} NOT NULL`,
  },
  // Equal codes have the same key. Only live pets have codes.
  codes: {
    key: `${text} PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 192)`,
    code: `${text} NOT NULL CHECK (length(code) BETWEEN 1 AND 64)`,
    pet_id: 'BIGINT NOT NULL REFERENCES pets (id)',
    units: 'BIGINT NOT NULL CHECK (units BETWEEN 1 AND 10000)',
  },
  orders: {
    id: key,
    pet_id: 'BIGINT REFERENCES pets (id)',
    quantity: 'BIGINT CHECK (quantity BETWEEN 1 AND 2147483647)',
    ship_date: 'BIGINT',
    state: `${text} NOT NULL CHECK (state IN ('open', 'complete', 'cancelled'))`,
    returned: "BIGINT CHECK (returned IS NULL OR (state = 'complete' AND returned BETWEEN 1 AND quantity))",
  },
  // `sender` is '' for an import without a key, which is identified by the digest of its file. The entries that the transaction of
  // an import wrote follow each other, from `first_entry` to `last_entry`, which is the one before if it wrote none.
  batches: {
    id: key,
    kind: `${text} NOT NULL CHECK (kind IN ('stock', 'pets', 'codes'))`,
    state: `${text} NOT NULL CHECK (state IN ('applied', 'partial', 'refused', 'undone'))`,
    key: `${text} NOT NULL`,
    sender: `${text} NOT NULL DEFAULT ''`,
    sha256: `${text} NOT NULL`,
    actor: `${text} NOT NULL`,
    source: `${text} NOT NULL`,
    at: 'BIGINT NOT NULL',
    mode: `${text} NOT NULL CHECK (mode IN ('atomic', 'keep-going'))`,
    note: text,
    file_name: text,
    count_id: 'BIGINT',
    total: 'BIGINT NOT NULL',
    applied: 'BIGINT NOT NULL',
    unchanged: 'BIGINT NOT NULL',
    rejected: 'BIGINT NOT NULL',
    refused_rows: `${text} NOT NULL DEFAULT ''`,
    first_entry: 'BIGINT NOT NULL',
    last_entry: 'BIGINT NOT NULL',
  },
  // `place` orders the errors of a batch: rows of a JSON file can share a line.
  batch_errors: {
    batch_id: 'BIGINT NOT NULL REFERENCES batches (id)',
    place: 'BIGINT NOT NULL',
    line: 'BIGINT NOT NULL',
    pet_id: 'BIGINT',
    column: text,
    value: text,
    code: `${text} NOT NULL`,
    message: `${text} NOT NULL`,
  },
  // An entry of a batch takes time, actor and source from the batch. `change_id` is the id of the first entry of its change: one
  // operation, or several in one transaction. `previous` holds the former values of the changed fields, as JSON. No foreign keys:
  // entries stay when their subject is deleted. Few checks, the cheap condition first: a bulk update evaluates each a million times.
  ledger: {
    id: key,
    change_id: 'BIGINT',
    kind: `${text} NOT NULL`,
    pet_id: 'BIGINT',
    order_id: 'BIGINT',
    category_id: 'BIGINT',
    count_id: 'BIGINT',
    delta: 'BIGINT',
    quantity_after: 'BIGINT',
    batch_id: 'BIGINT',
    line: 'BIGINT',
    at: 'BIGINT',
    actor: text,
    source: text,
    reverses: 'BIGINT',
    shortage: 'INTEGER',
    previous: text,
    current: text,
    note: text,
  },
  replays: {
    key: `${text} NOT NULL`,
    sender: `${text} NOT NULL`,
    digest: `${text} NOT NULL`,
    answer: `${text} NOT NULL`,
    at: 'BIGINT NOT NULL',
  },
  // Rows are never deleted, because `everCreated` must know whether a shop ever had a token.
  tokens: {
    id: key,
    name: `${text} NOT NULL ${name('name')}`,
    digest: `${text} NOT NULL ${digest('digest')}`,
    scopes: `${text} NOT NULL`,
    created_at: 'BIGINT NOT NULL',
    last_used_at: 'BIGINT',
    expires_at: 'BIGINT',
    revoked_at: 'BIGINT',
  },
  // Sessions of web pages, of a token or (with its name) of the owner of the machine.
  sessions: {
    digest: `${text} PRIMARY KEY ${digest('digest')}`,
    token_id: 'BIGINT',
    owner: `${text} ${name('owner')}`,
    created_at: 'BIGINT NOT NULL',
    expires_at: 'BIGINT NOT NULL',
  },
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
  counts: {
    id: 'BIGINT PRIMARY KEY CHECK (id >= 1)',
    state: `${text} NOT NULL CHECK (state IN ('open', 'closed', 'cancelled'))`,
    blind: flag('blind'),
    note: text,
    started_by: `${text} NOT NULL`,
    started_at: 'BIGINT NOT NULL',
    ended_by: text,
    ended_at: 'BIGINT',
    pets: 'BIGINT NOT NULL CHECK (pets >= 0)',
    counted: 'BIGINT NOT NULL CHECK (counted BETWEEN 0 AND pets)',
    differing: 'BIGINT NOT NULL CHECK (differing BETWEEN 0 AND counted)',
    batch_id: 'BIGINT',
  },
  // A row for each pet has what its lines come to, so that a line changes one row and nothing reads the whole count.
  count_pets: {
    count_id: 'BIGINT NOT NULL',
    pet_id: 'BIGINT NOT NULL',
    open: flag('open'),
    counted: 'BIGINT CHECK (counted >= 0)',
    expected: 'BIGINT CHECK ((expected IS NULL) = (counted IS NULL))',
    counted_by: text,
    counted_at: 'BIGINT',
    lines: 'BIGINT NOT NULL CHECK (lines >= 0)',
    refused: text,
  },
  // `after_entry` is the newest ledger entry at the time of the line, which tells what was on hand.
  count_lines: {
    id: 'BIGINT PRIMARY KEY CHECK (id >= 1)',
    count_id: 'BIGINT NOT NULL',
    pet_id: 'BIGINT NOT NULL',
    number: 'BIGINT NOT NULL CHECK (number >= 0)',
    adds: flag('adds'),
    actor: `${text} NOT NULL`,
    at: 'BIGINT NOT NULL',
    on_hand: 'BIGINT NOT NULL',
    after_entry: 'BIGINT NOT NULL',
    key: text,
    undone: `${flag('undone')} DEFAULT 0`,
  },
} satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type Table = keyof typeof tables;

/** What tables have beside their columns. */
const constraints: { readonly [Name in Table]?: readonly string[] } = {
  orders: ['CHECK (pet_id IS NULL OR quantity IS NOT NULL)'],
  ledger: [
    "CHECK (batch_id IS NOT NULL OR (at IS NOT NULL AND actor IS NOT NULL AND source IS NOT NULL AND source IN ('cli', 'http', 'import')))",
    `CHECK (CASE WHEN delta IS NULL THEN quantity_after IS NULL ELSE coalesce(quantity_after, -1) ${quantity} END)`,
  ],
  batch_errors: ['PRIMARY KEY (batch_id, place)'],
  replays: ['PRIMARY KEY (key, sender)'],
  sessions: ['CHECK ((token_id IS NULL) <> (owner IS NULL))'],
  counts: ["CHECK ((state = 'open') = (ended_at IS NULL) AND (state = 'closed') = (batch_id IS NOT NULL))"],
  count_pets: ['PRIMARY KEY (count_id, pet_id)'],
};

/** The columns of each table and their types. */
export const shopColumns = Object.fromEntries(
  Object.entries(tables).map(([table, columns]) => [
    table,
    Object.fromEntries(Object.entries(columns).map(([column, type]): [string, ColumnType] => [column, type.startsWith('TEXT') ? 'text' : 'number'])),
  ]),
) as { readonly [Name in Table]: Readonly<Record<keyof (typeof tables)[Name], ColumnType>> };

/** The statement of PostgreSQL that creates a table; with columns, constraints and options of one engine. */
export function createTable(table: Table, ofEngine: readonly string[] = [], options = ''): string {
  const columns = Object.entries<string>(tables[table]).map(([column, type]) => `"${column}" ${type}`);
  return `CREATE TABLE ${table} (\n  ${[...columns, ...ofEngine, ...(constraints[table] ?? [])].join(',\n  ')}\n)${options}`;
}

/** The tables that both engines have, each after those that it references. */
export const sharedTables = Object.keys(tables) as Table[];

const shipDate = '(coalesce(ship_date, 9000000000000000))';

/** The indexes that both engines have. */
export const indexes = [
  'CREATE INDEX codes_by_pet ON codes (pet_id, key)',
  'CREATE INDEX categories_by_name ON categories (folded, id) WHERE archived = 0',
  'CREATE INDEX pets_by_name ON pets (folded, id) WHERE archived = 0',
  // Deleted pets have their own range, for stock at a past time.
  'CREATE INDEX pets_by_category ON pets (category_id, archived, id)',
  'CREATE INDEX pets_by_category_and_name ON pets (category_id, folded, id) WHERE archived = 0',
  // `hold` is 1 in every row of this index: for an index of the id alone SQLite would take the primary key.
  'CREATE INDEX pets_on_hold ON pets (hold, id) WHERE hold = 1 AND archived = 0',
  "CREATE INDEX orders_open ON orders (pet_id, id, quantity) WHERE state = 'open'",
  "CREATE INDEX orders_by_pet ON orders (pet_id, id) WHERE state <> 'cancelled'",
  "CREATE INDEX orders_by_state ON orders (state, id) WHERE state <> 'cancelled'",
  `CREATE INDEX orders_by_state_and_date ON orders (state, ${shipDate}, id) WHERE state <> 'cancelled'`,
  "CREATE INDEX batches_by_key ON batches (key, id) WHERE state <> 'refused'",
  'CREATE UNIQUE INDEX batches_by_count ON batches (count_id) WHERE count_id IS NOT NULL',
  'CREATE INDEX ledger_by_pet ON ledger (pet_id, id) WHERE pet_id IS NOT NULL',
  'CREATE INDEX ledger_by_order ON ledger (order_id, id) WHERE order_id IS NOT NULL',
  'CREATE INDEX ledger_by_category ON ledger (category_id, id) WHERE category_id IS NOT NULL',
  'CREATE UNIQUE INDEX ledger_reversed_once ON ledger (reverses) WHERE reverses IS NOT NULL',
  // Not the movements of an import, which are found through their batch: an index on those would slow down imports.
  'CREATE INDEX ledger_by_actor ON ledger (actor, kind, id) WHERE actor IS NOT NULL',
  'CREATE INDEX ledger_by_kind ON ledger (kind, id) WHERE actor IS NOT NULL OR delta IS NULL',
  'CREATE INDEX ledger_undos_by_batch ON ledger (batch_id, id) WHERE actor IS NOT NULL AND batch_id IS NOT NULL',
  'CREATE INDEX replays_by_age ON replays (at)',
  'CREATE UNIQUE INDEX tokens_by_name ON tokens (name) WHERE revoked_at IS NULL',
  'CREATE INDEX hook_deliveries_by_hook ON hook_deliveries (hook_id, id)',
  // A pet is in one open count at most.
  'CREATE UNIQUE INDEX count_pets_open ON count_pets (pet_id) WHERE open = 1',
  'CREATE INDEX count_pets_by_time ON count_pets (pet_id, counted_at) WHERE counted_at IS NOT NULL',
  'CREATE INDEX count_lines_by_count ON count_lines (count_id, id)',
  'CREATE INDEX count_lines_by_actor ON count_lines (count_id, actor, id)',
  'CREATE INDEX count_lines_by_pet ON count_lines (count_id, pet_id, id)',
  'CREATE UNIQUE INDEX count_lines_by_key ON count_lines (count_id, actor, key) WHERE key IS NOT NULL',
  'CREATE INDEX counts_by_state ON counts (state, id)',
];

/** A statement of PostgreSQL as SQLite takes it: its types, byte order of texts as they compare anyway, and checked column types. */
export function forSqlite(statement: string): string {
  const typed = statement.replaceAll('BIGINT', 'INTEGER').replaceAll(' COLLATE "C"', '');
  const withoutRowid = /^CREATE TABLE (?:count_pets|codes) /.test(statement) ? ', WITHOUT ROWID' : '';
  return typed.startsWith('CREATE TABLE ') ? `${typed} STRICT${withoutRowid}` : typed;
}
