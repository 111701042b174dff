import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processIo } from './cli/io.js';
import { run } from './cli/program.js';
import { type Setup } from './cli/groups.js';
import { StoreError } from './domain/errors.js';
import type { Shop } from './domain/shop.js';
import { placeOf, readSettings, type Settings } from './settings.js';
import type { Worker } from './storage/local.js';
import { version } from './version.js';

/** better-sqlite3 looks for its native part beside its own file, which a bundle is not. */
function nativeBinding(home: string): string | undefined {
  const addon = 'better-sqlite3/build/Release/better_sqlite3.node';
  // Beside the program in a checkout, among its neighbours when it was installed as a package.
  return [join(home, 'node_modules', addon), join(home, '..', addon)].find((path) => existsSync(path));
}

function workerOf(settings: Settings): Worker {
  return { actor: settings.actor, source: 'cli', clock: () => Date.now() };
}

/** Whether a shop lives behind a server. */
function isAddress(store: string): boolean {
  return /^https?:\/\//i.test(store);
}

function refuseAddress(store: string, reason: string): void {
  if (isAddress(store)) throw new StoreError('usage', `petstore ${reason}, not at ${store}.`, 'Give the path of a file with --store.');
}

async function openRemote({ store, token, actor, wait, insecure }: Settings): Promise<Shop> {
  const [{ remoteShop }, { spool }, { randomUUID }] = await Promise.all([import('./http/client.js'), import('./storage/spool.js'), import('node:crypto')]);
  return remoteShop({ address: new URL(store), token, actor, wait, insecure, randomText: randomUUID, spool });
}

function setupOf(home: string): Setup {
  return {
    version,
    settings: readSettings,
    serve: async (settings, flags) => {
      refuseAddress(settings.store, 'serve stands in front of a file');
      return (await import('./serving.js')).serveShop(home, nativeBinding(home), settings, flags);
    },
    openapi: async (options) => (await import('./http/openapi.js')).openApiDocument(options),
    open: async (settings) => {
      if (isAddress(settings.store)) return openRemote(settings);
      const [{ localShop }, { openEngine }] = await Promise.all([import('./storage/local.js'), import('./storage/open.js')]);
      const engine = await openEngine({ ...settings, nativeBinding: nativeBinding(home) });
      return localShop(engine, workerOf(settings), settings.where);
    },
    copy: async ({ wait }, { from, to, ...request }) => {
      const { copyPlaces } = await import('./storage/copy-places.js');
      return copyPlaces(placeOf(from), placeOf(to), { ...request, wait, nativeBinding: nativeBinding(home) });
    },
    lookUp: async ({ store }, noun, text) => {
      const [{ isDatabase }, { lookUpIn }] = await Promise.all([import('./storage/open.js'), import('./storage/sqlite/look-up.js')]);
      // A network may take its time, and somebody is waiting between two keys.
      return isAddress(store) || isDatabase(store) ? [] : lookUpIn(store, nativeBinding(home), noun, text);
    },
    completionScript: async (shell) => readFileSync(join(home, 'data', 'completion', `petstore.${shell}`), 'utf8'),
    init: async (settings, sample) => {
      refuseAddress(settings.store, 'init makes a shop in a file');
      let created = false;
      const { openEngine } = await import('./storage/open.js');
      const engine = await openEngine({ ...settings, create: true, onCreated: () => (created = true), nativeBinding: nativeBinding(home) });
      try {
        if (!sample) return { created, filled: false };
        const { fillSample } = await import('./storage/sample.js');
        const content: unknown = JSON.parse(readFileSync(join(home, 'data', 'sample.json'), 'utf8'));
        return { created, filled: await fillSample(engine, workerOf(settings), content) };
      } finally {
        await engine.close();
      }
    },
  };
}

/** Runs the command line of this process; `home` is the folder the program is installed in. */
export async function main(home: string): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), processIo(), setupOf(home));
}
