import type { Shop } from '../../domain/shop.js';
import type { Metrics } from './metrics.js';
import type { AnyDescription } from '../contract/operation-rules.js';

/** The same shop; the duration of its calls goes into the metrics. */
export function timedShop(shop: Shop, { stored }: Pick<Metrics, 'stored'>): Shop {
  const timed = async <T>({ kind }: Pick<AnyDescription, 'kind'>, started: number, answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } finally {
      stored(kind, performance.now() - started);
    }
  };
  return {
    ...shop,
    call: (operation, input, options) => timed(operation, performance.now(), shop.call(operation, input, options)),
    callEach: (operation, inputs, options) => timed(operation, performance.now(), shop.callEach(operation, inputs, options)),
  };
}
