-- A recount as an expert writes it for psql: the file staged in a temporary table before the lock is taken, then the
-- checks, the ledger and the stock with one statement each.
\set ON_ERROR_STOP on
-- A pet that is in the file twice, and an id that is not a number, stop the script here.
CREATE TEMP TABLE staged (pet_id BIGINT PRIMARY KEY, quantity BIGINT NOT NULL CHECK (quantity BETWEEN 0 AND 2147483647));
\copy staged FROM pstdin CSV HEADER
ANALYZE staged;
BEGIN;
SET LOCAL work_mem = '64MB';
SELECT 1 FROM shop WHERE id = 1 FOR UPDATE;
-- With a problem the script ends at this division by zero, and the transaction with it.
SELECT 1 / CASE WHEN EXISTS (SELECT 1 FROM staged s WHERE NOT EXISTS (SELECT 1 FROM stock t WHERE t.pet_id = s.pet_id)) THEN 0 ELSE 1 END;
SELECT 1 / CASE WHEN EXISTS (SELECT 1 FROM stock t JOIN staged s ON s.pet_id = t.pet_id WHERE t.reserved > s.quantity) THEN 0 ELSE 1 END;
INSERT INTO batches (id, kind, state, key, sha256, actor, source, at, mode, total, applied, unchanged, rejected, first_entry, last_entry)
  SELECT (SELECT max(id) + 1 FROM batches), 'stock', 'applied', 'expert', 'expert', 'expert', 'import', 1800000000000, 'atomic', count(*), count(*), 0, 0,
    (SELECT max(id) + 1 FROM ledger), (SELECT max(id) FROM ledger) + count(*) FROM staged;
INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id)
  SELECT (SELECT max(id) FROM ledger) + row_number() OVER (ORDER BY s.pet_id), 'count', s.pet_id, s.quantity - t.quantity, s.quantity, (SELECT max(id) FROM batches)
  FROM staged s JOIN stock t ON t.pet_id = s.pet_id WHERE s.quantity <> t.quantity;
UPDATE stock SET quantity = s.quantity FROM staged s WHERE stock.pet_id = s.pet_id AND stock.quantity <> s.quantity;
COMMIT;
