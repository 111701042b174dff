import { sql, type Sql } from '../sql.js';
import { entryActor, entrySource, entryTime, ledgerWithBatches } from '../tables/fragments.js';

/** A rule that every shop must satisfy. */
export interface Rule {
  readonly name: string;
  /** What the ids identify. */
  readonly noun: 'pet' | 'order' | 'ledger entry' | 'category' | 'batch' | 'count' | 'line' | 'hook';
  /** Finds the distinct ids that break the rule. */
  readonly query: Sql;
  readonly holds: string;
  readonly broken: string;
}

const stamped = sql`SELECT l.id, ${entryTime} AS at, ${entryActor} AS actor, ${entrySource} AS source FROM ${ledgerWithBatches}`;
const units = sql`SELECT pet_id, sum(units) AS units, sum(present) AS present, sum(moved) AS moved FROM (
  SELECT pet_id, delta AS units, 0 AS present, 1 AS moved FROM ledger WHERE delta IS NOT NULL
  UNION ALL SELECT pet_id, -quantity, 1, 0 FROM stock) AS u GROUP BY pet_id`;
const steps = sql`SELECT id, pet_id, delta, quantity_after, lag(quantity_after, 1, 0) OVER (PARTITION BY pet_id ORDER BY id) AS earlier
  FROM ledger WHERE delta IS NOT NULL`;

/** The units of the open orders of a pet of the table `stock`, named s. */
export const unitsOfOpenOrders = sql`(SELECT coalesce(sum(o.quantity), 0) FROM orders o WHERE o.pet_id = s.pet_id AND o.state = 'open')`;

/** Pets whose reserved units are not those of their open orders, which are `units`. */
export const wrongReservedUnits = sql`SELECT s.pet_id AS id, s.reserved AS was, CAST(${unitsOfOpenOrders} AS BIGINT) AS units
  FROM stock s WHERE s.reserved <> ${unitsOfOpenOrders}`;

/** Entries after a gap. Only a restore may leave a gap: it does not reuse the ids of the entries it discarded. */
export const entriesAfterGap = sql`SELECT id FROM (SELECT id, kind, lag(id, 1, 0) OVER (ORDER BY id) AS earlier FROM ledger) AS h
  WHERE id <> earlier + 1 AND kind <> 'shop.restored'`;

/** Pets whose entries are not consistent: a quantity that is not the one before plus the change. */
export const brokenChains = sql`SELECT DISTINCT pet_id AS id FROM (${steps}) AS c WHERE quantity_after <> earlier + delta`;

/** Imports whose entries are not all, or not alone, between the first and the last of them. */
const brokenRanges = sql`SELECT b.id FROM batches b LEFT JOIN
  (SELECT batch_id, count(*) AS entries, min(id) AS first, max(id) AS last FROM ledger WHERE batch_id IS NOT NULL AND actor IS NULL GROUP BY batch_id) AS e
  ON e.batch_id = b.id WHERE coalesce(e.entries, 0) <> b.last_entry - b.first_entry + 1 OR e.first <> b.first_entry OR e.last <> b.last_entry`;

/** The entries of the ledger agree with each other, and the stock and the imports with them. */
export const quantityRules: readonly Rule[] = [
  {
    name: 'chain',
    noun: 'ledger entry',
    query: sql`SELECT id FROM (${steps}) AS c WHERE quantity_after <> earlier + delta`,
    holds: 'Every quantity in the ledger is the previous one plus the change.',
    broken: 'the quantity is not the previous one plus the change',
  },
  {
    name: 'batches',
    noun: 'batch',
    query: brokenRanges,
    holds: 'The ledger entries of every import follow each other.',
    broken: 'its ledger entries are not those that it recorded',
  },
  {
    name: 'stock',
    noun: 'pet',
    query: sql`SELECT pet_id AS id FROM (${units}) AS f WHERE units <> 0 OR (present = 1 AND moved = 0)`,
    holds: 'The stock of every pet is the sum of its ledger entries.',
    broken: 'the stock is not the sum of the ledger entries',
  },
];

/** The ledger says who made each change, and when. */
export const authorRules: readonly Rule[] = [
  {
    name: 'authors',
    noun: 'ledger entry',
    query: sql`SELECT id FROM (${stamped}) AS t WHERE at IS NULL OR coalesce(actor, '') = '' OR source IS NULL`,
    holds: 'Every entry records when, by whom and through which interface.',
    broken: 'the time, actor or interface is missing',
  },
  {
    name: 'time',
    noun: 'ledger entry',
    query: sql`SELECT id FROM (SELECT id, at, lag(at) OVER (ORDER BY id) AS earlier FROM (${stamped}) AS t) AS h WHERE at < earlier`,
    holds: 'Times in the ledger never decrease.',
    broken: 'older than the previous entry',
  },
];
