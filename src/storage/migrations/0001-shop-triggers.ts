import { shopColumns } from './0001-shop-tables.js';

const appendOnly = 'the ledger is append-only';
const asRecorded = 'an import is kept as it was recorded';

/** All columns of a batch except its state: they never change. */
const recordedColumns = Object.keys(shopColumns.batches).filter((column) => column !== 'state');
const changesBatch = (differs: string): string =>
  `OLD.state NOT IN ('applied', 'partial') OR NEW.state <> 'undone' OR ${recordedColumns.map((column) => `NEW.${column} ${differs} OLD.${column}`).join(' OR ')}`;

/** True for an explicit id that is not greater than all others. In a BEFORE INSERT trigger, NEW.id is -1 when SQLite chooses the id. */
function isOldId(table: string): string {
  return `NEW.id <> -1 AND NEW.id <= (SELECT id FROM ${table} ORDER BY id DESC LIMIT 1)`;
}

const isReserving = (row: string): string => `${row}.state = 'open' AND ${row}.pet_id IS NOT NULL`;
const refuseRow = (message: string): string => `BEGIN SELECT RAISE(ABORT, '${message}'); END`;

/**
 * The triggers of SQLite. A ledger entry whose id is not greater than all others is refused: INSERT OR REPLACE deletes the row it
 * conflicts with and fires no delete trigger unless the client turned on recursive_triggers; the conflict may also be on `reverses`.
 * The entries of an import take time, actor and note from the batch, which is protected in the same way.
 */
export const sqliteTriggers = [
  `CREATE TRIGGER ledger_keeps_rows BEFORE DELETE ON ledger
      ${refuseRow(appendOnly)}`,
  `CREATE TRIGGER ledger_keeps_values BEFORE UPDATE ON ledger
      ${refuseRow(appendOnly)}`,
  `CREATE TRIGGER ledger_keeps_order BEFORE INSERT ON ledger
      WHEN (${isOldId('ledger')}) OR (NEW.reverses IS NOT NULL AND EXISTS (SELECT 1 FROM ledger WHERE reverses = NEW.reverses))
      ${refuseRow(appendOnly)}`,
  `CREATE TRIGGER batches_keep_order BEFORE INSERT ON batches WHEN ${isOldId('batches')}
      ${refuseRow(asRecorded)}`,
  `CREATE TRIGGER batches_keep_rows BEFORE DELETE ON batches
      ${refuseRow(asRecorded)}`,
  `CREATE TRIGGER batches_keep_values BEFORE UPDATE ON batches
      WHEN ${changesBatch('IS NOT')}
      ${refuseRow(asRecorded)}`,
  `CREATE TRIGGER orders_reserve AFTER INSERT ON orders WHEN ${isReserving('new')}
      BEGIN UPDATE stock SET reserved = reserved + new.quantity WHERE pet_id = new.pet_id; END`,
  `CREATE TRIGGER orders_release AFTER UPDATE OF state, pet_id, quantity ON orders WHEN ${isReserving('old')}
      BEGIN UPDATE stock SET reserved = reserved - old.quantity WHERE pet_id = old.pet_id; END`,
  `CREATE TRIGGER orders_reserve_again AFTER UPDATE OF state, pet_id, quantity ON orders WHEN ${isReserving('new')}
      BEGIN UPDATE stock SET reserved = reserved + new.quantity WHERE pet_id = new.pet_id; END`,
];

/** A trigger function of PostgreSQL. */
function triggerFunction(name: string, body: string): string {
  return `CREATE FUNCTION ${name}() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      ${body} $$`;
}

const addedRows = 'REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION';

/**
 * The triggers of PostgreSQL. A trigger per row takes longer than one per statement: if the ids of a statement have no gap and end
 * with the highest id, the other entries need not be read. For the same reason the references of pets and stock, which take a third
 * of an import as foreign keys, are checked for a statement; the rows they refer to are never removed.
 */
export const postgresTriggers = [
  triggerFunction('ledger_keeps', `BEGIN RAISE EXCEPTION '${appendOnly}'; END`),
  // The dynamic query, which takes longer, is for ids with gaps, and for the case that a temporary table named ledger hides this one.
  triggerFunction(
    'ledger_keeps_order',
    `DECLARE lowest BIGINT; highest BIGINT; inserted BIGINT; newest BIGINT; beyond BIGINT;
      BEGIN
        SELECT min(id), max(id), count(*) INTO lowest, highest, inserted FROM added;
        IF inserted = 0 THEN RETURN NULL; END IF;
        IF to_regclass('ledger') = TG_RELID THEN
          SELECT max(id) INTO newest FROM ledger;
          IF highest = newest AND highest - lowest + 1 = inserted THEN RETURN NULL; END IF;
        END IF;
        EXECUTE format('SELECT count(*) FROM %s WHERE id >= $1', TG_RELID::regclass) INTO beyond USING lowest;
        IF beyond <> inserted THEN RAISE EXCEPTION '${appendOnly}'; END IF;
        RETURN NULL;
      END`,
  ),
  triggerFunction('batches_keep', `BEGIN RAISE EXCEPTION '${asRecorded}'; END`),
  triggerFunction('rows_keep', `BEGIN RAISE EXCEPTION 'ids and rows of % are kept', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation'; END`),
  triggerFunction(
    'refers_to',
    `DECLARE missing BIGINT;
      BEGIN
        EXECUTE format('SELECT min(a.%1$I) FROM added a WHERE NOT EXISTS (SELECT 1 FROM %2$I.%3$I r WHERE r.id = a.%1$I)',
          TG_ARGV[0], TG_TABLE_SCHEMA, TG_ARGV[1]) INTO missing;
        IF missing IS NULL THEN RETURN NULL; END IF;
        RAISE EXCEPTION 'there is no row % in %', missing, TG_ARGV[1] USING ERRCODE = 'foreign_key_violation';
      END`,
  ),
  triggerFunction(
    'orders_reserve',
    `BEGIN
        IF TG_OP = 'UPDATE' THEN IF ${isReserving('OLD')} THEN
          UPDATE stock SET reserved = reserved - OLD.quantity WHERE pet_id = OLD.pet_id;
        END IF; END IF;
        IF ${isReserving('NEW')} THEN
          UPDATE stock SET reserved = reserved + NEW.quantity WHERE pet_id = NEW.pet_id;
        END IF;
        RETURN NULL;
      END`,
  ),
  'CREATE TRIGGER ledger_keeps_rows BEFORE DELETE ON ledger FOR EACH ROW EXECUTE FUNCTION ledger_keeps()',
  'CREATE TRIGGER ledger_keeps_values BEFORE UPDATE ON ledger FOR EACH ROW EXECUTE FUNCTION ledger_keeps()',
  `CREATE TRIGGER ledger_keeps_order AFTER INSERT ON ledger ${addedRows} ledger_keeps_order()`,
  'CREATE TRIGGER ledger_keeps_table BEFORE TRUNCATE ON ledger FOR EACH STATEMENT EXECUTE FUNCTION ledger_keeps()',
  'CREATE TRIGGER batches_keep_rows BEFORE DELETE ON batches FOR EACH ROW EXECUTE FUNCTION batches_keep()',
  'CREATE TRIGGER batches_keep_table BEFORE TRUNCATE ON batches FOR EACH STATEMENT EXECUTE FUNCTION batches_keep()',
  `CREATE TRIGGER batches_keep_values BEFORE UPDATE ON batches FOR EACH ROW
      WHEN (${changesBatch('IS DISTINCT FROM')})
      EXECUTE FUNCTION batches_keep()`,
  `CREATE TRIGGER pets_have_categories AFTER INSERT ON pets ${addedRows} refers_to('category_id', 'categories')`,
  `CREATE TRIGGER pets_have_categories_again AFTER UPDATE ON pets ${addedRows} refers_to('category_id', 'categories')`,
  `CREATE TRIGGER stock_has_pets AFTER INSERT ON stock ${addedRows} refers_to('pet_id', 'pets')`,
  'CREATE TRIGGER stock_keeps_pets BEFORE UPDATE OF pet_id ON stock FOR EACH STATEMENT EXECUTE FUNCTION rows_keep()',
  ...['pets', 'categories'].map(
    (table) => `CREATE TRIGGER ${table}_keep_rows BEFORE UPDATE OF id OR DELETE OR TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION rows_keep()`,
  ),
  'CREATE TRIGGER orders_reserve AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION orders_reserve()',
  'CREATE TRIGGER orders_reserve_again AFTER UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION orders_reserve()',
];
