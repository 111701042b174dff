import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { processIo } from '../cli/io.js';
import { run } from '../cli/program.js';
import { readOnlyRefusal } from '../cli/read-only.js';
import type { Setup } from '../cli/program-setup.js';
import { StoreError } from '../domain/errors.js';
import { isServer } from '../domain/values/address-kind.js';
import type { Shop } from '../domain/shop.js';
import { readSettings, type Settings } from '../settings/settings.js';
import { configStore } from '../settings/config-store.js';
import { storeAddress, sameStore } from '../settings/store-address.js';
import type { MaintenanceContext } from '../storage/engine-definition.js';
import type { Caller } from '../domain/caller.js';
import { version } from './version.js';

/** The first Node that better-sqlite3 13 runs on; it brings its native parts along, where 12 is compiled. */
const modernNode = 22;

/** Whether the C library is musl, by the name of its loader: a native part is for one library or the other. */
function isMusl(): boolean {
  const maps = '/proc/self/maps';
  return process.platform === 'linux' && existsSync(maps) && readFileSync(maps, 'latin1').includes('/ld-musl-');
}

/** The native part of better-sqlite3, which looks for it beside its own file, and a bundle is not that file. */
function nativeBinding(home: string): string | undefined {
  const modern = Number.parseInt(process.versions.node, 10) >= modernNode;
  const addons = [
    ...(modern ? [`better-sqlite3-13/prebuilds/${isMusl() ? 'linuxmusl' : process.platform}-${process.arch}.node`] : []),
    'better-sqlite3/build/Release/better_sqlite3.node',
  ];
  // Beside the program in a checkout or a package, among its neighbours where packages share a folder.
  return addons.flatMap((addon) => [join(home, 'node_modules', addon), join(home, '..', addon)]).find((path) => existsSync(path));
}

function workerOf(settings: Settings): Caller {
  return { actor: settings.actor, source: 'cli', clock: () => Date.now() };
}

function refuseServer(store: string, reason: string): void {
  if (isServer(store)) throw new StoreError('usage', `petstore ${reason}, not at ${store}.`, 'Give the path of a file with --store.');
}

async function openRemote({ store, token: given, tokenSource, actor, wait, insecure }: Settings): Promise<Shop> {
  const [{ remoteShop }, { storedFile }, { randomUUID }] = await Promise.all([
    import('../http/client/remote-shop.js'),
    import('../formats/stored-file.js'),
    import('node:crypto'),
  ]);
  const token = tokenSource === undefined ? given : (await import('../settings/token-source.js')).readToken(tokenSource);
  return remoteShop({ address: new URL(store), token, actor, wait, insecure, randomText: randomUUID, spool: storedFile });
}

function housekeepingOf(home: string): Setup['housekeeping'] {
  const contextOf = (settings: Settings): MaintenanceContext => ({
    ...settings,
    waitSeconds: settings.wait,
    clock: () => Date.now(),
    nativeBinding: nativeBinding(home),
  });
  return {
    backup: async (settings, request) => (await import('../storage/maintenance/maintenance.js')).backupShop(contextOf(settings), request),
    restore: async (settings, request) => (await import('../storage/maintenance/maintenance.js')).restoreShop(contextOf(settings), request),
    doctor: async (settings, request) => (await import('../storage/maintenance/maintenance.js')).checkShop(contextOf(settings), request),
  };
}

function setupOf(home: string): Setup {
  return {
    version,
    settings: readSettings,
    configuration: configStore,
    serve: async (settings, flags) => {
      refuseServer(settings.store, 'serve stands in front of a file');
      return (await import('./serve.js')).serveShop(home, nativeBinding(home), settings, flags);
    },
    openapi: async (options) => (await import('../http/openapi/document.js')).openApiDocument(options),
    open: async (settings) => {
      if (isServer(settings.store)) return openRemote(settings);
      const [{ localShop }, { openEngine }] = await Promise.all([import('../storage/shop.js'), import('../storage/engines.js')]);
      const engine = await openEngine({ ...settings, waitSeconds: settings.wait, nativeBinding: nativeBinding(home) });
      return localShop(engine, workerOf(settings), settings.where);
    },
    copy: async (settings, { from, to, ...request }) => {
      const { wait: waitSeconds } = settings;
      if (settings.readOnly && sameStore(storeAddress(to).store, settings.store)) throw readOnlyRefusal(settings);
      const { copyPlaces } = await import('../storage/copy/copy-stores.js');
      return copyPlaces(storeAddress(from), storeAddress(to), { ...request, waitSeconds, nativeBinding: nativeBinding(home) });
    },
    housekeeping: housekeepingOf(home),
    lookUp: async ({ store }, noun, text) => {
      // A round trip over the network takes too long between two key presses.
      if (isServer(store)) return [];
      const { engineOf } = await import('../storage/engines.js');
      return (await engineOf(store).lookUp?.(store, nativeBinding(home), noun, text)) ?? [];
    },
    guide: {
      chapters: () => readdirSync(join(home, 'data', 'guide')).map((file) => basename(file, '.md')),
      read: (chapter) => readFileSync(join(home, 'data', 'guide', `${chapter}.md`), 'utf8'),
    },
    completionScript: async (shell) => readFileSync(join(home, 'data', 'completion', `petstore.${shell}`), 'utf8'),
    init: async (settings, sample) => {
      refuseServer(settings.store, 'init makes a shop in a file');
      const { existingShopState } = await import('../storage/maintenance/maintenance.js');
      const found = await existingShopState({ ...settings, waitSeconds: settings.wait, nativeBinding: nativeBinding(home) });
      if (found && (!sample || found.pets > 0)) return { created: false, filled: false };
      let created = false;
      const { openEngine } = await import('../storage/engines.js');
      const engine = await openEngine({
        ...settings,
        waitSeconds: settings.wait,
        create: true,
        onCreated: () => (created = true),
        nativeBinding: nativeBinding(home),
      });
      try {
        if (!sample) return { created, filled: false };
        const { fillSample } = await import('../storage/sample.js');
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
