import { StoreError } from '../../domain/errors.js';
import type { ShopState } from '../../domain/maintenance/maintenance.js';
import { isServerAddress } from '../../domain/values/address-kind.js';
import type { EngineMaintenance, MaintenanceContext, ShopStateContext } from '../engine-definition.js';
import { engineOf } from '../engines.js';

/** The maintenance of the engine of a shop; refuses the address of a server with `usage`. `verb` is the command. */
export async function maintenanceOf({ store, where }: Pick<MaintenanceContext, 'store' | 'where'>, verb: string): Promise<EngineMaintenance> {
  if (isServerAddress(store))
    throw new StoreError('usage', `petstore ${verb} works on files, and ${where} is the address of a server.`, {
      advice: 'Run it on the machine of the server.',
    });
  return engineOf(store).maintenance();
}

/**
 * The state of an existing shop, read without changing it; undefined when there is none, or it is not a file. With
 * `strict` refuses a file whose schema petstore did not create with `store_unreadable`.
 */
export async function existingShopState(context: ShopStateContext): Promise<ShopState | undefined> {
  if (isServerAddress(context.store)) return undefined;
  return (await engineOf(context.store).maintenance()).state(context);
}
