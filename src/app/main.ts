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
import { createStore, openStore, requireLocalStore } from './open-store.js';
import { driverFor } from '../storage/sqlite/driver.js';
import { commit, version, versionLine } from './version.js';

/** The maintenance of a shop, loaded when a command needs it. */
async function load(settings: Settings, verb: string): Promise<EngineMaintenance> {
  return (await import('../storage/engines.js')).maintenanceOf(settings, verb);
}

function maintenanceOf(home: string): Setup['maintenance'] {
  const contextOf = (settings: Settings): MaintenanceContext => ({
    ...settings,
    clock: () => Date.now(),
    nativeBinding: nativeBinding(home),
  });
  return {
    backup: async (settings, request) => (await load(settings, 'backup')).backup(contextOf(settings), request),
    restore: async (settings, request) => (await load(settings, 'restore')).restore(contextOf(settings), request),
    doctor: async (settings, request) => (await load(settings, 'doctor')).check(contextOf(settings), request),
  };
}

function setupOf(home: string, build: string, onOpen: () => void): Setup {
  return {
    version: versionLine,
    about: async () => ({
      version,
      commit,
      node: process.versions.node,
      sqlite: (await driverFor(nativeBinding(home))).version(),
      platform: `${process.platform}-${process.arch}`,
    }),
    serve: async (settings, flags) => {
      requireLocalStore(settings.store, 'petstore serve cannot serve the shop of another server');
      return (await import('./serve.js')).serveShop(build, nativeBinding(home), settings, flags);
    },
    mcp: async (session) => {
      const [{ serveTools }, { openApiDocument }] = await Promise.all([import('../mcp/server.js'), import('../http/openapi/document.js')]);
      await serveTools({ ...session, version, document: openApiDocument() as unknown as Document });
    },
    hooks: {
      deliver: async (settings, once, onSent) => (await import('./hooks.js')).deliverHooks(settings, nativeBinding(home), once, onSent),
      test: async (settings, hookId) => (await import('./hooks.js')).testHook(settings, nativeBinding(home), hookId),
    },
    openapi: async (options) => (await import('../http/openapi/document.js')).openApiDocument(options),
    open: (settings) => {
      onOpen();
      return openStore(home, settings);
    },
    copy: async (settings, { from, to, ...request }) => {
      const { waitSeconds } = settings;
      if (settings.readOnly === 'profile' && sameStore(storeAddress(to).store, settings.store)) throw readOnlyRefusal(settings);
      const { copyStores } = await import('../storage/copy/copy-stores.js');
      return copyStores(storeAddress(from), storeAddress(to), { ...request, waitSeconds, nativeBinding: nativeBinding(home) });
    },
    maintenance: maintenanceOf(home),
    lookUp: async ({ store, where }, noun, text) =>
      (await import('../storage/engines.js')).recordsIn({ store, where, nativeBinding: nativeBinding(home) }, noun, text),
    guide: {
      chapters: () => readdirSync(join(home, 'data', 'guide')).map((file) => basename(file, '.md')),
      read: (chapter) => readFileSync(join(home, 'data', 'guide', `${chapter}.md`), 'utf8'),
    },
    completionScript: async (shell) => readFileSync(join(home, 'data', 'completion', `petstore.${shell}`), 'utf8'),
    jq: async (expression) => (await import('./jq-thread.js')).jqThread(build, expression),
    init: (settings, sample) => createStore(home, settings, sample),
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
  const setup = setupOf(home, build, () => (usedShop = true));
  process.exitCode = await run(process.argv.slice(2), processIo(), setup);
  return usedShop;
}
