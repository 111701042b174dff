import { randomBytes, randomInt } from 'node:crypto';
import type { HookTest, SentEvents } from '../cli/program-setup.js';
import { notFound } from '../domain/values/ids.js';
import { ledgerMoves } from '../hooks/ledger-moves.js';
import { startSender, type HookSender, type SenderDependencies } from '../hooks/sender.js';
import { sendTestEvent } from '../hooks/test-event.js';
import type { Settings } from '../settings/settings.js';
import type { Engine } from '../storage/engine.js';
import { openEngine } from '../storage/engines.js';
import { hookQueue } from '../storage/hook-queue.js';
import { localShop } from '../storage/shop.js';
import { nativeBinding } from './native-binding.js';
import type { Surroundings } from './open-store.js';
import { stopSignal } from './stop-signal.js';

/** Starts the sender of the hooks of an engine. */
export function sendHooks(
  engine: Engine,
  where: string,
  dependencies: Pick<SenderDependencies, 'onSent' | 'onError' | 'requestEveryMs' | 'clock'>,
  once = false,
): HookSender {
  const moved = ledgerMoves(localShop(engine, { actor: 'hooks', source: 'cli', clock: dependencies.clock }, where));
  const holder = randomBytes(12).toString('base64url');
  return startSender({ ...dependencies, queue: hookQueue(engine, dependencies), moved, random: () => randomInt(1000) / 1000, holder }, { once });
}

/** Works with the engine of the shop of the settings. Refuses a server with `usage`. */
async function withEngine<T>({ home }: Surroundings, settings: Settings, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine({ ...settings, readOnly: false, nativeBinding: nativeBinding(home) });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Sends the events of the shop of the settings until a stop signal; with `once` until nothing is due. Refuses a server with `usage`. */
export function deliverHooks(surroundings: Surroundings, settings: Settings, once: boolean, onSent: (sent: SentEvents) => void): Promise<void> {
  const dependencies: Parameters<typeof sendHooks>[2] = {
    clock: surroundings.clock,
    requestEveryMs: 0,
    onSent: ({ id }, message, { status, error, pauses }) => onSent({ hookId: id, event: message.id, type: message.type, status, error, pauses }),
    onError: (error) => {
      throw error;
    },
  };
  return withEngine(surroundings, settings, async (engine) => {
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

/** Sends a test event to a hook. Refuses with `hook_not_found`, and a server with `usage`. */
export async function testHook(surroundings: Surroundings, settings: Settings, hookId: number): Promise<HookTest> {
  const { clock } = surroundings;
  const hook = await withEngine(surroundings, settings, (engine) => hookQueue(engine, { clock }).get(hookId));
  if (hook === undefined) throw notFound('hook', hookId);
  return { hookId, ...(await sendTestEvent(hook, clock)) };
}
