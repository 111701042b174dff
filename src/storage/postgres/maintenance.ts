import { StoreError } from '../../domain/errors.js';
import type { DoctorReport, DoctorRequest } from '../../domain/maintenance/maintenance.js';
import type { Engine } from '../engine.js';
import type { EngineMaintenance } from '../engine-definition.js';
import { checkRules } from '../maintenance/check-rules.js';
import { repairStock } from '../maintenance/repairs.js';
import { openPostgres } from './engine.js';
import { checkGuards } from './schema.js';

function notForDatabases(where: string, verb: string, instead: string): StoreError {
  return new StoreError('usage', `petstore ${verb} works on files, and ${where} is a PostgreSQL database.`, { advice: instead });
}

/** Runs all checks on one snapshot. */
async function checksOf(engine: Engine): Promise<Pick<DoctorReport, 'ok' | 'checks'>> {
  const checks = await engine.read(async (queries) => [await checkGuards(queries), ...(await checkRules(queries))]);
  return { ok: checks.every(({ status }) => status !== 'fail'), checks };
}

/** Checks a shop. With `repair` it also sets the stock and the reserved units, after `confirm`. */
async function check(engine: Engine, { repair, dryRun, confirm }: DoctorRequest): Promise<DoctorReport> {
  const found = await checksOf(engine);
  if (!repair) return found;
  const plan = await engine.write(repairStock, { dryRun: true });
  if (plan.length === 0) return { ...found, repaired: [] };
  await confirm(plan);
  if (dryRun) return { ...found, repaired: plan };
  const repaired = await engine.write(repairStock);
  return { ...(await checksOf(engine)), repaired };
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
      return await check(engine, request);
    } finally {
      await engine.close();
    }
  },
};
