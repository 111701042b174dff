import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '../domain/caller.js';
import { StoreError } from '../domain/errors.js';
import type { Shop } from '../domain/shop.js';
import { isServerAddress } from '../domain/values/address-kind.js';
import type { Settings } from '../settings/settings.js';
import { nativeBinding } from './native-binding.js';

/** Refuses the address of a server with `usage`, for a command that needs a file or a database. */
export function requireLocalStore(address: string, problem: string): void {
  if (isServerAddress(address)) throw new StoreError('usage', `${problem}: ${address}.`, { advice: 'Give the path of a file with --store.' });
}

function callerOf(settings: Settings): Caller {
  return { actor: settings.actor, source: 'cli', clock: () => Date.now() };
}

async function openRemote({ store, tokenSource, actor, waitSeconds, insecure, ...settings }: Settings): Promise<Shop> {
  const [{ remoteShop }, { randomUUID }] = await Promise.all([import('../http/client/remote-shop.js'), import('node:crypto')]);
  const token = tokenSource === undefined ? settings.token : (await import('../settings/token-source.js')).readToken(tokenSource);
  return remoteShop({ address: new URL(store), token, actor, waitSeconds, insecure, randomText: randomUUID });
}

/** Opens the shop that the settings name: through a running server for its address, otherwise with the engine of a file or database. Refuses like the client or the engine. */
export async function openStore(home: string, settings: Settings): Promise<Shop> {
  if (isServerAddress(settings.store)) return openRemote(settings);
  const [{ localShop }, { openEngine }] = await Promise.all([import('../storage/shop.js'), import('../storage/engines.js')]);
  const engine = await openEngine({ ...settings, readOnly: settings.readOnly === 'variable', nativeBinding: nativeBinding(home) });
  return localShop(engine, callerOf(settings), settings.where);
}

/** Creates the shop that the settings name unless it exists; with `sample` fills an empty one. Refuses a server with `usage`. */
export async function createStore(home: string, settings: Settings, sample: boolean): Promise<{ readonly created: boolean; readonly filled: boolean }> {
  requireLocalStore(settings.store, 'petstore init cannot create a shop on a server');
  const options = { ...settings, readOnly: false, nativeBinding: nativeBinding(home) };
  const { existingShopState } = await import('../storage/engines.js');
  const existing = await existingShopState(options);
  if (existing && (!sample || existing.pets > 0)) return { created: false, filled: false };
  let created = false;
  const { openEngine } = await import('../storage/engines.js');
  const engine = await openEngine({ ...options, create: true, onCreated: () => (created = true) });
  try {
    if (!sample) return { created, filled: false };
    const { fillSample } = await import('../storage/sample.js');
    const content: unknown = JSON.parse(readFileSync(join(home, 'data', 'sample.json'), 'utf8'));
    return { created, filled: await fillSample(engine, callerOf(settings), content) };
  } finally {
    await engine.close();
  }
}
