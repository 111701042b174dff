import type { RouteOptions } from 'fastify';
import { allRows } from '../../domain/all-pages.js';
import type { Hook } from '../../domain/hooks/hook.js';
import { listHooks } from '../../domain/hooks/list-hooks.js';
import type { Shop } from '../../domain/shop.js';
import { withTimeout } from './with-timeout.js';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of a server in the text format of Prometheus. */
export interface Metrics {
  /** One answered request: its route, status and duration in ms. */
  readonly answered: (method: string, route: string, status: number, milliseconds: number) => void;
  /** One call of a deprecated operation. */
  readonly deprecated: (operation: string) => void;
  /** Counts the duration of one call of the store, including its wait for a lock or a thread. */
  readonly stored: <T>(kind: 'read' | 'write', call: () => Promise<T>) => Promise<T>;
  readonly contentType: string;
  /** The present values; without those of webhooks when they could not be read. */
  readonly text: (hooks: readonly Hook[]) => Promise<string>;
  readonly stop: () => void;
}

const bucketSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The gauges of webhooks; the function sets them for all hooks of the shop. */
function hookGauges(registers: Registry[]): (hooks: readonly Hook[]) => void {
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

/** Creates the metrics of one server; `streams` returns the number of open event streams. */
export function createMetrics(streams: () => number): Metrics {
  const registry = new Registry();
  // By default it looks at the event loop every 10 ms, a third of what an idle server costs.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const registers = [registry];
  const requests = new Counter({ name: 'petstore_http_requests_total', help: 'Completed requests.', labelNames: ['method', 'route', 'status'], registers });
  const durations = new Histogram({
    name: 'petstore_http_request_duration_seconds',
    help: 'Time from the head of a request to its response.',
    labelNames: ['method', 'route'],
    buckets: bucketSeconds,
    registers,
  });
  const calls = new Histogram({
    name: 'petstore_store_call_duration_seconds',
    help: 'Time of one call to the store, including waiting.',
    labelNames: ['kind'],
    buckets: bucketSeconds,
    registers,
  });
  const deprecated = new Counter({
    name: 'petstore_deprecated_requests_total',
    help: 'Calls of deprecated operations.',
    labelNames: ['operation'],
    registers,
  });
  const open = new Gauge({ name: 'petstore_event_streams', help: 'Open event streams.', registers });
  const setHooks = hookGauges(registers);
  return {
    answered: (method, route, status, milliseconds) => {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, milliseconds / 1000);
    },
    deprecated: (operation) => deprecated.inc({ operation }),
    stored: async (kind, call) => {
      const started = performance.now();
      try {
        return await call();
      } finally {
        calls.observe({ kind }, (performance.now() - started) / 1000);
      }
    },
    contentType: registry.contentType,
    text: async (hooks) => {
      open.set(streams());
      setHooks(hooks);
      return registry.metrics();
    },
    stop: () => registry.clear(),
  };
}

const readWithinMs = 2000;

/** The metrics for Prometheus; requires the scope admin. `shop` is asked for its webhooks; the other metrics do not wait for a shop that does not answer. */
export function metricsRoute(basePath: string, metrics: Metrics, shop: Shop): RouteOptions {
  return {
    method: 'GET',
    url: `${basePath}/metrics`,
    config: { scope: 'admin' },
    handler: async (_, reply) => {
      const hooks = await withTimeout(allRows(shop.call, listHooks, {}), readWithinMs, () => new Error('The shop does not answer.')).catch(() => []);
      return reply.type(metrics.contentType).send(await metrics.text(hooks));
    },
  };
}
