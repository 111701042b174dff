import type { Shop } from '../../domain/shop.js';
import type { Metrics } from './metrics.js';
import type { Described } from '../contract/parameters.js';

/** The same shop; the duration of its calls goes into the metrics. */
export function timedShop(shop: Shop, { stored }: Pick<Metrics, 'stored'>): Shop {
  const timed = async <T>({ kind }: Pick<Described, 'kind'>, work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    try {
      return await work();
    } finally {
      stored(kind, performance.now() - started);
    }
  };
  return {
    ...shop,
    call: (operation, input, options) => timed(operation, () => shop.call(operation, input, options)),
    callEach: (operation, inputs, options) => timed(operation, () => shop.callEach(operation, inputs, options)),
  };
}
