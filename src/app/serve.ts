import { basename, extname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker as Thread, type ResourceLimits } from 'node:worker_threads';
import type { ServeFlags } from '../cli/serve-flags.js';
import type { RunningServer } from '../cli/program-setup.js';
import { defaultTimeouts, type ServeOptions, type ServerDependencies } from '../http/server/server-options.js';
import { listHooks } from '../domain/hooks/list-hooks.js';
import { serve } from '../http/server/server.js';
import type { Settings } from '../settings/settings.js';
import { localShop } from '../storage/shop.js';
import { pooledShop, type WorkerPool } from '../http/server/served-shop.js';
import { threadPool } from '../http/server/worker-pool/thread-pool.js';
import { workerThread } from '../http/server/worker-pool/worker-thread.js';
import type { OpenOptions } from '../storage/engine-definition.js';
import { engineOf, openEngine } from '../storage/engines.js';
import { backgroundThread } from './background-thread.js';
import { nativeBinding } from './native-binding.js';
import type { Surroundings } from './open-store.js';
import { openLog } from './server-log.js';
import { stopSignal } from './stop-signal.js';
import { version } from './version.js';
import type { WorkerOptions } from './worker.js';

/** How long a request waits for a locked store, or one that cannot be reached; it is answered within ten seconds. */
const waitSeconds = 9;

function optionsOf(flags: ServeFlags): ServeOptions {
  return {
    host: flags.host ?? '127.0.0.1',
    port: flags.port ?? 8080,
    socket: flags.socket,
    basePath: flags.basePath ?? '',
    auth: flags.auth ?? 'auto',
    insecureNoAuth: flags.insecureNoAuth === true,
    allowedHosts: flags.allowedHost ?? [],
    trustedProxies: flags.trustedProxy ?? [],
    corsOrigins: flags.corsOrigin ?? [],
    stableOnly: flags.stableOnly === true,
    board: flags.noBoard !== true,
    open: flags.open === true,
    requireIfMatch: flags.requireIfMatch === true,
    rateLimit: flags.rateLimit,
    timeouts: defaultTimeouts,
  };
}

/** The number of imports that run at a time; others wait. */
const importThreads = 2;

/** The memory limits of an import thread; an import that needs more fails without affecting others. */
const importLimits: ResourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** Serves the shop that the settings name until a stop signal. Refuses like the engine and like `serve`. */
export async function serveShop({ home, clock }: Surroundings, build: string, settings: Settings, flags: ServeFlags): Promise<RunningServer> {
  // Collects garbage when the heap has twice the size of what is in use, not three times.
  setFlagsFromString('--heap-growing-percent=100');
  const { store, where } = settings;
  const readOnly = settings.readOnly !== undefined;
  const { name, openCheckpointer, concurrentLongReads } = engineOf(store);
  const options: OpenOptions = { store, where, waitSeconds, readOnly, nativeBinding: nativeBinding(home) };
  const engine = await openEngine({ ...options, forManyClients: true });
  const { log, close: closeLog } = openLog(settings.utc, clock);
  const startThread = (purpose: WorkerOptions['purpose'], resourceLimits: ResourceLimits = {}): Thread =>
    new Thread(join(build, 'worker.cjs'), { workerData: { ...options, purpose } satisfies WorkerOptions, resourceLimits });
  const jobThreads = (threads: number, limits?: ResourceLimits) => threadPool(() => workerThread(() => startThread('jobs', limits)), threads);
  const pool: WorkerPool = { writes: jobThreads(1), reads: jobThreads(concurrentLongReads), imports: jobThreads(importThreads, importLimits) };
  const shopOf: ServerDependencies['shopOf'] = (actor, source, token, findClient) => {
    const caller = { actor, tokenId: token?.id, scopes: token?.scopes, source };
    return pooledShop(localShop(engine, { ...caller, clock }, where), caller, pool, findClient);
  };
  const { call, tokens, sessions } = shopOf(settings.actor, 'http');
  const dependencies: ServerDependencies = {
    shopOf,
    tokens,
    sessions,
    checkWritable: engine.checkWritable,
    // Without the location of the shop.
    about: { version, shop: settings.profile ?? basename(where, extname(where)), engine: name },
    actor: settings.actor,
    pagesFolder: build,
    log,
    setUmask: (mask) => process.umask(mask),
    clock,
  };
  const { signal, dispose } = stopSignal();
  try {
    const server = await serve(dependencies, optionsOf(flags));
    log.info({ msg: 'listening', address: server.address, store: where });
    if (process.getuid?.() === 0) log.warn({ msg: 'running as root; use an unprivileged user instead' });
    const runBeside = (purpose: 'checkpoints' | 'hooks', isNeeded: () => Promise<boolean>) =>
      backgroundThread(() => startThread(purpose), isNeeded, `${purpose} failed`, log);
    // Without checkpoints the write-ahead log grows without limit.
    const stopCheckpoints = readOnly || openCheckpointer === undefined ? undefined : runBeside('checkpoints', async () => true);
    const stopHooks = runBeside('hooks', async () => !readOnly && (await call(listHooks, { limit: 1 })).items.length > 0);
    const stop = async (): Promise<void> => {
      log.info({ msg: 'stopping', signal: await signal });
      await Promise.all([server.stop(), stopHooks()]);
      await Promise.all([pool.writes.close(), pool.reads.close(), pool.imports.close()]);
      await engine.close();
      // After the engine: the last connection to close moves the log into the file, and that of the engine may be read-only.
      await stopCheckpoints?.();
      log.info({ msg: 'stopped' });
      await closeLog();
      dispose();
    };
    return { address: server.address, signInAddress: server.signInAddress, ended: stop() };
  } catch (error) {
    dispose();
    await engine.close();
    throw error;
  }
}
