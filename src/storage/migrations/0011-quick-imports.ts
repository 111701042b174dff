import type { Migration } from './migration.js';

/** A trigger function that refuses rows when a query finds one. */
function refuseWhen(name: string, query: string, message: string): string {
  return `CREATE FUNCTION ${name}() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (${query}) THEN
          RAISE EXCEPTION '${message}' USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NULL;
      END $$`;
}

const addedRows = 'REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION';
const removedRows = 'REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION';
const petsHaveCategories =
  'SELECT 1 FROM (SELECT DISTINCT category_id FROM added) AS a WHERE NOT EXISTS (SELECT 1 FROM categories c WHERE c.id = a.category_id)';

/**
 * Faster imports in PostgreSQL. It checks a foreign key with a query for each row, which took a third of an import of pets:
 * triggers check all rows of a statement at once instead, with the same error. Staged moves are rows without an index,
 * written by COPY; they were arrays. A staged pet has the number from which its id is computed.
 */
export const quickImports = {
  version: 11,
  columns: { staged_pets: { number: 'number' } },
  sqlite: [],
  postgres: [
    'DROP TABLE staged_moves',
    `CREATE TABLE staged_moves (
      run TEXT COLLATE "C" NOT NULL,
      number BIGINT NOT NULL,
      pet_id BIGINT NOT NULL,
      before BIGINT,
      after BIGINT,
      origin BIGINT NOT NULL,
      superseded SMALLINT,
      shortage SMALLINT,
      kind TEXT COLLATE "C",
      note TEXT COLLATE "C"
    )`,
    'DELETE FROM staged_pets',
    'ALTER TABLE staged_pets ADD COLUMN number BIGINT NOT NULL',
    // An import adds the stock of consecutive pets: these are counted instead of being looked up one by one.
    `CREATE FUNCTION stock_has_pets() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      DECLARE lowest BIGINT; highest BIGINT; inserted BIGINT; existing BIGINT;
      BEGIN
        SELECT min(pet_id), max(pet_id), count(*) INTO lowest, highest, inserted FROM added;
        IF highest - lowest + 1 = inserted THEN
          SELECT count(*) INTO existing FROM pets WHERE id BETWEEN lowest AND highest;
          IF existing = inserted THEN RETURN NULL; END IF;
        END IF;
        IF EXISTS (SELECT 1 FROM added a WHERE NOT EXISTS (SELECT 1 FROM pets p WHERE p.id = a.pet_id)) THEN
          RAISE EXCEPTION 'stock of a pet that does not exist' USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NULL;
      END $$`,
    refuseWhen('pets_have_categories', petsHaveCategories, 'a pet of a category that does not exist'),
    refuseWhen('pets_keep_stock', 'SELECT 1 FROM removed r JOIN stock s ON s.pet_id = r.id', 'a pet with stock is kept'),
    refuseWhen('categories_keep_pets', 'SELECT 1 FROM removed r JOIN pets p ON p.category_id = r.id', 'a category with pets is kept'),
    `CREATE FUNCTION ids_are_kept() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'an id never changes'; END $$`,
    `CREATE TRIGGER stock_has_pets AFTER INSERT ON stock ${addedRows} stock_has_pets()`,
    'CREATE TRIGGER stock_keeps_ids BEFORE UPDATE OF pet_id ON stock FOR EACH ROW WHEN (OLD.pet_id <> NEW.pet_id) EXECUTE FUNCTION ids_are_kept()',
    `CREATE TRIGGER pets_have_categories AFTER INSERT ON pets ${addedRows} pets_have_categories()`,
    `CREATE TRIGGER pets_have_categories_again AFTER UPDATE ON pets ${addedRows} pets_have_categories()`,
    `CREATE TRIGGER pets_keep_stock AFTER DELETE ON pets ${removedRows} pets_keep_stock()`,
    'CREATE TRIGGER pets_keep_ids BEFORE UPDATE OF id ON pets FOR EACH ROW WHEN (OLD.id <> NEW.id) EXECUTE FUNCTION ids_are_kept()',
    `CREATE TRIGGER categories_keep_pets AFTER DELETE ON categories ${removedRows} categories_keep_pets()`,
    'CREATE TRIGGER categories_keep_ids BEFORE UPDATE OF id ON categories FOR EACH ROW WHEN (OLD.id <> NEW.id) EXECUTE FUNCTION ids_are_kept()',
    'CREATE TRIGGER categories_keep_table BEFORE TRUNCATE ON categories FOR EACH STATEMENT EXECUTE FUNCTION ids_are_kept()',
    'ALTER TABLE stock DROP CONSTRAINT stock_pet_id_fkey',
    'ALTER TABLE pets DROP CONSTRAINT pets_category_id_fkey',
  ],
} satisfies Migration;
