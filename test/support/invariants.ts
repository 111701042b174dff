import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { checkRules } from '../../src/storage/maintenance/check-rules.js';
import type { TestShop } from './test-shop.js';

const reserved = "(SELECT coalesce(sum(o.quantity), 0) FROM orders o WHERE o.pet_id = s.pet_id AND o.state = 'open')";
const stamped = `SELECT l.id, coalesce(l.at, b.at) AS at, coalesce(l.actor, b.actor) AS actor, coalesce(l.source, b.source) AS source
  FROM ledger l LEFT JOIN batches b ON b.id = l.batch_id`;

/** What the lines of each pet of a count come to: the last one that replaces others, and what was added since. */
const tallies = `SELECT n.count_id, n.pet_id, count(*) AS lines, max(n.id) AS last, sum(CASE WHEN n.id >= coalesce(r.id, 0) THEN n.number END) AS counted
  FROM count_lines n LEFT JOIN (SELECT count_id, pet_id, max(id) AS id FROM count_lines WHERE adds = 0 AND undone = 0 GROUP BY count_id, pet_id) r
  ON r.count_id = n.count_id AND r.pet_id = n.pet_id WHERE n.undone = 0 GROUP BY n.count_id, n.pet_id`;
const closeMovements = `SELECT c.id AS count_id, l.pet_id, sum(l.delta) AS delta, count(*) AS entries
  FROM counts c JOIN ledger l ON l.batch_id = c.batch_id WHERE l.kind = 'count' GROUP BY c.id, l.pet_id`;

/** The invariants of every shop, each as a query for the rows that break it. */
const broken: Readonly<Record<string, string>> = {
  'I1 quantities are between 0 and the maximum': `SELECT pet_id FROM stock
    WHERE quantity NOT BETWEEN 0 AND 2147483647`,
  'I2 the quantity equals the last quantity of the ledger': `SELECT s.pet_id FROM stock s WHERE s.quantity IS DISTINCT FROM
    (SELECT l.quantity_after FROM ledger l WHERE l.pet_id = s.pet_id AND l.delta IS NOT NULL ORDER BY l.id DESC LIMIT 1)`,
  'I2 the quantity equals the sum of its deltas': `SELECT s.pet_id FROM stock s WHERE s.quantity IS DISTINCT FROM
    (SELECT sum(l.delta) FROM ledger l WHERE l.pet_id = s.pet_id)`,
  'I3 each ledger quantity is the one before plus the delta': `SELECT id FROM (SELECT id, delta, quantity_after,
    lag(quantity_after, 1, 0) OVER (PARTITION BY pet_id ORDER BY id) AS before FROM ledger WHERE delta IS NOT NULL) WHERE quantity_after <> before + delta`,
  'I4 reserved units do not exceed the quantity unless a row allowed a shortage': `SELECT s.pet_id FROM stock s WHERE ${reserved} > s.quantity
    AND NOT EXISTS (SELECT 1 FROM ledger l WHERE l.pet_id = s.pet_id AND l.shortage = 1)`,
  'I4 the reserved units of a pet are those of its open orders': `SELECT s.pet_id FROM stock s WHERE s.reserved <> ${reserved}`,
  'I5 a complete order has one net sale of its quantity, other orders none': `SELECT o.id FROM orders o
    WHERE (CASE o.state WHEN 'complete' THEN coalesce(o.returned, 0) - o.quantity ELSE 0 END) IS DISTINCT FROM
    (SELECT coalesce(sum(l.delta), 0) FROM ledger l WHERE l.order_id = o.id AND l.kind IN ('sale', 'return'))`,
  'I5 an order has no net movement of other pets': `SELECT l.order_id FROM ledger l JOIN orders o ON o.id = l.order_id
    WHERE l.delta IS NOT NULL AND l.pet_id IS DISTINCT FROM o.pet_id GROUP BY l.order_id, l.pet_id HAVING sum(l.delta) <> 0`,
  'I7 every row has an actor, a source and a time': `SELECT id FROM (${stamped}) WHERE at IS NULL OR coalesce(actor, '') = '' OR source IS NULL`,
  'I7 time never decreases': `SELECT id FROM (SELECT id, at, lag(at, 1, 0) OVER (ORDER BY id) AS before FROM (${stamped})) WHERE at < before`,
  'I9 every pet has a category, and a live pet a live one': `SELECT p.id FROM pets p LEFT JOIN categories c ON c.id = p.category_id
    WHERE c.id IS NULL OR (p.archived = 0 AND c.archived = 1)`,
  'I9 every order has its pet, and an open order a live one': `SELECT o.id FROM orders o LEFT JOIN pets p ON p.id = o.pet_id
    WHERE o.pet_id IS NOT NULL AND (p.id IS NULL OR (o.state = 'open' AND p.archived = 1))`,
  'I9 every live pet has stock, and an archived pet no units': `SELECT p.id FROM pets p LEFT JOIN stock s ON s.pet_id = p.id
    WHERE CASE p.archived WHEN 0 THEN s.pet_id IS NULL ELSE coalesce(s.quantity, 0) > 0 END`,
  'I9 the ledger refers only to existing records': `SELECT id FROM ledger
    WHERE (pet_id IS NOT NULL AND pet_id NOT IN (SELECT id FROM pets)) OR (order_id IS NOT NULL AND order_id NOT IN (SELECT id FROM orders))
    OR (category_id IS NOT NULL AND category_id NOT IN (SELECT id FROM categories)) OR (batch_id IS NOT NULL AND batch_id NOT IN (SELECT id FROM batches))`,
  'I10 no row is reversed twice': 'SELECT reverses FROM ledger WHERE reverses IS NOT NULL GROUP BY reverses HAVING count(*) > 1',
  'I11 no two live categories have the same name': 'SELECT min(id) AS id FROM categories WHERE archived = 0 GROUP BY folded HAVING count(*) > 1',
  'I12 a pet is in one open count at most': 'SELECT pet_id FROM count_pets WHERE open = 1 GROUP BY pet_id HAVING count(*) > 1',
  'I12 the pets of an open count are marked as open, and others are not': `SELECT t.pet_id FROM count_pets t LEFT JOIN counts c ON c.id = t.count_id
    WHERE t.open IS DISTINCT FROM CASE c.state WHEN 'open' THEN 1 ELSE 0 END`,
  'I13 a pet is counted as its lines say': `SELECT t.pet_id FROM count_pets t LEFT JOIN (${tallies}) f ON f.count_id = t.count_id AND f.pet_id = t.pet_id
    LEFT JOIN count_lines n ON n.id = f.last WHERE t.lines <> coalesce(f.lines, 0) OR (t.lines > 0 AND (t.counted <> f.counted OR t.expected <> n.on_hand
    OR t.counted_by <> n.actor OR t.counted_at <> n.at)) OR (t.lines = 0 AND t.counted IS NOT NULL AND (t.counted > 0 OR t.open = 1))`,
  'I13 every line is about a pet of its count': `SELECT n.id FROM count_lines n LEFT JOIN count_pets t ON t.count_id = n.count_id AND t.pet_id = n.pet_id
    WHERE t.pet_id IS NULL`,
  'I14 a line has the quantity on hand at its moment': `SELECT n.id FROM count_lines n
    WHERE n.on_hand IS DISTINCT FROM (SELECT sum(l.delta) FROM ledger l WHERE l.pet_id = n.pet_id AND l.id <= n.after_entry)`,
  'I15 closing a count changes a pet once, by counted - expected': `SELECT t.pet_id FROM count_pets t JOIN counts c ON c.id = t.count_id
    LEFT JOIN (${closeMovements}) m ON m.count_id = t.count_id AND m.pet_id = t.pet_id WHERE m.entries > 1 OR coalesce(m.delta, 0) <>
    CASE WHEN c.state = 'closed' AND t.counted IS NOT NULL AND t.refused IS NULL THEN t.counted - t.expected ELSE 0 END`,
  'I15 closing a count changes only its pets': `SELECT m.pet_id FROM (${closeMovements}) m LEFT JOIN count_pets t ON t.count_id = m.count_id
    AND t.pet_id = m.pet_id WHERE t.pet_id IS NULL`,
  'I16 a closed count has one batch, and others none': `SELECT c.id FROM counts c
    WHERE (SELECT count(*) FROM batches b WHERE b.count_id = c.id) <> CASE c.state WHEN 'closed' THEN 1 ELSE 0 END`,
  'I17 the figures of a count are those of its pets': `SELECT c.id FROM counts c
    LEFT JOIN (SELECT count_id, count(*) AS pets, count(counted) AS counted, sum(CASE WHEN counted <> expected THEN 1 ELSE 0 END) AS differing
    FROM count_pets GROUP BY count_id) f ON f.count_id = c.id WHERE c.pets <> coalesce(f.pets, 0) OR c.counted <> coalesce(f.counted, 0) OR c.differing <> coalesce(f.differing, 0)`,
};

/** The status of every live pet, computed from its row alone. */
const statuses = `SELECT p.id, CASE WHEN p.hold = 1 THEN 'pending' WHEN s.quantity > ${reserved} THEN 'available'
  WHEN ${reserved} > 0 THEN 'pending' ELSE 'sold' END AS status FROM pets p JOIN stock s ON s.pet_id = p.id WHERE p.archived = 0 ORDER BY p.id`;

/** All invariants in one query, which is compiled once. */
const everyBroken = Object.entries(broken)
  .map(([name, text]) => `SELECT '${name}' AS name, * FROM (${text})`)
  .join(' UNION ALL ');

/** Every invariant that the rows break, with their ids. I8 (ids are never reused) is tested where records are created. */
export async function brokenRows({ rows }: Pick<TestShop, 'rows'>): Promise<readonly string[]> {
  return (await rows<object>({ text: everyBroken, values: [] })).map((row) => JSON.stringify(row));
}

type Status = readonly [id: number, status: string];

/** Every page of a list. */
async function whole<Item>(
  list: (cursor: string | undefined) => Promise<{ readonly items: readonly Item[]; readonly next?: string | undefined }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined);
  return items;
}

/** Every invariant that the rows or the lists break. */
export async function brokenInvariants({ rows, call, engine }: TestShop): Promise<readonly string[]> {
  const found = [...(await brokenRows({ rows }))];
  const expected = (await rows<{ readonly id: number; readonly status: string }>({ text: statuses, values: [] })).map(({ id, status }): Status => [id, status]);
  const pets = await whole((cursor) => call(listPets, { limit: 500, cursor }));
  const inventory = await whole((cursor) => call(listInventory, { limit: 500, cursor }));
  const seen = [pets.map(({ id, status }): Status => [id, status]), inventory.map(({ petId, status }): Status => [petId, status])];
  for (const list of seen) {
    const at = expected.findIndex((one, index) => String(one) !== String(list[index]));
    if (at >= 0 || list.length !== expected.length)
      found.push(`I6 the status is the same in every list: ${list.length} pets, not ${expected.length}; ${String(list[at])}, not ${String(expected[at])}`);
  }
  // The checks of doctor must pass too.
  const checks = await engine.read((queries) => checkRules(queries));
  return [...found, ...checks.filter(({ status }) => status !== 'pass').map(({ name, message }) => `doctor: ${name}: ${message}`)];
}
