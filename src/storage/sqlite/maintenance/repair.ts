import type Database from 'better-sqlite3';
import { chmodSync } from 'node:fs';
import { repairStock } from '../../maintenance/repairs.js';
import { queriesOf } from '../connection.js';
import type { Driver } from '../driver.js';
import { isRepairable, isUnsafe, refuseUnsafeObjects, schemaDifference } from '../schema.js';
import type { FileAccess } from './shop-state.js';
import { openToOthers } from './file-checks.js';

/** Recreates indexes, triggers and views, and drops foreign ones that may run an expression. Tables cannot be recreated. */
function repairSchema(database: Database.Database, driver: Driver): readonly string[] {
  const { missing, changed, foreign } = schemaDifference(database, driver);
  const [created, restored] = [missing.filter(isRepairable), changed.filter(isRepairable)];
  const removed = foreign.filter((object) => isRepairable(object) && isUnsafe(object));
  for (const { type, name } of [...restored, ...removed]) database.exec(`DROP ${type} "${name.replaceAll('"', '""')}"`);
  for (const { sql } of [...created, ...restored]) database.exec(sql);
  return [
    ...created.map(({ type, name }) => `Recreate the ${type} ${name}.`),
    ...restored.map(({ type, name }) => `Restore the ${type} ${name}.`),
    ...removed.map(({ type, name }) => `Remove the ${type} ${name}, which petstore did not create.`),
  ];
}

/** Repairs a shop in one transaction, which is rolled back in a dry run; returns what was repaired, as sentences. */
export async function repairFile(database: Database.Database, store: string, { driver }: FileAccess, dryRun: boolean): Promise<readonly string[]> {
  database.exec('BEGIN IMMEDIATE');
  try {
    const schema = repairSchema(database, driver);
    refuseUnsafeObjects(database, store, driver);
    const stock = await repairStock(queriesOf(database));
    database.exec(dryRun ? 'ROLLBACK' : 'COMMIT');
    const open = openToOthers(store);
    if (!dryRun) for (const path of open) chmodSync(path, 0o600);
    return [...schema, ...stock, ...open.map((path) => `Make ${path} readable only by its owner.`)];
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
