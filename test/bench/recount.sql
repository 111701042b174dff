-- A recount as a careful person writes it for the sqlite3 shell: the file staged before the lock is taken, and the
-- same checks, ledger rows and figures as `petstore inventory import`.
.bail on
.timeout 5000
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA temp_store = FILE;
CREATE TEMP TABLE staged (petId, quantity);
.import --csv --skip 1 /dev/stdin staged
BEGIN IMMEDIATE;
CREATE TEMP TABLE problems AS
  SELECT rowid + 1 AS line, 'invalid_quantity' AS code FROM staged
  WHERE quantity GLOB '*[^0-9]*' OR quantity = '' OR CAST(quantity AS INTEGER) > 2147483647;
INSERT INTO problems
  SELECT s.rowid + 1, 'unknown_pet' FROM staged s
  WHERE NOT EXISTS (SELECT 1 FROM stock t WHERE t.pet_id = CAST(s.petId AS INTEGER));
INSERT INTO problems
  SELECT min(rowid) + 1, 'duplicate_row' FROM staged GROUP BY CAST(petId AS INTEGER) HAVING count(*) > 1;
INSERT INTO problems
  SELECT s.rowid + 1, 'stock_reserved' FROM staged s
  JOIN (SELECT pet_id, sum(quantity) AS units FROM orders WHERE state = 'open' AND pet_id IS NOT NULL GROUP BY pet_id) r
    ON r.pet_id = CAST(s.petId AS INTEGER)
  WHERE CAST(s.quantity AS INTEGER) < r.units;
SELECT line, code FROM problems;
-- With a problem the script ends here, and the transaction with it.
CREATE TEMP TABLE verdict (problems INTEGER CHECK (problems = 0));
INSERT INTO verdict SELECT count(*) FROM problems;
INSERT INTO batches (kind, state, key, sha256, actor, source, at, mode, total, applied, unchanged, rejected, first_entry, last_entry)
  SELECT 'stock', 'applied', 'shell', 'shell', 'shell', 'import', 1800000000000, 'atomic', count(*), count(*), 0, 0,
    (SELECT max(id) + 1 FROM ledger), (SELECT max(id) FROM ledger) + count(*) FROM staged;
INSERT INTO ledger (kind, pet_id, delta, quantity_after, batch_id, line)
  SELECT 'count', t.pet_id, CAST(s.quantity AS INTEGER) - t.quantity, CAST(s.quantity AS INTEGER),
    (SELECT max(id) FROM batches), s.rowid + 1
  FROM staged s JOIN stock t ON t.pet_id = CAST(s.petId AS INTEGER)
  WHERE CAST(s.quantity AS INTEGER) <> t.quantity;
UPDATE stock SET quantity = CAST(s.quantity AS INTEGER)
  FROM staged s
  WHERE stock.pet_id = CAST(s.petId AS INTEGER) AND stock.quantity <> CAST(s.quantity AS INTEGER);
COMMIT;
