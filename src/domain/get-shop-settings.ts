import * as v from 'valibot';
import { readOperation } from './operation.js';
import { shopSettings, type ShopFields } from './shop-settings.js';

/** Reads the settings of the shop. */
export const getShopSettings = readOperation({
  id: 'getShopSettings',
  summary: 'Read the settings of the shop',
  description: 'Reads the settings of the shop as a whole: its name, and the low-stock level of pets without one of their own.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/settings',
  input: v.strictObject({}),
  output: shopSettings,
  refuses: [],
  example: { answer: { shopName: 'Paws & Fins', lowAt: 2 } },
  cost: 'row',
  run: async (tx): Promise<ShopFields> => {
    const [shopName, lowAt] = [await tx.settings.get('shopName'), await tx.settings.get('lowAt')];
    return { ...(shopName !== null && { shopName }), ...(lowAt !== null && { lowAt }) };
  },
});
