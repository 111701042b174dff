-- A recount as an expert writes it for the sqlite3 shell: the key sorts the staged rows, so that the checks, the ledger
-- and the stock go through the shop in the order of its pages.
.bail on
.timeout 5000
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -64000;
-- A pet that is in the file twice, and an id that is not a number, stop the script here.
CREATE TEMP TABLE staged (petId INTEGER PRIMARY KEY, quantity INTEGER);
.import --csv --skip 1 --schema temp /dev/stdin staged
BEGIN IMMEDIATE;
-- With a problem the script ends at this check, and the transaction with it.
CREATE TEMP TABLE verdict (problems INTEGER CHECK (problems = 0));
INSERT INTO verdict SELECT count(*) FROM temp.staged
  WHERE typeof(quantity) <> 'integer' OR quantity NOT BETWEEN 0 AND 2147483647 OR petId NOT IN (SELECT pet_id FROM stock);
INSERT INTO verdict SELECT count(*) FROM (SELECT pet_id, sum(quantity) AS units FROM orders WHERE state = 'open' AND pet_id IS NOT NULL GROUP BY pet_id) r
  CROSS JOIN temp.staged s ON s.petId = r.pet_id WHERE s.quantity < r.units;
INSERT INTO batches (kind, state, key, sha256, actor, source, at, mode, total, applied, unchanged, rejected, first_entry, last_entry)
  SELECT 'stock', 'applied', 'expert', 'expert', 'expert', 'import', 1800000000000, 'atomic', count(*), count(*), 0, 0,
    (SELECT max(id) + 1 FROM ledger), (SELECT max(id) FROM ledger) + count(*) FROM temp.staged;
INSERT INTO ledger (kind, pet_id, delta, quantity_after, batch_id)
  SELECT 'count', t.pet_id, s.quantity - t.quantity, s.quantity, (SELECT max(id) FROM batches)
  FROM temp.staged s CROSS JOIN stock t ON t.pet_id = s.petId WHERE s.quantity <> t.quantity;
UPDATE stock SET quantity = s.quantity FROM temp.staged s WHERE stock.pet_id = +s.petId AND stock.quantity <> s.quantity;
COMMIT;
