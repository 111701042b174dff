import { Gauge, type Registry } from 'prom-client';
import type { Hook } from '../../domain/hooks/hook.js';
import { listHooks } from '../../domain/hooks/list-hooks.js';
import type { Shop } from '../../domain/shop.js';
import { maximumPage } from '../../domain/values/pages.js';
import { withTimeout } from './with-timeout.js';

/** The gauges of webhooks; the function sets them for all hooks of the shop. */
export function hookGauges(registers: Registry[]): (hooks: readonly Hook[]) => void {
  const gauge = (name: string, help: string): Gauge<'hook'> => new Gauge({ name: `petstore_hook_${name}`, help, labelNames: ['hook'], registers });
  const paused = gauge('paused', 'Whether a webhook is paused.');
  const failures = gauge('failed_attempts', 'Failed attempts to send the next event of a webhook; 0 while nothing fails.');
  const waiting = gauge('waiting_entries', 'Ledger entries after the position of a webhook.');
  return (hooks) => {
    for (const one of [paused, failures, waiting]) one.reset();
    for (const hook of hooks) {
      const labels = { hook: String(hook.id) };
      paused.set(labels, hook.state === 'paused' ? 1 : 0);
      failures.set(labels, hook.attempts);
      waiting.set(labels, hook.waiting);
    }
  };
}

const readWithinMs = 2000;

async function allHooks(shop: Shop): Promise<readonly Hook[]> {
  const found: Hook[] = [];
  let cursor: string | undefined;
  do {
    const page = await shop.call(listHooks, { limit: maximumPage, cursor });
    found.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
}

/** The webhooks of a shop; none when it cannot be read, or does not answer in time. */
export function hooksOf(shop: Shop): Promise<readonly Hook[]> {
  return withTimeout(allHooks(shop), readWithinMs, () => new Error('The shop does not answer.')).catch(() => []);
}
