import { sql } from '../sql.js';
import type { Rule } from './ledger-rules.js';

const ofOpen = sql`SELECT c.id FROM counts c WHERE c.state = 'open'`;

/** What the lines of a pet come to: `tallyOf` of the domain in SQL. A test compares the two. */
const tallies = sql`SELECT n.count_id, n.pet_id, count(*) AS lines, sum(CASE WHEN n.id >= n.first THEN n.number ELSE 0 END) AS counted,
    sum(CASE WHEN n.id = n.last THEN n.on_hand ELSE 0 END) AS expected
  FROM (SELECT n.*, max(n.id) OVER pet AS last, coalesce(max(CASE WHEN n.adds = 0 THEN n.id END) OVER pet, 0) AS first
    FROM count_lines n WHERE n.undone = 0 AND n.count_id IN (${ofOpen}) WINDOW pet AS (PARTITION BY n.count_id, n.pet_id)) AS n
  GROUP BY n.count_id, n.pet_id`;

/** The changes of closed counts: what was found minus what their batches changed, which is 0 for each pet. */
const changes = sql`SELECT t.count_id, t.pet_id, t.counted - t.expected AS units FROM count_pets t JOIN counts c ON c.id = t.count_id
    WHERE c.state = 'closed' AND t.counted IS NOT NULL AND t.refused IS NULL
  UNION ALL SELECT b.count_id, l.pet_id, -l.delta FROM ledger l JOIN batches b ON b.id = l.batch_id WHERE b.count_id IS NOT NULL AND l.kind = 'count'`;

/** The rules of counts. */
export const countRules: readonly Rule[] = [
  {
    name: 'counted lines',
    noun: 'line',
    query: sql`SELECT n.id FROM count_lines n WHERE n.count_id IN (${ofOpen}) AND n.on_hand <> coalesce((SELECT l.quantity_after FROM ledger l
      WHERE l.pet_id = n.pet_id AND l.delta IS NOT NULL AND l.id <= n.after_entry ORDER BY l.id DESC LIMIT 1), 0)`,
    holds: 'Every line of an open count has the quantity that was on hand.',
    broken: 'the quantity on hand is not that of the ledger at that moment',
  },
  {
    name: 'counted pets',
    noun: 'count',
    query: sql`SELECT DISTINCT t.count_id AS id FROM count_pets t LEFT JOIN (${tallies}) AS f ON f.count_id = t.count_id AND f.pet_id = t.pet_id
      WHERE t.count_id IN (${ofOpen}) AND (t.lines <> coalesce(f.lines, 0) OR t.counted IS DISTINCT FROM f.counted OR t.expected IS DISTINCT FROM f.expected)
      UNION SELECT n.count_id FROM count_lines n LEFT JOIN count_pets t ON t.count_id = n.count_id AND t.pet_id = n.pet_id WHERE t.pet_id IS NULL`,
    holds: 'What was counted of every pet is what its lines come to.',
    broken: 'what was counted of a pet is not what its lines come to',
  },
  {
    name: 'count figures',
    noun: 'count',
    query: sql`SELECT c.id FROM counts c LEFT JOIN (SELECT t.count_id, count(*) AS pets, count(t.counted) AS counted, count(CASE WHEN t.counted <> t.expected THEN 1 END) AS differing,
        count(CASE WHEN t.open = 1 THEN 1 END) AS open FROM count_pets t GROUP BY t.count_id) AS f ON f.count_id = c.id
      WHERE c.pets <> coalesce(f.pets, 0) OR c.counted <> coalesce(f.counted, 0) OR c.differing <> coalesce(f.differing, 0)
      OR coalesce(f.open, 0) <> CASE c.state WHEN 'open' THEN c.pets ELSE 0 END
      UNION SELECT t.count_id FROM count_pets t WHERE NOT EXISTS (SELECT 1 FROM counts c WHERE c.id = t.count_id)`,
    holds: 'The figures of every count are those of its pets.',
    broken: 'the figures are not those of its pets',
  },
  {
    name: 'count changes',
    noun: 'count',
    query: sql`SELECT DISTINCT count_id AS id FROM (SELECT count_id FROM (${changes}) AS d GROUP BY count_id, pet_id HAVING sum(units) <> 0) AS broken
      UNION SELECT c.id FROM counts c LEFT JOIN batches b ON b.count_id = c.id WHERE CASE c.state WHEN 'closed' THEN b.id IS NULL OR b.id <> c.batch_id ELSE b.id IS NOT NULL END`,
    holds: 'Every closed count changed each pet by what was found, in one batch.',
    broken: 'its batch is missing, or did not change each pet by what was found',
  },
  {
    name: 'count history',
    noun: 'count',
    query: sql`SELECT c.id FROM counts c LEFT JOIN (SELECT l.count_id, count(CASE WHEN l.kind = 'count.started' THEN 1 END) AS started,
        count(CASE WHEN l.kind = 'count.closed' THEN 1 END) AS closed, count(CASE WHEN l.kind = 'count.cancelled' THEN 1 END) AS cancelled
        FROM ledger l WHERE l.count_id IS NOT NULL GROUP BY l.count_id) AS e ON e.count_id = c.id
      WHERE coalesce(e.started, 0) <> 1 OR coalesce(e.closed, 0) <> CASE c.state WHEN 'closed' THEN 1 ELSE 0 END
      OR coalesce(e.cancelled, 0) <> CASE c.state WHEN 'cancelled' THEN 1 ELSE 0 END
      UNION SELECT l.count_id FROM ledger l WHERE l.count_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM counts c WHERE c.id = l.count_id)`,
    holds: 'The ledger explains the state of every count.',
    broken: 'the ledger does not explain the state',
  },
];
