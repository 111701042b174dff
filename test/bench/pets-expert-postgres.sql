-- New pets as an expert writes them for psql: the file staged in a temporary table before the lock is taken, then one
-- statement for each table.
\set ON_ERROR_STOP on
-- A quantity that is not a number stops the script here.
CREATE TEMP TABLE staged (number BIGINT GENERATED ALWAYS AS IDENTITY, name TEXT NOT NULL, category TEXT NOT NULL, quantity BIGINT NOT NULL);
\copy staged (name, category, quantity) FROM pstdin CSV HEADER
ANALYZE staged;
BEGIN;
SET LOCAL work_mem = '64MB';
SELECT 1 FROM shop WHERE id = 1 FOR UPDATE;
INSERT INTO batches (id, kind, state, key, sha256, actor, source, at, mode, total, applied, unchanged, rejected, first_entry, last_entry)
  SELECT (SELECT max(id) + 1 FROM batches), 'pets', 'applied', 'expert', 'expert', 'expert', 'import', 1800000000000, 'atomic', count(*), count(*), 0, 0,
    (SELECT max(id) + 1 FROM ledger), (SELECT max(id) FROM ledger) + count(*) FROM staged;
INSERT INTO categories (id, name, folded)
  SELECT (SELECT max(id) FROM categories) + row_number() OVER (ORDER BY s.category), s.category, lower(s.category)
  FROM (SELECT DISTINCT category FROM staged) s WHERE NOT EXISTS (SELECT 1 FROM categories c WHERE c.name = s.category AND c.archived = 0);
SELECT max(id) AS last FROM pets \gset
INSERT INTO pets (id, name, folded, category_id)
  SELECT :last + s.number, s.name, lower(s.name), c.id FROM staged s JOIN categories c ON c.name = s.category AND c.archived = 0;
INSERT INTO stock (pet_id, quantity) SELECT :last + number, quantity FROM staged;
INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id)
  SELECT (SELECT max(id) FROM ledger) + number, 'opening', :last + number, quantity, quantity, (SELECT max(id) FROM batches) FROM staged;
COMMIT;
