import { StoreError } from '../../domain/errors.js';
import type { CopyReport, CopyRequest } from '../../domain/maintenance/copy.js';
import { isServer } from '../../domain/values/address-kind.js';
import { checkEmpty, copyShop, inspectShop, type Home } from './copy-shop.js';
import { existingShopState } from '../maintenance/maintenance.js';
import { schemaVersion } from '../migrations/migrations.js';
import type { OpenOptions } from '../engine-definition.js';
import { engineOf, openEngine } from '../engines.js';

/** A place where a shop lives, or is to live. */
export type CopyPlace = Pick<OpenOptions, 'store' | 'where'>;

/** How a copy is made. */
export interface CopyOptions extends Pick<CopyRequest, 'dryRun' | 'onProgress'>, Pick<OpenOptions, 'waitSeconds' | 'nativeBinding'> {}

function refuseServer({ store, where }: CopyPlace): void {
  if (!isServer(store)) return;
  throw new StoreError(
    'usage',
    `A shop is copied from where it lives to where it will live, and ${where} is the address of a server.`,
    'Run petstore copy on the machine of the server, and name the file or the database behind it; the server may go on meanwhile.',
  );
}

type TargetOptions = CopyPlace & Pick<OpenOptions, 'waitSeconds' | 'nativeBinding'>;

/** Checks the target before it is opened, which would bring a file of an older version up to date: refuses one with anything in it. */
async function checkTarget({ where, ...options }: TargetOptions): Promise<void> {
  const found = await existingShopState(options, { strict: true });
  if (found === undefined || found.schemaVersion === schemaVersion || found.newestEntry === 0) return;
  throw new StoreError(
    'store_not_empty',
    `${where} is not empty (ledger ${found.newestEntry}); a shop is copied only to where none is yet.`,
    'Choose another place with --to.',
  );
}

/** Opens the place of a copy only to look; undefined where the copy would make a shop. */
async function openForDryRun(opening: OpenOptions): Promise<Home | undefined> {
  try {
    return { engine: await openEngine(opening), where: opening.where };
  } catch (error) {
    // What `init` makes is not missing to a copy; a database that has to be created first is.
    if (error instanceof StoreError && error.code === 'store_missing' && error.hint === 'petstore init') return undefined;
    throw error;
  }
}

async function dryRunCopy(source: Home, opening: OpenOptions, onProgress: CopyOptions['onProgress']): Promise<CopyReport['tables']> {
  const target = await openForDryRun(opening);
  try {
    if (target) await checkEmpty(target);
    return await inspectShop(source, onProgress);
  } finally {
    await target?.engine.close();
  }
}

async function copyTo(source: Home, opening: OpenOptions, onProgress: CopyOptions['onProgress']): Promise<CopyReport['tables']> {
  const target = { engine: await openEngine({ ...opening, create: true }), where: opening.where };
  try {
    return await copyShop(source, target, onProgress);
  } finally {
    await target.engine.close();
  }
}

/** Refuses a source without a shop with a hint that fits: what `init` makes would be empty. */
async function inSource<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'store_missing') throw error;
    throw new StoreError(error.code, error.message, 'Choose another shop with --from.');
  }
}

/**
 * Copies the shop of one place to another, which is set up where it is missing. Refuses the address of a server and one
 * and the same place with `usage`, and a place where anything stands with `store_not_empty`.
 */
export async function copyPlaces(from: CopyPlace, to: CopyPlace, { dryRun, onProgress, ...options }: CopyOptions): Promise<CopyReport> {
  refuseServer(from);
  refuseServer(to);
  if (engineOf(from.store).identity(from.store) === engineOf(to.store).identity(to.store))
    throw new StoreError('usage', `${from.where} and ${to.where} are one and the same place.`, 'Choose another place with --to.');
  await inSource(() => existingShopState({ ...options, ...from }, { strict: true }));
  await checkTarget({ ...options, ...to });
  const source = { engine: await inSource(() => openEngine({ ...options, ...from })), where: from.where };
  try {
    const tables = await (dryRun ? dryRunCopy : copyTo)(source, { ...options, ...to }, onProgress);
    return { from: from.where, to: to.where, tables, verified: !dryRun };
  } finally {
    await source.engine.close();
  }
}
