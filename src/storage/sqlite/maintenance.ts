import type { EngineMaintenance, MaintenanceContext } from '../engine-definition.js';
import { driverFor } from './driver.js';

async function withDriver<Context extends Pick<MaintenanceContext, 'nativeBinding'>>(context: Context) {
  return { ...context, driver: await driverFor(context.nativeBinding) };
}

/** Maintenance of a shop in an SQLite file. */
export const maintenance: EngineMaintenance = {
  state: async ({ store, strict = false, ...context }) =>
    (await import('./maintenance/shop-state.js')).stateOfFile(store, { ...(await withDriver(context)), strict }),
  backup: async (context, request) => (await import('./maintenance/backup.js')).backupFile(context.store, request, await withDriver(context)),
  restore: async (context, request) => (await import('./maintenance/restore.js')).restoreFile(context.store, request, await withDriver(context)),
  check: async (context, request) => (await import('./maintenance/doctor.js')).checkShopFile(context.store, request, await withDriver(context)),
};
