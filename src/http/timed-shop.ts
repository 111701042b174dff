import type { Shop } from '../domain/shop.js';
import type { Metrics } from './metrics.js';

/** Shops by who works on them, each made once, whose calls are timed. */
export function timedShop(shopOf: (actor: string) => Shop, { stored }: Pick<Metrics, 'stored'>): (actor: string) => Shop {
  const shops = new Map<string, Shop>();
  return (actor) => {
    const known = shops.get(actor);
    if (known) return known;
    const shop = shopOf(actor);
    const timed: Shop = {
      ...shop,
      call: async (operation, input, options) => {
        const started = performance.now();
        try {
          return await shop.call(operation, input, options);
        } finally {
          stored(operation.kind, performance.now() - started);
        }
      },
    };
    shops.set(actor, timed);
    return timed;
  };
}
