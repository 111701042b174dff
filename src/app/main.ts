import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { processIo } from '../cli/io.js';
import { run } from '../cli/program.js';
import { readOnlyRefusal } from '../cli/guarded-setup.js';
import type { Setup } from '../cli/program-setup.js';
import type { Settings } from '../settings/settings.js';
import { storeAddress, sameStore } from '../settings/store-address.js';
import type { EngineMaintenance, MaintenanceContext } from '../storage/engine-definition.js';
import type { Document } from '../mcp/tools.js';
import { nativeBinding } from './native-binding.js';
import { createStore, openStore, type Surroundings } from './open-store.js';
import { driverFor } from '../storage/sqlite/driver.js';
import { commit, version, versionLine } from './version.js';

/** Works with the maintenance of the shop of the settings, which is loaded for it. */
async function maintain<T>({ home, clock }: Surroundings, settings: Settings, work: MaintenanceWork<T>): Promise<T> {
  const { engineOf } = await import('../storage/engines.js');
  return work(await engineOf(settings.store).maintenance(), { ...settings, clock, nativeBinding: nativeBinding(home) });
}

type MaintenanceWork<T> = (maintenance: EngineMaintenance, context: MaintenanceContext) => Promise<T>;

/** What the command line needs of the layers above it; `build` is the folder of this build. */
export function setupOf(surroundings: Surroundings, build: string): Setup {
  const { home } = surroundings;
  return {
    version: versionLine,
    about: async () => ({
      version,
      commit,
      node: process.versions.node,
      sqlite: (await driverFor(nativeBinding(home))).version(),
      platform: `${process.platform}-${process.arch}`,
    }),
    serve: async (settings, flags) => (await import('./serve.js')).serveShop(surroundings, build, settings, flags),
    mcp: async (session) => {
      const [{ serveTools }, { openApiDocument }] = await Promise.all([import('../mcp/server.js'), import('../http/openapi/document.js')]);
      await serveTools({ ...session, version, document: openApiDocument() as unknown as Document });
    },
    hooks: {
      deliver: async (settings, once, onSent) => (await import('./hooks.js')).deliverHooks(surroundings, settings, once, onSent),
      test: async (settings, hookId) => (await import('./hooks.js')).testHook(surroundings, settings, hookId),
    },
    openapi: async (options) => (await import('../http/openapi/document.js')).openApiDocument(options),
    open: (settings) => openStore(surroundings, settings),
    copy: async (settings, { from, to, ...request }) => {
      const { waitSeconds } = settings;
      if (settings.readOnly === 'profile' && sameStore(storeAddress(to).store, settings.store)) throw readOnlyRefusal(settings);
      const { copyStores } = await import('../storage/copy/copy-stores.js');
      return copyStores(storeAddress(from), storeAddress(to), { ...request, waitSeconds, nativeBinding: nativeBinding(home) });
    },
    maintenance: {
      backup: (settings, request) => maintain(surroundings, settings, ({ backup }, context) => backup(context, request)),
      restore: (settings, request) => maintain(surroundings, settings, ({ restore }, context) => restore(context, request)),
      doctor: (settings, request) => maintain(surroundings, settings, ({ check }, context) => check(context, request)),
    },
    lookUp: async ({ store, where }, noun, text) =>
      (await import('../storage/engines.js')).recordsIn({ store, where, nativeBinding: nativeBinding(home) }, noun, text),
    guide: {
      chapters: () => readdirSync(join(home, 'data', 'guide')).map((file) => basename(file, '.md')),
      read: (chapter) => readFileSync(join(home, 'data', 'guide', `${chapter}.md`), 'utf8'),
    },
    completionScript: async (shell) => readFileSync(join(home, 'data', 'completion', `petstore.${shell}`), 'utf8'),
    jq: async (expression) => (await import('./jq-thread.js')).jqThread(build, expression),
    init: (settings, sample) => createStore(surroundings, settings, sample),
  };
}

/**
 * Runs the command line of this process, sets its exit code, and answers whether it used a shop; `home` is the folder of the
 * installed program, `build` that of this build of it.
 */
export async function main(home: string, build: string): Promise<boolean> {
  // Such warnings concern the packages (pg warns of ~/.pgpass), not the people who run commands.
  process.noDeprecation = true;
  let usedShop = false;
  const setup = setupOf({ home, clock: () => Date.now() }, build);
  const open: Setup['open'] = (settings) => {
    usedShop = true;
    return setup.open(settings);
  };
  process.exitCode = await run(process.argv.slice(2), processIo(), { ...setup, open });
  return usedShop;
}
