import { schemaVersionOf } from '../migrate.js';
import type Database from 'better-sqlite3';
import { chmodSync } from 'node:fs';
import { maximumQuantity } from '../../../domain/values/numbers.js';
import { pluralize } from '../../../domain/values/text.js';
import { brokenChains, entriesAfterGap } from '../../maintenance/ledger-rules.js';
import { namedPets, planReservedRepairs, repairReserved } from '../../maintenance/check-rules.js';
import { settingValue } from '../../tables/setting-table.js';
import { queriesOf } from '../connection.js';
import { refuseUnsafeObjects, schemaDifference, unsafeObjects, type SchemaObject } from '../schema.js';
import type { FileAccess } from './shop-state.js';
import { openToOthers } from './file-checks.js';

/** One repair. */
interface Repair {
  readonly message: string;
  readonly carryOut: () => void;
}

const messagesOf = (repairs: readonly Repair[]): readonly string[] => repairs.map(({ message }) => message);

/** The repairs of the stock as sentences: one for each of the first pets, and one for the others. */
function stockMessages(repairs: readonly Repair[]): readonly string[] {
  const more = repairs.length - namedPets;
  return [...messagesOf(repairs.slice(0, namedPets)), ...(more > 0 ? [`Set the stock of ${pluralize(more, 'more pet')} to the sum of the ledger.`] : [])];
}

type WrongStock = Readonly<{ petId: number; quantity: number | null; units: number }>;

/** Sets quantities to the sum of their ledger entries, where the entries are consistent. */
function stockRepairs(database: Database.Database): readonly Repair[] {
  const [{ text: missing, values }, { text: chains, values: more }] = [entriesAfterGap, brokenChains];
  // With missing entries the sum is not reliable.
  if (database.prepare(missing).get(...values) !== undefined) return [];
  const rows = database
    .prepare<unknown[], WrongStock>(
      `SELECT p.id AS petId, s.quantity, m.units FROM pets p LEFT JOIN stock s ON s.pet_id = p.id
       JOIN (SELECT pet_id, sum(delta) AS units FROM ledger WHERE delta IS NOT NULL GROUP BY pet_id) AS m ON m.pet_id = p.id
       WHERE p.archived = 0 AND s.quantity IS NOT m.units AND m.units BETWEEN 0 AND ${maximumQuantity} AND p.id NOT IN (SELECT id FROM (${chains})) ORDER BY p.id`,
    )
    .all(...more);
  return rows.map(({ petId, quantity, units }) => ({
    message: `Set the stock of pet ${petId} to ${units}, the sum of the ledger (was ${quantity ?? 'missing'}).`,
    carryOut: () =>
      void database
        .prepare(
          `INSERT INTO stock (pet_id, quantity, low_at) VALUES (?, ?, ${settingValue('lowAt').text}) ON CONFLICT (pet_id) DO UPDATE SET quantity = excluded.quantity`,
        )
        .run(petId, units),
  }));
}

/** Recreates indexes, triggers and views, and drops foreign ones that may run an expression. Tables cannot be recreated. */
function schemaRepairs(database: Database.Database, store: string, { driver }: FileAccess): readonly Repair[] {
  const { missing, changed, foreign } = schemaDifference(database, schemaVersionOf(database, store), driver);
  const unsafe = new Set(unsafeObjects(database, driver, 'writing').map(({ name }) => name));
  const drop = ({ type, name }: SchemaObject): void => void database.exec(`DROP ${type} "${name.replaceAll('"', '""')}"`);
  return [
    ...missing
      .filter(({ repairable }) => repairable)
      .map(({ type, name, sql }) => ({ message: `Recreate the ${type} ${name}.`, carryOut: () => void database.exec(sql) })),
    ...changed
      .filter(({ repairable }) => repairable)
      .map((object) => ({
        message: `Restore the ${object.type} ${object.name}.`,
        carryOut: () => {
          drop(object);
          database.exec(object.sql);
        },
      })),
    ...foreign
      .filter(({ repairable, name }) => repairable && unsafe.has(name))
      .map((object) => ({ message: `Remove the ${object.type} ${object.name}, which petstore did not create.`, carryOut: () => drop(object) })),
  ];
}

function permissionRepairs(store: string): readonly Repair[] {
  return openToOthers(store).map((path) => ({ message: `Make ${path} readable only by its owner.`, carryOut: () => chmodSync(path, 0o600) }));
}

/** The repairs that a shop needs, as sentences. */
export async function planRepairs(database: Database.Database, store: string, access: FileAccess): Promise<readonly string[]> {
  const [schema, files] = [schemaRepairs(database, store, access), permissionRepairs(store)];
  // Only once these objects are removed can the stock be read.
  if (unsafeObjects(database, access.driver, 'reading').length > 0) return [...messagesOf(schema), ...messagesOf(files)];
  const stock = stockRepairs(database);
  const reserved = await planReservedRepairs(queriesOf(database));
  return [...messagesOf(schema), ...stockMessages(stock), ...reserved, ...messagesOf(files)];
}

/** Repairs a shop in one transaction; returns what was repaired. */
export async function repairFile(database: Database.Database, store: string, access: FileAccess): Promise<readonly string[]> {
  database.exec('BEGIN IMMEDIATE');
  try {
    const schema = schemaRepairs(database, store, access);
    for (const { carryOut } of schema) carryOut();
    refuseUnsafeObjects(database, store, access.driver, 'reading');
    const stock = stockRepairs(database);
    for (const { carryOut } of stock) carryOut();
    const reserved = await repairReserved(queriesOf(database));
    database.exec('COMMIT');
    const files = permissionRepairs(store);
    for (const { carryOut } of files) carryOut();
    return [...messagesOf(schema), ...stockMessages(stock), ...reserved, ...messagesOf(files)];
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
