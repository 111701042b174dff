import { StoreError } from '../../domain/errors.js';
import type { CopyReport, CopyRequest } from '../../domain/maintenance/copy.js';
import { checkEmpty, copyShop, inspectShop, notEmpty, type OpenShop } from './copy-shop.js';
import { schemaVersion } from '../migrations/migrations.js';
import type { OpenOptions, ShopStateContext } from '../engine-definition.js';
import { engineOf, existingShopState, openEngine } from '../engines.js';

/** The address of the source or target of a copy, and its form for display. */
export type CopyStore = Pick<OpenOptions, 'store' | 'where'>;

/** Options of a copy. */
export interface CopyOptions extends Pick<CopyRequest, 'dryRun' | 'onProgress'>, Omit<ShopStateContext, 'store' | 'strict'> {}

/** Refuses a target that is not empty before opening it, because opening migrates an older file. */
async function checkTarget({ where, ...options }: CopyStore & Omit<ShopStateContext, 'strict'>): Promise<void> {
  const found = await existingShopState({ ...options, strict: true });
  if (found === undefined || found.schemaVersion === schemaVersion() || found.newestEntry === 0) return;
  throw notEmpty(where, found.pets);
}

/** Opens the target; undefined in a dry run of a copy that would create it. */
async function openTarget(opening: OpenOptions, dryRun: boolean): Promise<OpenShop | undefined> {
  try {
    return { engine: await openEngine({ ...opening, create: !dryRun }), where: opening.where };
  } catch (error) {
    // The copy creates a missing shop, but not a missing database.
    if (dryRun && error instanceof StoreError && error.code === 'store_missing' && error.details.reason !== 'database_missing') return undefined;
    throw error;
  }
}

async function copyTo(source: OpenShop, opening: OpenOptions, { dryRun, onProgress }: CopyOptions): Promise<CopyReport['tables']> {
  const target = await openTarget(opening, dryRun);
  try {
    if (dryRun && target) await checkEmpty(target);
    if (dryRun || target === undefined) return await inspectShop(source, onProgress);
    const tables = await copyShop(source, target, onProgress);
    await target.engine.updateStatistics?.();
    return tables;
  } finally {
    await target?.engine.close();
  }
}

/** Replaces the advice for a missing source: `init` would create an empty shop. */
async function inSource<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'store_missing') throw error;
    throw new StoreError(error.code, error.message, { advice: 'Choose another shop with --from.' });
  }
}

/**
 * Copies a shop to another store and creates the target when it is missing. Refuses a server and equal addresses with
 * `usage`, and a target that is not empty with `store_not_empty`.
 */
export async function copyStores(from: CopyStore, to: CopyStore, options: CopyOptions): Promise<CopyReport> {
  if (engineOf(from.store).identity(from.store) === engineOf(to.store).identity(to.store))
    throw new StoreError('usage', `${from.where} and ${to.where} are the same store.`, { advice: 'Choose another target with --to.' });
  await inSource(() => existingShopState({ ...options, ...from, strict: true }));
  await checkTarget({ ...options, ...to });
  const source = { engine: await inSource(() => openEngine({ ...options, ...from })), where: from.where };
  try {
    const tables = await copyTo(source, { ...options, ...to }, options);
    return { from: from.where, to: to.where, tables, verified: !options.dryRun };
  } finally {
    await source.engine.close();
  }
}
