import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { processIo } from './cli/io.js';
import { run, type Setup } from './cli/program.js';
import type { Settings } from './settings.js';
import type { Worker } from './storage/local.js';
import { localShop } from './storage/local.js';
import { openSqlite } from './storage/sqlite/engine.js';
import { version } from './version.js';

// The bundle lies in dist/, beside node_modules/ and data/ or below them when installed.
const near = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** better-sqlite3 looks for its native part beside its own file, which a bundle is not. */
function nativeBinding(): string | undefined {
  const addon = 'better-sqlite3/build/Release/better_sqlite3.node';
  return [near(`node_modules/${addon}`), near(`../${addon}`)].find((path) => existsSync(path));
}

function workerOf(settings: Settings): Worker {
  return { actor: settings.actor, source: 'cli', clock: () => Date.now() };
}

const setup: Setup = {
  version,
  open: async (settings) => {
    const engine = await openSqlite(settings.store, { wait: settings.wait, nativeBinding: nativeBinding() });
    return localShop(engine, workerOf(settings), settings.store);
  },
  init: async (settings, sample) => {
    const created = !existsSync(settings.store);
    const engine = await openSqlite(settings.store, { create: true, wait: settings.wait, nativeBinding: nativeBinding() });
    try {
      if (!sample) return { created, filled: false };
      const { fillSample } = await import('./storage/sample.js');
      const content: unknown = JSON.parse(readFileSync(near('data/sample.json'), 'utf8'));
      return { created, filled: await fillSample(engine, workerOf(settings), content) };
    } finally {
      await engine.close();
    }
  },
};

/** Runs the command line of this process. */
export async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), processIo(), setup);
}
