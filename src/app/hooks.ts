import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HookTest, SentEvents } from '../cli/program-setup.js';
import { newestEvent } from '../domain/ledger/follow-ledger.js';
import type { Shop } from '../domain/shop.js';
import { notFound } from '../domain/values/ids.js';
import { formatDateTime } from '../domain/values/time.js';
import { connect } from '../hooks/request.js';
import { startSender, type HookSender, type SenderDependencies } from '../hooks/sender.js';
import { signedHeaders } from '../hooks/signature.js';
import type { Settings } from '../settings/settings.js';
import type { Engine } from '../storage/engine.js';
import { openEngine } from '../storage/engines.js';
import { hookQueue } from '../storage/hook-queue.js';
import { localShop } from '../storage/shop.js';
import { requireLocalStore } from './open-store.js';
import { stopSignal } from './stop-signal.js';

const clock = (): number => Date.now();

const pollIntervalMs = 100;

/** Waits until the ledger of a shop has moved since the last call, or for a time; answers whether it has. */
function ledgerMoves(shop: Shop): SenderDependencies['moved'] {
  let seen: number | undefined;
  // A shop that cannot be read now is asked again.
  const newestId = (): Promise<number | undefined> =>
    shop.call(newestEvent, {}).then(
      ({ newest }) => newest.id,
      () => seen,
    );
  return async (withinMs) => {
    const until = performance.now() + withinMs;
    for (;;) {
      const newest = await newestId();
      if (newest !== seen) {
        seen = newest;
        return true;
      }
      const leftMs = until - performance.now();
      if (leftMs <= 0) return false;
      await sleep(Math.min(leftMs, pollIntervalMs));
    }
  };
}

/** Starts the sender of the hooks of an engine. */
export function sendHooks(
  engine: Engine,
  where: string,
  dependencies: Pick<SenderDependencies, 'onSent' | 'onError' | 'requestEveryMs'>,
  once = false,
): HookSender {
  const moved = ledgerMoves(localShop(engine, { actor: 'hooks', source: 'cli', clock }, where));
  const holder = randomBytes(12).toString('base64url');
  return startSender({ ...dependencies, queue: hookQueue(engine, { clock }), moved, clock, random: () => randomInt(1000) / 1000, holder }, { once });
}

/** Works with the engine of the shop of the settings. Refuses a server with `usage`. */
async function withEngine<T>(settings: Settings, nativeBinding: string | undefined, work: (engine: Engine) => Promise<T>): Promise<T> {
  requireLocalStore(settings.store, 'Hooks are sent from the machine of the shop, not through a server');
  const engine = await openEngine({ ...settings, readOnly: false, nativeBinding });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Sends the events of the shop of the settings until a stop signal; with `once` until nothing is due. Refuses a server with `usage`. */
export function deliverHooks(settings: Settings, nativeBinding: string | undefined, once: boolean, onSent: (sent: SentEvents) => void): Promise<void> {
  const dependencies: Parameters<typeof sendHooks>[2] = {
    requestEveryMs: 0,
    onSent: ({ id }, message, { status, error, pauses }) => onSent({ hookId: id, event: message.id, type: message.type, status, error, pauses }),
    onError: (error) => {
      throw error;
    },
  };
  return withEngine(settings, nativeBinding, async (engine) => {
    const { signal, dispose } = stopSignal();
    try {
      const sender = sendHooks(engine, settings.where, dependencies, once);
      void signal.then(sender.stop);
      await sender.ended;
    } finally {
      dispose();
    }
  });
}

/** Sends a test event to a hook at once, also to a paused one; it changes nothing. Refuses with `hook_not_found`, and a server with `usage`. */
export async function testHook(settings: Settings, nativeBinding: string | undefined, hookId: number): Promise<HookTest> {
  const hook = await withEngine(settings, nativeBinding, (engine) => hookQueue(engine, { clock }).get(hookId));
  if (hook === undefined) throw notFound('hook', hookId);
  const connection = connect(hook, clock);
  const now = clock();
  const body = JSON.stringify({ type: 'test', timestamp: formatDateTime(now), data: { hookId } });
  const event = `evt_test_${randomBytes(8).toString('hex')}`;
  const started = performance.now();
  const { status, error } = await connection.send(signedHeaders(event, Math.floor(now / 1000), body, hook.secrets), body).finally(connection.close);
  return { hookId, event, status, error, milliseconds: Math.round(performance.now() - started) };
}
