import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Worker as Thread, type ResourceLimits } from 'node:worker_threads';
import pino from 'pino';
import type { ServeFlags } from '../cli/serve-flags.js';
import type { Served } from '../cli/program-setup.js';
import { sanitise, sanitiseCell, sanitiseJson } from '../cli/output/sanitise.js';
import { type Log, type LogEntry, type ServerDependencies, type ServeOptions, defaultTimeouts } from '../http/server/server-options.js';
import { serve } from '../http/server/server.js';
import type { Settings } from '../settings/settings.js';
import { localShop } from '../storage/shop.js';
import { apart } from '../http/server/worker-pool/pooled-shop.js';
import { importers } from '../http/server/worker-pool/import-threads.js';
import { beside } from '../http/server/worker-pool/worker-thread.js';
import { engineOf } from '../storage/engines.js';
import type { WorkOrder } from './worker.js';

/** How long a request waits for a locked store, in seconds. */
const waitSeconds = 10;

function optionsOf(flags: ServeFlags): ServeOptions {
  return {
    host: flags.host ?? '127.0.0.1',
    port: flags.port ?? 8080,
    socket: flags.socket,
    basePath: flags.basePath ?? '',
    auth: flags.auth ?? 'auto',
    insecureNoAuth: flags.insecureNoAuth === true,
    allowedHosts: flags.allowedHost ?? [],
    corsOrigins: flags.corsOrigin ?? [],
    stableOnly: flags.stableOnly === true,
    enforceSunset: flags.enforceSunset === true,
    requireIfMatch: flags.requireIfMatch === true,
    rateLimit: flags.rateLimit,
    timeouts: defaultTimeouts,
  };
}

/** The level of what works, but should not stay so. */
interface Warning {
  readonly warn: (entry: LogEntry) => void;
}

/** One field of the log with nothing in its text that steers a terminal; a stack keeps its lines. */
function shownField([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  if (typeof value !== 'string') return [name, value];
  return [name, name === 'error' ? sanitise(value) : sanitiseCell(value)];
}

/** The log: JSON lines on standard error, or lines for people when that is a terminal. */
async function openLog(): Promise<{ readonly log: Log & Warning; readonly flush: () => void }> {
  if (process.stderr.isTTY) {
    const { default: pretty } = await import('pino-pretty');
    const formatters = { log: (entry: object) => Object.fromEntries(Object.entries(entry).map(shownField)) };
    const log = pino({ base: null, formatters }, pretty({ destination: 2, sync: true, colorize: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }));
    return { log, flush: () => undefined };
  }
  const destination = pino.destination({ dest: 2, sync: false });
  // Logs are read on terminals later.
  const write = (line: string): void => void destination.write(sanitiseJson(line));
  return { log: pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write }), flush: () => destination.flushSync() };
}

/** Resolves at the first SIGTERM or SIGINT; until `forget` a second one ends the process at once. */
function told(): { readonly signal: Promise<NodeJS.Signals>; readonly forget: () => void } {
  const names = ['SIGTERM', 'SIGINT'] as const;
  let first: ((signal: NodeJS.Signals) => void) | undefined;
  const hear = (signal: NodeJS.Signals): void => {
    if (first === undefined) process.exit(1);
    first(signal);
    first = undefined;
  };
  const signal = new Promise<NodeJS.Signals>((resolve) => (first = resolve));
  for (const name of names) process.on(name, hear);
  return {
    signal,
    forget: () => {
      for (const name of names) process.off(name, hear);
    },
  };
}

function clock(): number {
  return Date.now();
}

const pauseAfterFailure = 1000;

/** A thread that is started again when it fails: without checkpoints the log of the shop would only grow. */
function kept(begin: () => Thread, log: Log): { readonly end: () => Promise<unknown> } {
  let thread: Thread | undefined;
  let again: NodeJS.Timeout | undefined;
  const start = (): void => {
    thread = begin();
    thread.on('error', (error) => {
      log.error({ msg: 'checkpoints failed', error: error.message });
      again = setTimeout(start, pauseAfterFailure);
    });
  };
  start();
  return {
    end: async () => {
      clearTimeout(again);
      await thread?.terminate();
    },
  };
}

/** What a thread that imports may keep in JavaScript; an import that takes more fails alone. */
const importLimits: ResourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** Serves a shop until the process is told to end. */
export async function serveShop(home: string, nativeBinding: string | undefined, settings: Settings, flags: ServeFlags): Promise<Served> {
  const { store, where } = settings;
  const { open, openCheckpointer, capabilities } = engineOf(store);
  const engine = await open({ store, where, waitSeconds, nativeBinding, forMany: true });
  const { log, flush } = await openLog();
  const thread = (work: WorkOrder['work'], resourceLimits: ResourceLimits = {}): Thread =>
    new Thread(join(home, 'dist', 'working.cjs'), { workerData: { work, store, where, nativeBinding, waitSeconds } satisfies WorkOrder, resourceLimits });
  const threads = {
    changing: beside(() => thread('tasks')),
    looking: beside(() => thread('tasks'), capabilities.concurrentLongReads),
    importing: importers(() => beside(() => thread('tasks', importLimits))),
  };
  const shopOf: ServerDependencies['shopOf'] = (actor, source, token, client) =>
    apart(localShop(engine, { actor, token, source, clock }, where), { actor, token, source }, threads, client);
  const dependencies = {
    shopOf,
    tokens: shopOf(settings.actor, 'http').tokens,
    actor: settings.actor,
    docsFolder: join(home, 'dist', 'docs'),
    log,
    setUmask: (mask: number) => process.umask(mask),
    clock,
    randomText: () => randomBytes(6).toString('base64url'),
  };
  const { signal, forget } = told();
  try {
    const server = await serve(dependencies, optionsOf(flags));
    log.info({ msg: 'listening', address: server.address, store: where });
    if (process.getuid?.() === 0) log.warn({ msg: 'running as root: whoever breaks into the server owns the machine; start it as a user of its own' });
    const checkpoints = openCheckpointer === undefined ? undefined : kept(() => thread('checkpoints'), log);
    const end = async (): Promise<void> => {
      log.info({ msg: 'stopping', signal: await signal });
      await server.stop();
      await Promise.all([threads.changing.close(), threads.looking.close(), threads.importing.close()]);
      await engine.close();
      // Whoever closes the shop last moves the log into the file, if it may write; the server may only have read.
      await checkpoints?.end();
      log.info({ msg: 'stopped' });
      flush();
      forget();
    };
    return { address: server.address, ended: end() };
  } catch (error) {
    forget();
    await engine.close();
    throw error;
  }
}
