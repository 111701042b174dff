import { StoreError } from '../../domain/errors.js';
import type {
  BackupReport,
  BackupRequest,
  DoctorReport,
  DoctorRequest,
  RestoreReport,
  RestoreRequest,
  ShopState,
} from '../../domain/maintenance/maintenance.js';
import { isDatabase, isServer } from '../../domain/values/address-kind.js';
import type { Caller } from '../../domain/caller.js';
import { openEngine, type OpenOptions } from '../engines.js';
import { checkRules } from './check-rules.js';
import type { Driver } from '../sqlite/driver.js';

/** Which shop is looked after, how it is opened, and who does it. */
export interface MaintenanceContext extends Pick<OpenOptions, 'store' | 'where' | 'waitSeconds' | 'nativeBinding'>, Pick<Caller, 'actor' | 'clock'> {}

/** Refuses every place but a file, with what to use instead. */
function requireFile({ store, where }: MaintenanceContext, verb: string, instead: string): void {
  if (isServer(store))
    throw new StoreError(
      'usage',
      `petstore ${verb} works on the file of a shop, and ${where} is the address of a server.`,
      'Run it on the machine of the server, where the shop lives.',
    );
  if (isDatabase(store)) throw new StoreError('usage', `petstore ${verb} works on the file of a shop, and ${where} is a PostgreSQL database.`, instead);
}

async function withDriver(care: MaintenanceContext): Promise<MaintenanceContext & { readonly driver: Driver }> {
  const { driverFor } = await import('../sqlite/driver.js');
  return { ...care, driver: await driverFor(care.nativeBinding) };
}

/**
 * How far the shop in a file goes, found without a change to any byte of it; undefined without one, and for other places.
 * With `strict` refuses a file whose schema petstore did not make, with `store_unreadable`.
 */
export async function existingShopState(
  { store, waitSeconds, nativeBinding }: Pick<OpenOptions, 'store' | 'waitSeconds' | 'nativeBinding'>,
  { strict = false }: { readonly strict?: boolean } = {},
): Promise<ShopState | undefined> {
  if (isServer(store) || isDatabase(store)) return undefined;
  const [{ stateOfFile }, { driverFor }] = await Promise.all([import('../sqlite/maintenance/shop-state.js'), import('../sqlite/driver.js')]);
  return stateOfFile(store, { waitSeconds, driver: await driverFor(nativeBinding) }, strict);
}

/** Writes a backup of the file of a shop; refuses other places with `usage`. */
export async function backupShop(care: MaintenanceContext, request: BackupRequest): Promise<BackupReport> {
  requireFile(care, 'backup', 'Use pg_dump, or petstore copy to a file.');
  return (await import('../sqlite/maintenance/backup.js')).backupFile(care.store, request, await withDriver(care));
}

/** Makes the file of a shop what it was when it was backed up; refuses other places with `usage`. */
export async function restoreShop(care: MaintenanceContext, request: RestoreRequest): Promise<RestoreReport> {
  requireFile(care, 'restore', 'Use pg_restore, or petstore copy into an empty database.');
  return (await import('../sqlite/maintenance/restore.js')).restoreFile(care.store, request, await withDriver(care));
}

/** Looks a shop through; one in a database is held to the rules of every shop, and the rest is the database's. */
export async function checkShop(care: MaintenanceContext, request: DoctorRequest): Promise<DoctorReport> {
  if (!isDatabase(care.store)) {
    requireFile(care, 'doctor', '');
    return (await import('../sqlite/maintenance/doctor.js')).checkShopFile(care.store, request, await withDriver(care));
  }
  if (request.repair) requireFile(care, 'doctor --repair', 'Leave out --repair to look at the database.');
  const engine = await openEngine(care);
  try {
    const { checkGuards } = await import('../postgres/guards.js');
    const checks = await engine.read(async (queries) => [await checkGuards(queries), ...(await checkRules(queries))], true);
    return { ok: checks.every(({ status }) => status !== 'fail'), checks };
  } finally {
    await engine.close();
  }
}
