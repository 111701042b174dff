import { StoreError } from '../../domain/errors.js';
import type { EngineMaintenance } from '../engine-definition.js';
import { checkRules } from '../maintenance/check-rules.js';
import { checkAndRepair, repairStock } from '../maintenance/repairs.js';
import { openPostgres } from './engine.js';
import { checkTriggers } from './schema.js';

function notForDatabases(where: string, verb: string, instead: string): StoreError {
  return new StoreError('usage', `petstore ${verb} works on files, and ${where} is a PostgreSQL database.`, { advice: instead });
}

/** Maintenance of a shop in a PostgreSQL database: petstore checks the rules of the shop, and repairs its stock; backups are left to the tools of PostgreSQL. */
export const maintenance: EngineMaintenance = {
  state: async () => undefined,
  backup: async ({ where }) => {
    throw notForDatabases(where, 'backup', 'Use pg_dump, or petstore copy to a file.');
  },
  restore: async ({ where }) => {
    throw notForDatabases(where, 'restore', 'Use pg_restore, or petstore copy into an empty database.');
  },
  check: async ({ store, where, waitSeconds }, request) => {
    const engine = await openPostgres(store, { where, waitSeconds });
    try {
      const examine = () => engine.read(async (queries) => [await checkTriggers(queries), ...(await checkRules(queries))]);
      return await checkAndRepair(request, examine, (_, dryRun) => engine.write(repairStock, { dryRun }));
    } finally {
      await engine.close();
    }
  },
};
