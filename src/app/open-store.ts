import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Setup } from '../cli/program-setup.js';
import type { Shop } from '../domain/shop.js';
import { isServerAddress } from '../domain/values/address-kind.js';
import type { Settings } from '../settings/settings.js';
import { nativeBinding } from './native-binding.js';

/** Where the program is installed, and its clock. */
export interface Surroundings {
  /** The folder of the installed program. */
  readonly home: string;
  readonly clock: () => number;
}

/** Opens the shop that the settings name: through a running server for its address, otherwise with the engine of a file or database. Refuses like the client or the engine. */
export async function openStore(surroundings: Surroundings, settings: Settings): Promise<Shop> {
  const { store, where, actor, tokenSource } = settings;
  if (isServerAddress(store)) {
    const { remoteShop } = await import('../http/client/remote-shop.js');
    const token = tokenSource === undefined ? settings.token : (await import('../settings/token-source.js')).readToken(tokenSource);
    return remoteShop({ ...settings, address: new URL(store), token });
  }
  const [{ localShop }, { openEngine }] = await Promise.all([import('../storage/shop.js'), import('../storage/engines.js')]);
  const engine = await openEngine({ ...settings, readOnly: settings.readOnly === 'variable', nativeBinding: nativeBinding(surroundings.home) });
  return localShop(engine, { actor, source: 'cli', clock: surroundings.clock }, where);
}

/** Creates the shop that the settings name unless it exists; with `sample` fills an empty one. Refuses a server with `usage`. */
export async function createStore(surroundings: Surroundings, settings: Settings, sample: boolean): ReturnType<Setup['init']> {
  const { existingShopState, openEngine } = await import('../storage/engines.js');
  const options = { ...settings, readOnly: false, nativeBinding: nativeBinding(surroundings.home) };
  const existing = await existingShopState(options);
  if (existing && (!sample || existing.pets > 0)) return { created: false, filled: false };
  let created = false;
  const engine = await openEngine({ ...options, create: true, onCreated: () => (created = true) });
  try {
    if (!sample) return { created, filled: false };
    const { fillSample } = await import('../storage/sample.js');
    const content: unknown = JSON.parse(readFileSync(join(surroundings.home, 'data', 'sample.json'), 'utf8'));
    return { created, filled: await fillSample(engine, { actor: settings.actor, source: 'cli', clock: surroundings.clock }, content) };
  } finally {
    await engine.close();
  }
}
