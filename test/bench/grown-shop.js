// A shop in realistic proportions at any size: figures for each pet stay the same, so that a page has the same rows to find in a
// small and in a large shop. Filled by SQL that both engines run; only the numbers 1 to n are spelt differently.
import Database from 'better-sqlite3';

const dayMs = 86_400_000;
/** When the shop opened; its entries are spread evenly over a year. */
export const opened = Date.UTC(2025, 10, 22);

/** The counts of records for a number of pets. */
export function sizesOf(pets) {
  return {
    pets,
    // Half of the pets are in category 1, the others in categories of a hundred pets.
    categories: 1 + Math.max(1, Math.floor(pets / 200)),
    openOrders: Math.floor((pets * 3) / 10),
    completeOrders: Math.floor(pets / 2),
    drafts: Math.max(2, Math.floor(pets / 1000)),
    batches: 2 + Math.max(2, Math.floor(pets / 500)),
    cancelledCounts: Math.max(2, Math.floor(pets / 1000)),
  };
}

/** The counts: one that was closed and has every pet, an open one with a tenth of them, half of these counted, and cancelled ones. */
function countStatements(size, numbers, { firstEntry, at, whole }) {
  const { pets, cancelledCounts } = sizesOf(size);
  const isCounted = 'i % 20 = 10';
  const counts = (id, state, startedBy, endedBy, [ended, listed, counted], batch) =>
    `SELECT ${id}, '${state}', 0, ${startedBy}, ${whole(at(firstEntry))}, ${endedBy}, ${ended}, ${listed}, ${counted}, 0, ${batch}`;
  return [
    `INSERT INTO counts (id, state, blind, started_by, started_at, ended_by, ended_at, pets, counted, differing, batch_id)
      ${counts('1', 'closed', "'ana'", "'ana'", [whole(at(firstEntry + pets)), pets, pets], '2')}
      UNION ALL ${counts('2', 'open', "'ana'", 'NULL', ['NULL', Math.floor(pets / 10), Math.floor(pets / 20)], 'NULL')}
      UNION ALL ${counts('i + 2', 'cancelled', actors, actors, [whole(at(firstEntry + pets)), '0', '0'], 'NULL')} FROM ${numbers(cancelledCounts)}`,
    `INSERT INTO count_pets (count_id, pet_id, open, counted, expected, counted_by, counted_at, lines)
      SELECT 1, i, 0, 4 + i % 40, 1, ${actors}, ${whole(at(`${firstEntry} + i`))}, 1 FROM ${numbers(pets)}
      UNION ALL SELECT 2, i, 1, CASE WHEN ${isCounted} THEN 4 END, CASE WHEN ${isCounted} THEN 4 + i % 3 END, CASE WHEN ${isCounted} THEN ${actors} END,
        CASE WHEN ${isCounted} THEN ${whole(at(`${firstEntry} + ${pets} + i`))} END, CASE WHEN ${isCounted} THEN 1 ELSE 0 END FROM ${numbers(pets)} WHERE i % 10 = 0`,
    `INSERT INTO count_lines (id, count_id, pet_id, number, adds, actor, at, on_hand, after_entry)
      SELECT i, 1, i, 4 + i % 40, 0, ${actors}, ${whole(at(`${firstEntry} + i`))}, 1, ${firstEntry} FROM ${numbers(pets)}
      UNION ALL SELECT ${pets} + i, 2, i, 4, 0, ${actors}, ${whole(at(`${firstEntry} + ${pets} + i`))}, 4 + i % 3, ${firstEntry} FROM ${numbers(pets)} WHERE ${isCounted}`,
  ];
}

const actors = `CASE WHEN i % 2 = 0 THEN 'ana' WHEN i % 10 < 9 THEN 'ben' ELSE 'till 3' END`;

/** The statements that fill an empty shop; `numbers(n)` is a table `n` with a column `i` from 1 to n. */
function statements(size, numbers) {
  const { pets, categories, openOrders, completeOrders, drafts, batches } = sizesOf(size);
  const orders = completeOrders + openOrders + drafts;
  // Ids of entries: openings, counts, orders placed, sales, then a few entries of rare kinds and by a rare actor among the oldest.
  const [counts, placed, sold] = [pets, pets * 2, pets * 2 + orders];
  const entries = sold + completeOrders;
  const at = (id) => `${opened} + (${id}) * ${(365 * dayMs) / entries}`;
  const whole = (number) => `CAST(${number} AS BIGINT)`;
  const petOf = (i) => `1 + ((${i}) * 7919) % ${pets}`;
  const batch = (kind, state, id, first, applied) =>
    `SELECT ${id}, '${kind}', '${state}', 'key ' || ${id}, 'digest', ${
      id === 'i' ? actors : `'ana'`
    }, 'import', ${whole(at(first))}, 'atomic', ${applied}, ${applied}, 0, 0, ${first}, ${first} + ${applied} - 1, ${id === 2 ? 1 : 'NULL'}`;
  return [
    `INSERT INTO categories (id, name, folded) SELECT i, 'Breed ' || i, 'breed ' || i FROM ${numbers(categories)}`,
    `INSERT INTO pets (id, name, folded, category_id, hold)
      SELECT i, CASE WHEN i % 500 = 7 THEN 'Rex' ELSE 'Pet ' || ((i * 7919) % ${pets}) END,
      CASE WHEN i % 500 = 7 THEN 'rex' ELSE 'pet ' || ((i * 7919) % ${pets}) END,
      CASE WHEN i % 4 < 2 THEN 1 ELSE 2 + (i / 4) % ${categories - 1} END, CASE WHEN i % 100 = 3 THEN 1 ELSE 0 END FROM ${numbers(pets)}`,
    // A tenth is sold out, a twentieth at the low level.
    `INSERT INTO stock (pet_id, quantity, low_at, low_own)
      SELECT i, CASE WHEN i % 10 = 9 THEN 0 ELSE 3 + i % 40 END, CASE WHEN i % 20 = 5 THEN 50 WHEN i % 3 = 0 THEN 2 END,
      CASE WHEN i % 20 = 5 THEN 1 ELSE 0 END FROM ${numbers(pets)}`,
    `INSERT INTO batches (id, kind, state, key, sha256, actor, source, at, mode, total, applied, unchanged, rejected, first_entry, last_entry, count_id)
      ${batch('pets', 'applied', 1, 1, pets)} UNION ALL ${batch('stock', 'applied', 2, counts + 1, pets)}
      UNION ALL ${batch('stock', 'refused', 'i', entries, 0)} FROM ${numbers(batches)} WHERE i > 2`,
    // Complete orders are the oldest; a hundredth of the open ones is larger than the stock, a tenth is overdue, a fifth has no ship date.
    `INSERT INTO orders (id, pet_id, quantity, ship_date, state)
      SELECT i, CASE WHEN i <= ${orders - drafts} THEN ${petOf('i')} END, CASE WHEN i % 100 = 1 THEN 60 ELSE 1 END,
      CASE WHEN i <= ${completeOrders} THEN ${whole(at(`${sold} + i`))} WHEN i % 5 = 0 THEN NULL
        WHEN i % 10 = 1 THEN ${opened + 364 * dayMs} - i * 1000 ELSE ${opened + 366 * dayMs} + (i * 7919) % 1000000 * 1000 END,
      CASE WHEN i <= ${completeOrders} THEN 'complete' ELSE 'open' END FROM ${numbers(orders)}`,
    `INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, line) SELECT i, 'opening', i, 1, 1, 1, i + 1 FROM ${numbers(pets)}`,
    `INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, line)
      SELECT ${counts} + i, 'count', i, 3 + i % 40, 4 + i % 40, 2, i + 1 FROM ${numbers(pets)}`,
    `INSERT INTO ledger (id, kind, pet_id, order_id, at, actor, source, change_id)
      SELECT ${placed} + i, CASE WHEN i BETWEEN 101 AND 120 THEN 'pet.updated' ELSE 'order.placed' END, ${petOf('i')}, i, ${whole(at(`${placed} + i`))},
      CASE WHEN i BETWEEN 101 AND 120 THEN 'zoe' ELSE ${actors} END, 'http', ${placed} + i FROM ${numbers(orders)}`,
    `INSERT INTO ledger (id, kind, pet_id, order_id, delta, quantity_after, at, actor, source, change_id)
      SELECT ${sold} + i, 'sale', ${petOf('i')}, i, -1, 3 + i % 40, ${whole(at(`${sold} + i`))}, ${actors}, 'http', ${sold} + i FROM ${numbers(completeOrders)}`,
    ...countStatements(size, numbers, { firstEntry: counts, at, whole }),
  ];
}

/** Fills an empty shop in a file. */
export function fillFile(path, pets) {
  const database = new Database(path);
  database.pragma('synchronous = OFF');
  const numbers = (length) => `(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${length}) SELECT i FROM n) AS n`;
  database.exec(`BEGIN; DELETE FROM categories; ${statements(pets, numbers).join('; ')}; COMMIT`);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

/** Fills an empty shop in a PostgreSQL database. */
export async function fillDatabase(client, pets) {
  const numbers = (length) => `generate_series(1::BIGINT, ${length}) AS n (i)`;
  for (const statement of statements(pets, numbers)) await client.query(statement);
  await client.query('VACUUM ANALYZE');
}
